"""Collects the positions of a data set into its staging file, each position and its mirror image once."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from fourfall.arena.jsonl import read_games
from fourfall.arena.judge import Ending
from fourfall.arena.record import GameRecord
from fourfall.arena.store import Store
from fourfall.datasets.errors import DatasetError
from fourfall.datasets.random_positions import RandomPositions
from fourfall.datasets.settings import Settings
from fourfall.datasets.staging import StagedPosition, StagingFile
from fourfall.datasets.stones import get_stone_sets, hash_position, list_stone_sets

Report = Callable[[int], None]
"""Called with the number of positions found so far."""

_PRUNE_ROWS = 100_000
_REPORT_EVERY = 256
_MASK = 2**64 - 1


def collect_positions(settings: Settings, staging: StagingFile, report: Report) -> None:
    """Write the positions that the settings describe into the staging file: all of them or none."""
    with staging.collect():
        if settings.games is None:
            collect_random_positions(settings, staging, report)
        else:
            collect_game_positions(settings, staging, report)
        total, _ = staging.count()
        if total == 0:
            raise DatasetError("no position fits these options; choose another range of stones, board or event")
    report(total)


def collect_random_positions(settings: Settings, staging: StagingFile, report: Report) -> None:
    """Add random openings until there are enough or no further ones are found."""
    found = 0
    openings = RandomPositions(settings)
    for board in openings:
        position_hash = hash_position(board.geometry, get_stone_sets(board))
        attempt = openings.attempt
        if staging.add_new(StagedPosition(attempt, position_hash, board.notation, attempt)):
            openings.accept_last()
            found += 1
            if found == settings.count:
                return
            if found % _REPORT_EVERY == 0:
                report(found)


def collect_game_positions(settings: Settings, staging: StagingFile, report: Report) -> None:
    """Add positions of games: all, or a random sample in which every position has the same probability.

    The rank of a position is its hash, permuted by the seed, and the sample is the positions with the lowest ranks.
    Positions above the current limit are dropped on the way, so that the file stays small.
    """
    limit: int | None = None
    waiting: list[StagedPosition] = []
    for games, (number, record) in enumerate(_list_games(settings), 1):
        positions = list_game_positions(number, record, settings)
        waiting += (position for position in positions if limit is None or position.rank <= limit)
        if len(waiting) >= _PRUNE_ROWS:
            staging.add_or_count(waiting)
            waiting.clear()
            limit = None if settings.count is None else staging.keep_first(settings.count)
        if games % _REPORT_EVERY == 0:
            report(games)
    staging.add_or_count(waiting)
    if settings.count is not None:
        staging.keep_first(settings.count)


def _list_games(settings: Settings) -> Iterator[tuple[int, GameRecord]]:
    """Yield the games with their numbers in the database or in the file."""
    path = Path(settings.games or "")
    if not settings.has_database:
        if settings.event is not None:
            raise DatasetError(f"{path}: an event needs a database, this is a file with games")
        yield from ((record.number, record) for record in read_games(path))
        return
    with Store(path, read_only=True) as store:
        yield from ((game.id, game.record) for game in store.find_games(settings.event))


def list_game_positions(number: int, record: GameRecord, settings: Settings) -> Iterable[StagedPosition]:
    """Yield the unfinished positions of a game that are in the range of the settings, from the first one.

    The result counts only if the game ended on the board, not by a failure of an agent or a resignation.
    """
    board = record.final_board
    geometry, moves, cells = board.geometry, board.moves, board.geometry.cells
    head, _, text = board.notation.partition(":")
    counts = record.ending in (Ending.WIN, Ending.TIE)
    last = board.ply - 1 if board.is_over else board.ply
    for ply, sets in enumerate(list_stone_sets(geometry, moves)):
        if ply > last:
            break
        if settings.stones is not None and not settings.stones.contains(cells, ply):
            continue
        position_hash = hash_position(geometry, sets)
        results = _count_result(record.winner, ply % 2) if counts else (0, 0, 0)
        notation = f"{head}:{text[:ply]}" if ply else head
        yield StagedPosition(permute(position_hash, settings.seed), position_hash, notation, number, results)


def _count_result(winner: int | None, player: int) -> tuple[int, int, int]:
    return (int(winner == player), int(winner is None), int(winner == 1 - player))


def permute(position_hash: int, seed: int) -> int:
    """Return a signed 64-bit number that depends on a hash and the seed; different hashes give different numbers.

    >>> permute(1, 7) != permute(1, 8), permute(1, 7) == permute(1, 7)
    (True, True)
    """
    mixed = _mix((position_hash & _MASK) ^ _mix(seed))
    return mixed - 2**64 if mixed >= 2**63 else mixed


def _mix(value: int) -> int:
    """Apply the finaliser of SplitMix64, a permutation of the 64-bit numbers."""
    value = (value + 0x9E3779B97F4A7C15) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)
