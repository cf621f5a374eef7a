"""Owns the order of a tournament's games: a pure function of the spec, always in pairs, round by round.

Games 2k and 2k + 1 are the pair k: the same two agents on the same board, each once first. A round has one pair of every
pairing of every group that has rounds left, so a tournament that was stopped is balanced up to one round.

Randomness is derived, never drawn: a pair's board and opening come from the spec's seed, the number of its pairing in
the group and its round, and not from names. So two bots that challenge the same field under the same seed get the same
boards against every opponent, while the boards against different opponents are independent of each other. The seeds
of the agents differ from game to game and from seat to seat: an engine that meets itself does not play one game twice.
"""

import hashlib
import random
from collections.abc import Iterator

from fourfall._core import Board
from fourfall.agents.base import Terms
from fourfall.arena.game import ScheduledGame, Seat
from fourfall.arena.judge import landing_row
from fourfall.arena.reading import SpecError
from fourfall.arena.spec import Spec

_ATTEMPTS = 1000


def schedule(spec: Spec) -> Iterator[ScheduledGame]:
    """Yield the games of a spec in the order in which they are to be played, numbered from 0."""
    pair = 0
    for turn in range(max(group.pairs for group in spec.groups)):
        for place, group in enumerate(spec.groups):
            if turn >= group.pairs:
                continue
            for meeting, (one, other) in enumerate(group.pairings()):
                seed = derived(spec.seed, place, meeting, turn)
                board = starting_board(spec, turn, seed)
                for game, names in enumerate(((one, other), (other, one))):
                    own = derived(seed, game)
                    seats = (_seat(spec, names[0], derived(own, 0)), _seat(spec, names[1], derived(own, 1)))
                    yield ScheduledGame(2 * pair + game, pair, seats, board, own, group.name)
                pair += 1


def count(spec: Spec) -> int:
    """Count the games of a spec.

    >>> from fourfall.arena.spec import match_spec
    >>> count(match_spec("seed-000", "seed-002", 50))
    100
    """
    return sum(2 * group.pairs * len(group.pairings()) for group in spec.groups)


def starting_board(spec: Spec, turn: int, seed: int) -> str:
    """Return the position from which a pair begins."""
    board = Board.parse(spec.boards[turn % len(spec.boards)]) if spec.boards else Board.random(seed)
    return opened(board, spec.opening, seed).notation


def opened(board: Board, moves: int, seed: int) -> Board:
    """Return the board after random moves that neither end the game nor leave a win at once to whoever is next.

    >>> opened(Board.parse("6x7"), 4, seed=1).notation == opened(Board.parse("6x7"), 4, seed=1).notation
    True
    >>> opened(Board.parse("4x4"), 16, seed=1)
    Traceback (most recent call last):
    fourfall.arena.reading.SpecError: opening = 16: no quiet opening of that length on 4x4
    """
    source = random.Random(seed)  # noqa: S311 (a schedule must be repeatable, not secret)
    for _ in range(_ATTEMPTS if moves else 1):
        trial = board.copy()
        for _ in range(moves):
            quiet = [column for column in range(board.cols) if _stays_quiet(trial, column)]
            if not quiet:
                break
            trial.push(source.choice(quiet))
        else:
            return trial
    raise SpecError(f"opening = {moves}: no quiet opening of that length on {board.notation}")


def derived(*parts: int) -> int:
    """Make a seed of 32 bits that depends on every part: the same on every machine, and short enough to type.

    >>> derived(1, 2) == derived(1, 2) != derived(2, 1)
    True
    """
    digest = hashlib.blake2b(" ".join(map(str, parts)).encode(), digest_size=4).digest()
    return int.from_bytes(digest)


def _stays_quiet(board: Board, column: int) -> bool:
    if not board.is_legal(column):
        return False
    board.push(column)
    try:
        threats = board.threats(board.turn)
        return not board.is_over and not any(landing_row(board, col) == row for row, col in threats)
    finally:
        board.pop()


def _seat(spec: Spec, name: str, seed: int) -> Seat:
    agent = spec.entrant(name)
    terms = Terms(agent.move_s, agent.startup_s, agent.memory_mb, spec.sandbox, seed)
    return Seat(name, agent.address, terms)
