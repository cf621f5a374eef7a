"""Owns the numbers that keep the server fair: how large, how fast, how long, how many."""

import os
from dataclasses import dataclass, field


def _cores() -> int:
    return len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class Limits:
    """What the server allows; docs/page.md lists it for people.

    `kept_engines` is for how many games the opponent's engine is kept between two moves. `turn_s` is how long an
    analysis runs before it gives way to those that wait. `crowd` is how many analyses and reviews may run or wait.
    """

    body_bytes: int = 16 << 10
    messages_per_s: float = 20.0
    message_burst: int = 60
    requests_per_s: float = 100.0
    request_burst: int = 300
    connections: int = 256
    unsent_messages: int = 200
    games: int = 8
    idle_game_s: float = 600.0
    searching_moves: int = field(default_factory=lambda: max(4, 2 * _cores()))
    analyses: int = field(default_factory=_cores)
    crowd: int = 24
    turn_s: float = 1.0
    snapshot_s: float = 0.12
    hint_s: float = 1.0
    kept_engines: int = 16
    move_memory_mb: int = 32
    analysis_memory_mb: int = 64


MOVE_S = 30.0
"""The longest time for a move."""
ANALYSIS_S = 120.0
"""The longest analysis."""
REVIEW_S = 2.0
"""The longest time for a position in a review."""
LEVEL_S = 5.0
"""How long a level may take for its simulations."""
NODES = 50_000_000
MATCH_GAMES = 200
MATCH_S = 10.0
"""The longest time for a move in a match."""
TEXT_BYTES = 16 << 10
"""The longest text that can be pasted."""
POSITION_LENGTH = 200
"""No position is longer: a board of 12 x 12 with all its stones."""
