"""Plays rounds like the course's console judge and writes its result file format."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fourfall._core import Board
from fourfall.agents.base import Conditions
from fourfall.arena.game import OpenAgent, ScheduledGame, Seat, play_game
from fourfall.arena.judge import Ending
from fourfall.arena.record import GameRecord

TIE, A_WINS, B_WINS = 0, 1, 2

# Codes of failures: of A, of B.
_FAILURES = {
    Ending.CRASH: (3, 5),
    Ending.BROKEN_PROTOCOL: (3, 5),
    Ending.MEMORY_EXCEEDED: (3, 5),
    Ending.ILLEGAL_MOVE: (4, 6),
    Ending.TIMEOUT: (7, 8),
    Ending.CANNOT_LOAD: (-1, -2),
    Ending.INTERFACE_MISSING: (-3, -4),
}
_WINS_OF_A = {A_WINS, 5, 6, 8}
_WINS_OF_B = {B_WINS, 3, 4, 7}


@dataclass(frozen=True)
class CompeteResult:
    """One game as in the result file: its code and the total thinking times of A and B in milliseconds."""

    code: int
    time_a_ms: int
    time_b_ms: int
    record: GameRecord

    @property
    def line(self) -> str:
        """The game's line in the file."""
        return f"{self.code}\t{self.time_a_ms}\t{self.time_b_ms}\n"


def play_rounds(
    addresses: tuple[str, str], rounds: int, open_agent: OpenAgent, conditions: Conditions, seed: int
) -> Iterator[tuple[CompeteResult, CompeteResult]]:
    """Play rounds of two games on a random official board: A moves first in the first game, B in the second."""
    boards = random.Random(seed)  # noqa: S311 (a game, not a secret)
    a, b = (Seat(name, address, conditions) for name, address in zip("AB", addresses, strict=True))
    for number in range(rounds):
        board = Board.random(boards.getrandbits(64)).notation
        first, second = (
            make_result(play_game(ScheduledGame(2 * number + game, number, seats, board, seed), open_agent))
            for game, seats in enumerate(((a, b), (b, a)))
        )
        yield first, second


def make_result(record: GameRecord) -> CompeteResult:
    """Convert the record of a game between A and B."""
    a = record.names.index("A")
    times = [round(sum(record.times_ms[player::2])) for player in (0, 1)]
    return CompeteResult(find_code(record, a), times[a], times[1 - a], record)


def find_code(record: GameRecord, a: int) -> int:
    """Return the code of a game in which A is player `a` (0 or 1).

    >>> from fourfall.arena.record import EXAMPLE
    >>> find_code(EXAMPLE, 0), find_code(EXAMPLE, 1)
    (1, 2)
    """
    if record.ending in _FAILURES:
        return _FAILURES[record.ending][record.culprit != a]
    if record.winner is None:
        return TIE
    return A_WINS if record.winner == a else B_WINS


def format_round(number: int, results: Sequence[CompeteResult]) -> str:
    """Write a round as in the result file; rounds are numbered from 0."""
    return f"{number}:\n{''.join(result.line for result in results)}\n"


def format_statistics(codes: Sequence[int]) -> str:
    """Write the statistics at the end of the result file; games with negative codes count for neither agent.

    >>> print(format_statistics([1, 2, 0, 7, 8, 5]), end="")
    Stat:
    ratio of A wins : 0.5
    ratio of B wins : 0.333333
    ratio of Tie : 0.166667
    <BLANKLINE>
    ratio of (A wins + tie) : 0.666667
    ratio of (B wins + tie) : 0.5
    """
    count = Counter("A" if code in _WINS_OF_A else "B" if code in _WINS_OF_B else code for code in codes)
    a, b, tie = (count[key] / len(codes) for key in ("A", "B", TIE))
    # Six digits without trailing zeros, as C++ prints a double.
    return (
        f"Stat:\nratio of A wins : {a:g}\nratio of B wins : {b:g}\nratio of Tie : {tie:g}\n\n"
        f"ratio of (A wins + tie) : {a + tie:g}\nratio of (B wins + tie) : {b + tie:g}\n"
    )
