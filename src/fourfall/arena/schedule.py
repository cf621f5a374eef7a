"""Owns the order of a tournament's games: a pure function of the spec, always in pairs, round by round.

Games 2k and 2k + 1 are the pair k: the same two agents on the same board, each once first. A round has one pair
of every pairing of every group that has rounds left, so a tournament that was stopped is balanced up to one round.

Randomness is derived, never drawn: a pair's board and opening come from the spec's seed, the number of its pairing in
the group and its round, and not from names. So two bots that challenge the same field under the same seed get the same
boards against every opponent, while the boards against different opponents are independent of each other. The seeds
of the agents differ from game to game and from seat to seat: an engine that meets itself does not play one game twice.
"""

import hashlib
from collections.abc import Iterator

from fourfall._core import Board
from fourfall.agents.base import Conditions
from fourfall.arena.game import ScheduledGame, Seat
from fourfall.arena.opening import opened
from fourfall.arena.spec import Spec


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


def derived(*parts: int) -> int:
    """Make a seed of 32 bits that depends on every part: the same on every machine, and short enough to type.

    >>> derived(1, 2) == derived(1, 2) != derived(2, 1)
    True
    """
    digest = hashlib.blake2b(" ".join(map(str, parts)).encode(), digest_size=4).digest()
    return int.from_bytes(digest)


def _seat(spec: Spec, name: str, seed: int) -> Seat:
    agent = spec.entrant(name)
    conditions = Conditions(agent.move_time_s, agent.startup_time_s, agent.memory_mb, spec.sandbox, seed)
    return Seat(name, agent.address, conditions)
