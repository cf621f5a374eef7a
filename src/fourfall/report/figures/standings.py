"""Draws the standings: one row per agent with its rating and its 95 % interval."""

import math
from collections.abc import Callable, Iterator

from fourfall.arena.event_summary import StandingSummary
from fourfall.arena.tables import format_elo, format_interval
from fourfall.report.figures.drawing import (
    WIDTH,
    Figure,
    choose_ticks,
    line,
    make_figure,
    make_name_label,
    text,
)
from fourfall.report.model import Report
from fourfall.report.words import Words

MAX_AGENTS = 60
_ROW, _TOP, _LEFT, _RIGHT = 26, 12, 206, 172


def draw_standings(report: Report, words: Words) -> list[Figure]:
    """Draw the standings of each group with at least one game."""
    figures = []
    for number, group in enumerate(report.groups, 1):
        rows = [row for row in group.standings if row.games][:MAX_AGENTS]
        if rows:
            name = "standings" if len(report.groups) == 1 else f"standings-{number}"
            figures.append(_draw_group(name, group.name, rows, report.focus.agent, words))
    return figures


def _draw_group(name: str, group: str, rows: list[StandingSummary], focus: str | None, words: Words) -> Figure:
    bottom = _TOP + _ROW * len(rows)
    low, high = _find_range(rows)

    def place(elo: float) -> float:
        return _LEFT + (elo - low) / (high - low) * (WIDTH - _LEFT - _RIGHT)

    parts = []
    for tick in choose_ticks(low, high):
        parts.append(line(place(tick), _TOP - 6, place(tick), bottom, "rule"))
        parts.append(text(place(tick), bottom + 12, format_elo(tick), "small", "middle"))
    for at, row in enumerate(rows):
        y = _TOP + _ROW * (at + 0.5)
        kind = "strong" if row.agent == focus else ""
        parts.append(make_name_label(_LEFT - 14, y, f"{row.rank}. {row.agent}", 23, kind=kind))
        parts.extend(_draw_interval(row, y, place))
        parts.append(text(WIDTH - _RIGHT + 16, y, format_estimate(row), kind))
    parts.append(text(_LEFT + (WIDTH - _LEFT - _RIGHT) / 2, bottom + 30, words("standings.axis"), "small", "middle"))
    listed = "; ".join(f"{row.rank}. {row.agent} {format_estimate(row)}" for row in rows[:10])
    caption = words("standings.caption") if not group else words("standings.caption.group", group=group)
    return make_figure(name, bottom + 40, parts, caption, f"{caption} {listed}")


def _draw_interval(row: StandingSummary, y: float, place: Callable[[float], float]) -> Iterator[str]:
    """Yield the interval with closed ends; an end without a bound is an arrow to the edge of the plot."""
    left, right = _LEFT - 4, WIDTH - _RIGHT + 4
    low = left if row.elo.low is None else place(row.elo.low)
    high = right if row.elo.high is None else place(row.elo.high)
    yield line(low, y, high, y, "interval")
    for x, bound, inwards in ((low, row.elo.low, 6), (high, row.elo.high, -6)):
        if bound is None:
            base = f"{x + inwards:.5g}"
            yield f'<path class="figure-interval" d="M{base} {y - 5:g}L{x:.5g} {y:g}L{base} {y + 5:g}"/>'
        else:
            yield line(x, y - 5, x, y + 5, "interval")
    if row.elo.value is not None:
        yield f'<circle class="figure-dot" cx="{place(row.elo.value):.5g}" cy="{y:g}" r="5.5"/>'


def _find_range(rows: list[StandingSummary]) -> tuple[float, float]:
    """Return the bounds of the axis: all values and finite bounds, with some space, at least 100 Elo."""
    numbers = [bound for row in rows for bound in (row.elo.value, row.elo.low, row.elo.high) if bound is not None] or [
        0.0
    ]
    low, high = min(numbers), max(numbers)
    space = max(0.05 * (high - low), (100 - (high - low)) / 2, 1.0)
    return low - space, high + space


def format_estimate(row: StandingSummary) -> str:
    """Format a rating with its bounds, for example "+40 (+15..+65)"; infinite after a match with a perfect score."""
    return format_interval(row.elo.to_interval(math.inf if row.won else -math.inf))
