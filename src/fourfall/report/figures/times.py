"""Draws the distribution of the time per move of each agent on a logarithmic axis."""

import math

from fourfall.report.figures.drawing import WIDTH, Figure, line, make_figure, make_name_label, rect, text
from fourfall.report.model import Report
from fourfall.report.move_times import MoveTimes
from fourfall.report.numbers import format_time
from fourfall.report.words import Words

MAX_AGENTS = 20
_ROW, _TOP, _LEFT, _RIGHT = 40, 14, 206, 24


def draw_times(report: Report, words: Words) -> list[Figure]:
    """Draw one histogram per agent, the agent in focus first."""
    rows = sort_times(report)[:MAX_AGENTS]
    if not rows:
        return []
    low = math.floor(math.log10(min(row.histogram[0][0] for row in rows)) + 1e-9)
    limits = [1000 * limit for row in rows for limit in row.limits_s]
    high = math.log10(max([row.histogram[-1][1] for row in rows] + limits)) + 0.08
    bottom = _TOP + _ROW * len(rows)

    def place(milliseconds: float) -> float:
        return _LEFT + (math.log10(milliseconds) - low) / (high - low) * (WIDTH - _LEFT - _RIGHT)

    parts = []
    for decade in range(low, math.floor(high) + 1):
        x = place(10**decade)
        parts += [
            line(x, _TOP - 6, x, bottom, "rule"),
            text(x, bottom + 12, format_time(10**decade), "small", "middle"),
        ]
    for at, row in enumerate(rows):
        base = _TOP + _ROW * (at + 1) - 3
        kind = "strong" if row.agent == report.focus.agent else ""
        parts.append(make_name_label(_LEFT - 14, base - _ROW / 2 + 6, row.agent, 23, kind=kind))
        highest = max(count for _, _, count in row.histogram)
        for left, right, count in row.histogram:
            height = max(1.0, count / highest * (_ROW - 10))
            x = place(left)
            parts.append(rect(x + 0.5, base - height, place(right) - x - 1, height, "full"))
        parts.append(line(_LEFT, base, WIDTH - _RIGHT, base, "axis"))
        for limit in row.limits_s:
            parts.append(line(place(1000 * limit), base - _ROW + 6, place(1000 * limit), base, "limit"))
    parts.append(text(_LEFT + (WIDTH - _LEFT - _RIGHT) / 2, bottom + 30, words("times.axis"), "small", "middle"))
    caption = words("times.caption")
    listed = "; ".join(f"{row.agent}: {format_time(row.median_ms)}, {format_time(row.max_ms)}" for row in rows)
    return [make_figure("times", bottom + 40, parts, caption, f"{caption} {words('times.text')} {listed}")]


def sort_times(report: Report) -> list[MoveTimes]:
    """Return the times of the agents: the agent in focus first, then in the order of the standings."""
    ranked = [row.agent for group in report.groups for row in group.standings]
    places = {agent: place for place, agent in reversed(list(enumerate(ranked)))}
    return sorted(report.times, key=lambda row: (row.agent != report.focus.agent, places.get(row.agent, len(places))))
