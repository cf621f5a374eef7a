"""Owns the way in which a request is turned down: a code for programs and a sentence for people."""

from typing import Literal, get_args

Code = Literal[
    "bad_message",
    "bad_position",
    "bad_request",
    "busy",
    "column_full",
    "failed",
    "forbidden",
    "foreign_engine",
    "game_over",
    "illegal_move",
    "not_found",
    "not_your_turn",
    "nothing_to_redo",
    "nothing_to_undo",
    "read_only",
    "stale",
    "too_fast",
    "too_large",
    "too_many",
    "unauthorized",
    "unknown_engine",
    "unknown_event",
    "unknown_game",
    "unreadable",
]
CODES: tuple[Code, ...] = get_args(Code)

_STATUS: dict[Code, int] = {
    "busy": 503,
    "failed": 500,
    "forbidden": 403,
    "not_found": 404,
    "too_fast": 429,
    "too_large": 413,
    "unauthorized": 401,
    "unknown_event": 404,
    "unknown_game": 404,
    "bad_request": 422,
    "unreadable": 422,
}


class Refusal(Exception):  # noqa: N818 (most refusals are nobody's error)
    """A request that is not fulfilled.

    >>> refusal = Refusal("unknown_game", "there is no game a9")
    >>> refusal.code, str(refusal), refusal.status
    ('unknown_game', 'there is no game a9', 404)
    """

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code: Code = code

    @property
    def status(self) -> int:
        """The status of HTTP that says the same."""
        return _STATUS.get(self.code, 400)
