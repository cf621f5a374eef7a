"""Draws the results of each agent as first and as second player."""

from fourfall.arena.event_summary import StandingSummary, WinsDrawsLosses
from fourfall.report.figures.drawing import WIDTH, Figure, draw_legend, line, make_figure, make_name_label, rect, text
from fourfall.report.model import Report
from fourfall.report.numbers import format_counts, format_score
from fourfall.report.results import GroupReport
from fourfall.report.words import Words

MAX_AGENTS = 20
_ROW, _BAR, _TOP, _LEFT, _RIGHT = 48, 15, 28, 286, 60


def draw_sides(report: Report, words: Words) -> list[Figure]:
    """Draw two bars per agent of each group."""
    figures = []
    for number, group in enumerate(report.groups, 1):
        rows = list_side_rows(group, report)
        if rows:
            name = "sides" if len(report.groups) == 1 else f"sides-{number}"
            figures.append(_draw_group(name, group.name, rows[:MAX_AGENTS], words))
    return figures


def list_side_rows(group: GroupReport, report: Report) -> list[StandingSummary]:
    """Return the agents whose results by side are shown: of a large group only the agent in focus."""
    rows = [row for row in group.standings if row.games]
    if report.focus.agent is None or len(rows) <= MAX_AGENTS:
        return rows
    return [row for row in rows if row.agent == report.focus.agent] or rows


def _draw_group(name: str, group: str, rows: list[StandingSummary], words: Words) -> Figure:
    bottom = _TOP + _ROW * len(rows)
    parts = draw_legend([words(key) for key in ("result.won", "result.drawn", "result.lost")], _LEFT, 100)
    middle = _LEFT + (WIDTH - _LEFT - _RIGHT) / 2
    for at, row in enumerate(rows):
        top = _TOP + _ROW * at + 6
        parts.append(make_name_label(2, top + _BAR, row.agent, 22, "start", "strong"))
        for index, (key, results) in enumerate((("side.first", row.first), ("side.second", row.second))):
            y = top + index * (_BAR + 4)
            parts.append(text(_LEFT - 10, y + _BAR / 2, words(key), "small", "end"))
            parts.extend(_draw_bar(y, results))
    parts.append(line(middle, _TOP, middle, bottom, "axis"))
    caption = words("sides.caption") if not group else words("sides.caption.group", group=group)
    listed = "; ".join(
        f"{row.agent}: {words('side.first')} {format_counts(row.first)}, {words('side.second')} "
        f"{format_counts(row.second)}"
        for row in rows
    )
    return make_figure(name, bottom + 4, parts, caption, f"{caption} {listed}")


def _draw_bar(y: float, results: WinsDrawsLosses) -> list[str]:
    games = sum(results)
    if not games:
        return [text(_LEFT, y + _BAR / 2, "-", "small")]
    parts, x = [], float(_LEFT)
    for kind, count in zip(("full", "half", "empty"), results, strict=True):
        width = count / games * (WIDTH - _LEFT - _RIGHT)
        if count:
            parts.append(rect(x, y, width, _BAR, kind))
        x += width
    return [*parts, text(x + 8, y + _BAR / 2, format_score(results))]
