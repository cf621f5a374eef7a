"""Collects the time per move of each agent: distribution, slowest moves and share of the limit."""

import heapq
import math
from array import array
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fourfall.report.game_rows import GameRow

_SMALLEST_MS, _LARGEST_MS, _BINS_PER_DECADE = 0.001, 1e7, 40
_BINS = round(math.log10(_LARGEST_MS / _SMALLEST_MS)) * _BINS_PER_DECADE
_BUFFER = 1 << 15
_SLOWEST = 5


@dataclass(frozen=True)
class SlowMove:
    """One of the slowest moves of an agent; `stone` is the number of the stone in the game, from 1."""

    agent: str
    game: int
    stone: int
    time_ms: float
    limit_s: float


@dataclass(frozen=True)
class MoveTimes:
    """Time per move of an agent. Quantiles come from a histogram with bins 6 % wide, so they are exact to 3 %.

    `histogram` lists (low_ms, high_ms, moves), four bins for each factor of ten, without empty bins. `limits_s` are the
    different limits of the agent's games. `max_share` is the largest share of the limit that a move used.
    """

    agent: str
    moves: int
    mean_ms: float
    median_ms: float
    p95_ms: float
    p99_ms: float
    max_ms: float
    limits_s: list[float]
    max_share: float
    histogram: list[tuple[float, float, int]]
    slowest: list[SlowMove]


@dataclass
class _AgentTimes:
    buffer: "array[float]" = field(default_factory=lambda: array("d"))
    counts: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(_BINS, dtype=np.int64))
    moves: int = 0
    total: float = 0.0
    max_share: float = 0.0
    limits: set[float] = field(default_factory=set)
    slowest: list[tuple[float, int, int, float]] = field(default_factory=list)

    def flush(self) -> None:
        values = np.array(self.buffer, dtype=np.float64)
        del self.buffer[:]
        if not len(values):
            return
        positions = np.log10(np.clip(values, _SMALLEST_MS, None) / _SMALLEST_MS) * _BINS_PER_DECADE
        self.counts += np.bincount(np.clip(positions.astype(np.int64), 0, _BINS - 1), minlength=_BINS)
        self.moves += len(values)
        self.total += float(values.sum())


class MoveTimeCollector:
    """Collects the times of all agents; memory grows with the number of agents, not with the games."""

    def __init__(self) -> None:
        self._agents: dict[str, _AgentTimes] = {}

    def add(self, row: GameRow) -> None:
        """Add the times of a game; TypeError if one of them is not a number."""
        for side, name in enumerate(row.names):
            offset = (side - row.opening) % 2
            times = row.times_ms[offset::2]
            if not times:
                continue
            agent = self._agents.get(name)
            if agent is None:
                agent = self._agents[name] = _AgentTimes()
            agent.buffer.extend(times)
            limit = row.move_time_s[side]
            agent.limits.add(limit)
            longest = max(times)
            agent.max_share = max(agent.max_share, longest / (1000 * limit))
            if len(agent.slowest) < _SLOWEST or longest > agent.slowest[0][0]:
                stone = row.opening + offset + 2 * times.index(longest) + 1
                heapq.heappush(agent.slowest, (longest, row.id, stone, limit))
                if len(agent.slowest) > _SLOWEST:
                    heapq.heappop(agent.slowest)
            if len(agent.buffer) >= _BUFFER:
                agent.flush()

    def summarise(self) -> list[MoveTimes]:
        """Return the times of each agent, in the order of the agents' first games."""
        return [_summarise(name, agent) for name, agent in self._agents.items()]


def _summarise(name: str, agent: _AgentTimes) -> MoveTimes:
    agent.flush()
    slowest = sorted(agent.slowest, reverse=True)
    largest = slowest[0][0]
    cumulated = np.cumsum(agent.counts)

    def find_quantile(share: float) -> float:
        place = int(np.searchsorted(cumulated, share * agent.moves))
        return min(largest, _get_edge(place + 0.5))

    per_bin = _BINS_PER_DECADE // 4
    coarse = agent.counts.reshape(-1, per_bin).sum(axis=1)
    histogram = [
        (_get_edge(at * per_bin), _get_edge((at + 1) * per_bin), int(count)) for at, count in enumerate(coarse) if count
    ]
    return MoveTimes(
        agent=name,
        moves=agent.moves,
        mean_ms=round(agent.total / agent.moves, 3),
        median_ms=find_quantile(0.5),
        p95_ms=find_quantile(0.95),
        p99_ms=find_quantile(0.99),
        max_ms=round(largest, 3),
        limits_s=sorted(agent.limits),
        max_share=round(agent.max_share, 6),
        histogram=histogram,
        slowest=[SlowMove(name, game, stone, round(time, 3), limit) for time, game, stone, limit in slowest],
    )


def _get_edge(place: float) -> float:
    return float(f"{_SMALLEST_MS * 10 ** (place / _BINS_PER_DECADE):.4g}")
