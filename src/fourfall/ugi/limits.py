"""Converts the arguments of `go` to the limit of a search."""

from dataclasses import dataclass

from fourfall import Board, Limit
from fourfall.agents.time_control import compute_move_time_s
from fourfall.ugi.commands import MAX_NUMBER, CommandError, Go
from fourfall.ugi.options import Options

_MAX_OVERHEAD_SHARE = 0.2
_MAX_TIME_S = 1e6


@dataclass(frozen=True)
class SearchLimit:
    """When a search ends: the limit of the engine, and the depth at which the search is stopped."""

    limit: Limit | None
    depth: int | None = None


def compute_search_limit(go: Go, board: Board, options: Options) -> SearchLimit:
    """Return the limit of a search; the first limit reached ends it.

    Without arguments, the limits of the preset apply. A level never searches more than its number of simulations.

    >>> compute_search_limit(Go(movetime_ms=500), Board(6, 7), Options()).limit
    Limit(time=0.49, simulations=None)
    >>> compute_search_limit(Go(times_ms=(None, 500)), Board(6, 7), Options())
    Traceback (most recent call last):
    fourfall.ugi.commands.CommandError: go: player 1 is to move, but p1time is missing
    """
    simulations = min((number for number in (go.nodes, options.max_simulations) if number is not None), default=None)
    if go == Go() and simulations is None:
        return SearchLimit(None)
    clock_time_s = _compute_clock_time_s(go, board, options)
    times_s = [time_s for time_s in (clock_time_s, _convert_to_s(go.movetime_ms)) if time_s is not None]
    if not times_s and simulations is None:  # only a depth, or infinite
        return SearchLimit(Limit(simulations=MAX_NUMBER), go.depth)
    time_s = _subtract_overhead(min(times_s), options.move_overhead_ms) if times_s else None
    return SearchLimit(Limit(time_s, simulations), go.depth)


def _compute_clock_time_s(go: Go, board: Board, options: Options) -> float | None:
    """Return the time for this move that the clock of the side to move allows; None without clocks."""
    if go.times_ms == (None, None):
        return None
    left_ms = go.times_ms[board.turn]
    if left_ms is None:
        player = board.turn + 1
        raise CommandError(f"go: player {player} is to move, but p{player}time is missing")
    left_s = max(0, left_ms - options.move_overhead_ms) / 1000
    free_cells = board.geometry.cells - board.ply
    move_time_s = compute_move_time_s(left_s, go.increments_ms[board.turn] / 1000, free_cells, go.moves_to_go)
    return min(move_time_s, _MAX_TIME_S)


def _convert_to_s(time_ms: int | None) -> float | None:
    return None if time_ms is None else min(time_ms / 1000, _MAX_TIME_S)


def _subtract_overhead(time_s: float, overhead_ms: int) -> float:
    return time_s - min(overhead_ms / 1000, _MAX_OVERHEAD_SHARE * time_s)
