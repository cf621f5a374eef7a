"""Stores the history of the ratings of a ladder in bounded space.

A snapshot has the ratings of all agents after a number of complete pairs of games. Snapshots are stored after every
pair at first, then after every second, fourth, … pair: whenever there are MAX_SNAPSHOTS, every second one is deleted.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from fourfall.arena.ratings import Interval
from fourfall.arena.store import Store

MAX_SNAPSHOTS = 400
_SPARKS = "▁▂▃▄▅▆▇█"
_TREND_PAIRS = 50


@dataclass(frozen=True)
class Snapshot:
    """Ratings in Elo by agent, after a number of complete pairs of games."""

    pairs: int
    time: str
    ratings: dict[str, float]


def compute_stride(pairs: int) -> int:
    """Return after how many pairs a snapshot is stored.

    >>> [compute_stride(pairs) for pairs in (1, 400, 401, 800, 801, 10**6)]
    [1, 1, 2, 2, 4, 4096]
    """
    return 1 << max(0, math.ceil(math.log2(max(pairs, 1) / MAX_SNAPSHOTS)))


def store_snapshot(store: Store, event: int, pairs: int, ratings: Mapping[str, Interval]) -> bool:
    """Store the ratings after this many pairs if it is the turn of a snapshot; return whether it was stored."""
    stride = compute_stride(pairs)
    values = {name: round(rating.value, 1) for name, rating in ratings.items() if math.isfinite(rating.value)}
    if pairs % stride or not values:
        return False
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    time = datetime.now(UTC).isoformat(timespec="seconds")
    with store.transact() as connection:
        connection.execute("DELETE FROM ladder_history WHERE event = ? AND pairs % ? != 0", [event, stride])
        connection.execute("INSERT OR REPLACE INTO ladder_history VALUES (?, ?, ?, ?)", [event, pairs, time, text])
    return True


def load_history(store: Store, event: int) -> list[Snapshot]:
    """Load the snapshots of a ladder, oldest first, aligned; rows that cannot be read are left out."""
    rows = store.query("SELECT pairs, time, ratings FROM ladder_history WHERE event = ? ORDER BY pairs", [event])
    return align_history([snapshot for row in rows if (snapshot := _parse_snapshot(*row)) is not None])


def count_stored_pairs(store: Store, event: int) -> int:
    """Return the number of pairs at the last snapshot, or 0: it changes when the history changes."""
    [(pairs,)] = store.query("SELECT coalesce(max(pairs), 0) FROM ladder_history WHERE event = ?", [event])
    return int(pairs)


def align_history(history: list[Snapshot]) -> list[Snapshot]:
    """Shift earlier snapshots so that an agent that joins does not change the ratings of the others.

    Ratings are relative to the mean of the agents, so a strong newcomer lowers all other ratings. Each snapshot is
    shifted so that the agents that it has in common with the next one have the same mean in both.

    >>> history = [Snapshot(1, "", {"a": 50, "b": -50}), Snapshot(2, "", {"a": 0, "b": -100, "c": 100})]
    >>> align_history(history)[0].ratings
    {'a': 0.0, 'b': -100.0}
    """
    aligned: list[Snapshot] = []
    for snapshot in reversed(history):
        following = aligned[-1].ratings if aligned else {}
        common = snapshot.ratings.keys() & following.keys()
        shift = sum(following[name] - snapshot.ratings[name] for name in common) / max(len(common), 1)
        aligned.append(replace(snapshot, ratings={name: value + shift for name, value in snapshot.ratings.items()}))
    return aligned[::-1]


def compute_trend(history: list[Snapshot], name: str) -> float | None:
    """Return the change of a rating over about the last 100 games of the ladder; None if the agent was not rated.

    >>> history = [Snapshot(pairs, "", {"me": float(pairs)}) for pairs in range(1, 101)]
    >>> compute_trend(history, "me"), compute_trend(history, "you")
    (50.0, None)
    """
    rated = [snapshot for snapshot in history if name in snapshot.ratings]
    if not rated:
        return None
    earlier = [snapshot for snapshot in rated if snapshot.pairs <= history[-1].pairs - _TREND_PAIRS]
    return rated[-1].ratings[name] - (earlier[-1] if earlier else rated[0]).ratings[name]


def draw_sparkline(values: list[float], width: int = 32) -> str:
    """Draw values as a line of block characters, the lowest value as the lowest block.

    >>> draw_sparkline([0, 1, 2, 3, 4, 5, 6, 7]), draw_sparkline([5, 5]), draw_sparkline(list(range(1000)), 4)
    ('▁▂▃▄▅▆▇█', '▄▄', '▁▃▆█')
    """
    if len(values) > width:
        values = [values[round(at * (len(values) - 1) / (width - 1))] for at in range(width)]
    if not values:
        return ""
    low, high = min(values), max(values)
    if low == high:
        return _SPARKS[3] * len(values)
    return "".join(_SPARKS[round((value - low) / (high - low) * (len(_SPARKS) - 1))] for value in values)


def _parse_snapshot(pairs: object, time: object, text: str) -> Snapshot | None:
    try:
        ratings = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None
    if not isinstance(pairs, int) or not isinstance(ratings, dict):
        return None
    numbers = {name: float(value) for name, value in ratings.items() if isinstance(value, int | float)}
    return Snapshot(pairs, str(time), numbers)
