"""Orders the games of a tournament: a pure function of the spec, in pairs of games, round by round.

Games 2k and 2k + 1 are pair k: the same two agents on the same board, each moving first once. A round has one pair of
every pairing of every group that has rounds left, so a stopped tournament is balanced up to one round.

All random numbers are derived from seeds. The board and the opening of a pair depend on the spec's seed, the index of
the pairing in its group and the round, but not on names. Two agents that play the same opponents under the same seed
therefore get the same boards against each opponent, while boards against different opponents are independent. The
seeds of the agents differ between games and between seats, so an engine that plays itself does not repeat one game.
"""

import hashlib
from collections.abc import Iterator, Sequence

from fourfall._core import Board
from fourfall.agents.base import Conditions
from fourfall.arena.game import ScheduledGame, Seat
from fourfall.arena.openings import play_random_opening
from fourfall.arena.spec import Entrant, Spec


def schedule_games(spec: Spec) -> Iterator[ScheduledGame]:
    """Yield the games of a spec in the order in which they are played, numbered from 0."""
    pair = 0
    for turn in range(max(group.pairs for group in spec.groups)):
        for place, group in enumerate(spec.groups):
            if turn >= group.pairs:
                continue
            for pairing, (one, other) in enumerate(group.list_pairings()):
                seed = derive_seed(spec.seed, place, pairing, turn)
                board = choose_starting_board(spec.boards, spec.opening, turn, seed)
                entrants = spec.find_entrant(one), spec.find_entrant(other)
                yield from schedule_pair(
                    pair, entrants, board, seed, sandbox=spec.sandbox, ponder=spec.ponder, group=group.name
                )
                pair += 1


def schedule_pair(
    pair: int,
    entrants: tuple[Entrant, Entrant],
    board: str,
    seed: int,
    *,
    sandbox: bool = True,
    ponder: bool = False,
    group: str = "",
) -> Iterator[ScheduledGame]:
    """Yield the two games of a pair on one board: the first entrant moves first in the first game.

    >>> [game.number for game in schedule_pair(5, (Entrant("a", "level-2"), Entrant("b", "level-4")), "6x7", seed=1)]
    [10, 11]
    """
    for game, order in enumerate((entrants, entrants[::-1])):
        game_seed = derive_seed(seed, game)
        first, second = (
            _make_seat(entrant, sandbox, ponder, derive_seed(game_seed, seat)) for seat, entrant in enumerate(order)
        )
        yield ScheduledGame(2 * pair + game, pair, (first, second), board, game_seed, group)


def count_games(spec: Spec) -> int:
    """Count the games of a spec.

    >>> count_games(Spec.match("seed-000", "seed-002", pairs=50))
    100
    """
    return sum(2 * group.pairs * len(group.list_pairings()) for group in spec.groups)


def choose_starting_board(boards: Sequence[str], opening: int, turn: int, seed: int) -> str:
    """Return the position from which a pair of round `turn` starts; without `boards`, a random official board."""
    board = Board.parse(boards[turn % len(boards)]) if boards else Board.random(seed)
    return play_random_opening(board, opening, seed).notation


def derive_seed(*parts: int) -> int:
    """Return a 32-bit seed that depends on every part and is the same on every machine.

    >>> derive_seed(1, 2) == derive_seed(1, 2) != derive_seed(2, 1)
    True
    """
    digest = hashlib.blake2b(" ".join(map(str, parts)).encode(), digest_size=4).digest()
    return int.from_bytes(digest)


def _make_seat(agent: Entrant, sandbox: bool, ponder: bool, seed: int) -> Seat:
    conditions = Conditions(agent.move_time_s, agent.startup_time_s, agent.memory_mb, sandbox, seed, ponder)
    return Seat(agent.name, agent.address, conditions)
