"""Errors that the server reports to the page: a code, its parameters and an English message.

The page has its own sentence for every code in its own languages: `static/words/errors_en.js` and `errors_zh.js`.
"""

import math
import string
from typing import Literal, get_args

ErrorCode = Literal[
    "bad_message",
    "bad_position",
    "bad_request",
    "busy",
    "cannot_analyse",
    "column_full",
    "database_failed",
    "failed",
    "forbidden",
    "game_over",
    "illegal_move",
    "impossible_board",
    "impossible_stones",
    "invalid_json",
    "invalid_record",
    "match_not_running",
    "match_running",
    "needs_program",
    "no_position_in_json",
    "no_text",
    "no_webassembly",
    "not_found",
    "not_your_turn",
    "nothing_to_redo",
    "nothing_to_undo",
    "opponent_failed",
    "out_of_time",
    "read_only",
    "several_holes",
    "stale",
    "third_party_engine",
    "too_fast",
    "too_large",
    "too_many_attempts",
    "too_many_connections",
    "too_slow",
    "unauthorized",
    "unequal_lines",
    "unexpected_character",
    "unknown_engine",
    "unknown_event",
    "unknown_game",
    "unknown_puzzle",
    "unknown_text",
]
ERROR_CODES: tuple[ErrorCode, ...] = get_args(ErrorCode)

Parameter = str | int

TEMPLATES: dict[ErrorCode, str] = {
    "bad_message": "invalid message: {problem}",
    "bad_position": "invalid position: {problem}",
    "bad_request": "invalid request: {problem}",
    "busy": "the analysis queue is full ({limit} analyses and reviews); try again in a minute",
    "cannot_analyse": "{engine} can play but not analyse; choose a built-in engine",
    "column_full": "column {column} is full; choose another column",
    "database_failed": "the database failed: {problem}",
    "failed": "internal error of the server; the server's log has the details",
    "forbidden": "the {header} header {value} is not allowed: open the page at the address that the server printed",
    "game_over": "the game is over at this position",
    "illegal_move": "column {column} is not on the board, which has {columns} columns",
    "impossible_board": "the text board is not a legal position: {problem}",
    "impossible_stones": "no legal game leads to these stones: {problem}",
    "invalid_json": "the text begins with '{{' but is not valid JSON",
    "invalid_record": "the game record is invalid: {problem}",
    "match_not_running": "event {event} is not a match that this server is running",
    "match_running": "event {event} is still running; stop it or wait until it ends",
    "needs_program": "matches, ladders and third-party bots need the program: run `make run` in the folder of Fourfall",
    "no_position_in_json": "the JSON object is neither a game record nor does it have a 'position'",
    "no_text": "the text is empty; paste a position, moves, a game record or a text board",
    "no_webassembly": "the browser has no WebAssembly, which the engine needs",
    "not_found": "there is nothing at {path}",
    "not_your_turn": "it is the opponent's turn",
    "nothing_to_redo": "there is no move to redo",
    "nothing_to_undo": "there is no move of yours to undo",
    "opponent_failed": "the opponent failed with an internal error; undo your move and play again",
    "out_of_time": "the game was lost on time; no move can be undone",
    "read_only": "games of the arena can be opened and reviewed but not played",
    "several_holes": "the text board has {count} blocked cells; at most one is allowed",
    "stale": "the number of stones is {stones}, not {ply}; the game has changed",
    "third_party_engine": "{engine} is not a built-in engine; start the server with --agent to allow third-party code",
    "too_fast": "too many requests; wait a second",
    "too_large": "the request is too large; at most {limit} bytes are allowed",
    "too_many_attempts": "too many wrong tokens from this address; wait {seconds} s",
    "too_many_connections": "too many connections; close other pages or try again later",
    "too_slow": "the request did not arrive completely within {seconds} s",
    "unauthorized": "the server needs a token; open the address that it printed",
    "unequal_lines": "the lines of the text board have {shortest} to {longest} cells; all must have the same number",
    "unexpected_character": "unexpected character {character} in line {line} of the text board; "
    "cells are '.', 'X', 'O' and '#'",
    "unknown_engine": "there is no engine {engine}",
    "unknown_event": "there is no event {event}",
    "unknown_game": "there is no game {game}",
    "unknown_puzzle": "there is no puzzle {puzzle}",
    "unknown_text": "the text is not a position, a link, moves, a game record or a text board",
}

_HTTP_STATUS: dict[ErrorCode, int] = {
    "bad_request": 422,
    "busy": 503,
    "database_failed": 500,
    "failed": 500,
    "forbidden": 403,
    "impossible_board": 422,
    "impossible_stones": 422,
    "invalid_json": 422,
    "invalid_record": 422,
    "match_not_running": 404,
    "match_running": 503,
    "needs_program": 501,
    "no_position_in_json": 422,
    "no_text": 422,
    "no_webassembly": 501,
    "not_found": 404,
    "several_holes": 422,
    "too_fast": 429,
    "too_large": 413,
    "too_many_attempts": 429,
    "too_many_connections": 503,
    "too_slow": 408,
    "unauthorized": 401,
    "unequal_lines": 422,
    "unexpected_character": 422,
    "unknown_event": 404,
    "unknown_game": 404,
    "unknown_puzzle": 404,
    "unknown_text": 422,
}
_MAX_PARAMETER_LENGTH = 300


class RequestError(Exception):
    """A request that the server refuses or cannot carry out.

    The parameters must be those of the code's template.

    >>> error = RequestError("unknown_game", game="a9")
    >>> error.code, error.params, str(error), error.status
    ('unknown_game', {'game': 'a9'}, 'there is no game a9', 404)
    """

    def __init__(self, code: ErrorCode, **params: Parameter) -> None:
        self.code: ErrorCode = code
        self.params = {
            name: value if isinstance(value, int) else shorten(value, _MAX_PARAMETER_LENGTH)
            for name, value in params.items()
        }
        super().__init__(TEMPLATES[code].format(**self.params))

    @property
    def status(self) -> int:
        """Status code of the HTTP response."""
        return _HTTP_STATUS.get(self.code, 400)


def list_placeholders(template: str) -> set[str]:
    """Return the names of the parameters of a template.

    >>> sorted(list_placeholders("column {column} of {columns}"))
    ['column', 'columns']
    """
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def shorten(text: str, length: int) -> str:
    """Put a text into one line of at most `length` characters.

    >>> shorten("one two   three", 10)
    'one two...'
    """
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 3]}..."


def round_up_seconds(seconds: float) -> int:
    """Return a duration as a parameter of an error: whole seconds, at least 1.

    >>> round_up_seconds(0.2), round_up_seconds(10.0)
    (1, 10)
    """
    return max(1, math.ceil(seconds))
