"""Decides whether the moves of a game depend on the speed of the machine."""

from functools import cache

from fourfall import presets
from fourfall.agents.address import parse_address
from fourfall.agents.levels import LEVELS
from fourfall.agents.native import compute_search_time_s
from fourfall.arena.game import ScheduledGame
from fourfall.arena.record import GameRecord


def is_timed(game: ScheduledGame) -> bool:
    """Whether time limits the search of a player; third-party agents may look at the clock, so they count as timed."""
    return any(is_timed_agent(seat.address) for seat in game.seats)


@cache
def is_timed_agent(address: str) -> bool:
    """Whether time limits an agent's search.

    >>> is_timed_agent("fourfall"), is_timed_agent("fourfall?simulations=100"), is_timed_agent("level-20")
    (True, False, False)
    >>> is_timed_agent("python:bot.py"), is_timed_agent("seed-002?simulations=100&time=1")
    (True, True)
    """
    parsed = parse_address(address)
    if parsed.kind or "time" in parsed.options:
        return True
    if "simulations" in parsed.options or parsed.target in LEVELS:
        return False
    config = presets.load(parsed.target).config
    return config.simulations is None or config.move_time_s is not None


def depends_on_speed(game: ScheduledGame, record: GameRecord) -> bool:
    """Whether the speed of the machine could change a finished game: it is timed, or a move reached its time limit."""
    if is_timed(game):
        return True
    limits_ms = [1000 * compute_search_time_s(seat.conditions.move_time_s) for seat in game.seats]
    first = record.final_board.ply - len(record.moves)
    return any(time_ms >= limits_ms[(first + move) % 2] for move, time_ms in enumerate(record.times_ms))
