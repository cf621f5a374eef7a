"""Random openings with the same number of positions for each number of stones."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from fourfall._core import Board
from fourfall.datasets.settings import Settings, StoneRange

MAX_FAILURES = 100
"""A number of stones is given up when so many attempts in a row give no new position."""

_ALL = StoneRange(0, 143)


@dataclass
class Stratum:
    """Positions of one starting board (None: random official boards) with one number of stones or free cells.

    `failures` is the number of attempts since the last new position.
    """

    start: Board | None
    amount: int
    failures: int = 0


class RandomPositions:
    """Draws random openings; the same settings give the same openings.

    The strata are visited in turn; each is tried until the caller says with `accept_last` that an opening is new.

    >>> openings = RandomPositions(Settings(boards=("6x7",), count=3, stones=StoneRange(4, 5)))
    >>> for board in openings:
    ...     openings.accept_last()
    ...     print(board.ply)
    ...     if openings.attempt >= 3:
    ...         break
    4
    5
    4
    5
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._range = settings.stones or _ALL
        starts: list[Board | None] = [Board.parse(text) for text in settings.boards]
        starts += [None] if settings.official else []
        amounts = range(self._range.least, self._range.most + 1)
        self._strata = [
            Stratum(start, amount)
            for amount in amounts
            for start in starts
            if start is None or start.ply <= _count_stones(start, amount, self._range) < start.geometry.cells
        ]
        self._last: Stratum | None = None
        self.attempt = -1

    def __iter__(self) -> Iterator[Board]:
        """Yield openings until every stratum is exhausted; `attempt` is the number of the last one."""
        while self._strata:
            for stratum in self._strata:
                yield from self._try_stratum(stratum)
            self._strata = [stratum for stratum in self._strata if stratum.failures < MAX_FAILURES]

    def _try_stratum(self, stratum: Stratum) -> Iterator[Board]:
        """Yield openings of a stratum until one is accepted or too many fail."""
        self._last = stratum
        for stratum.failures in range(1, MAX_FAILURES + 1):
            self.attempt += 1
            board = self._draw(stratum)
            if board is not None:
                yield board
                if stratum.failures == 0:
                    return

    def accept_last(self) -> None:
        """Note that the last opening was new."""
        if self._last is not None:
            self._last.failures = 0

    def _draw(self, stratum: Stratum) -> Board | None:
        source = random.Random(f"{self._settings.seed} {self.attempt}")  # noqa: S311 (repeatable, not secret)
        start = Board.random(source.getrandbits(63)) if stratum.start is None else stratum.start
        stones = _count_stones(start, stratum.amount, self._range)
        if not start.ply <= stones < start.geometry.cells:
            return None
        return play_random_moves(start, stones, source, immediate_wins=self._settings.immediate_wins)


def _count_stones(start: Board, amount: int, stones: StoneRange) -> int:
    return start.geometry.cells - amount if stones.is_free else amount


def play_random_moves(start: Board, stones: int, source: random.Random, *, immediate_wins: bool) -> Board | None:
    """Return a position with `stones` stones after random moves, all equally likely; None if no move was left.

    No move ends the game. Without `immediate_wins`, no move leaves the opponent an immediate win either.

    >>> play_random_moves(Board(6, 7), 10, random.Random(1), immediate_wins=False).ply
    10
    """
    board = start.copy()
    for _ in range(stones - start.ply):
        wins = board.winning_moves
        moves = [column for column in (board.legal_moves if immediate_wins else board.safe_moves) if column not in wins]
        if not moves:
            return None
        board.push(source.choice(moves))
    return board
