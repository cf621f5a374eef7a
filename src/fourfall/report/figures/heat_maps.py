"""Draws the score by board size and by the position of the hole as heat maps.

The stronger the shade of a cell, the higher the score; every cell also has its score in per cent and its number of
games, so the maps can be read without colour.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from fourfall.render import COLUMN_NAMES
from fourfall.report.boards import ZONES, BoardResult, group_by_zone
from fourfall.report.figures.drawing import WIDTH, Figure, make_figure, text
from fourfall.report.model import Report
from fourfall.report.names import shorten
from fourfall.report.words import Words

MAX_AGENTS = 12
_LEFT, _TOP, _GAP = 46, 44, 13
_SMALL, _LARGE = 31, 48  # sides of a cell: of several maps, of one map
_LEVELS = 8  # shades from 0 % to 100 %; the four above 50 % are clearly darker than the four below

Counts = tuple[int, int, int]


@dataclass(frozen=True)
class _Panel:
    """One map: its title, and wins, draws and losses by (row, column) of the grid."""

    title: str
    cells: Mapping[tuple[int, int], Counts]


def list_shown_agents(report: Report) -> list[str | None]:
    """Return whose maps are drawn: the agent in focus, or the first player (None) and the agents, best first."""
    if report.focus.agent is not None:
        return [report.focus.agent]
    ranked = [row.agent for group in report.groups for row in group.standings if row.games]
    return [None, *dict.fromkeys(ranked)][: MAX_AGENTS + 1]


def draw_sizes(report: Report, words: Words) -> list[Figure]:
    """Draw the score by rows and columns of the board; none if all games had one size."""
    rows = sorted({result.rows for result in report.sizes})
    cols = sorted({result.cols for result in report.sizes})
    if len(rows) * len(cols) < 2:
        return []
    panels = []
    for agent in list_shown_agents(report):
        cells = {
            (rows.index(result.rows), cols.index(result.cols)): (result.won, result.drawn, result.lost)
            for result in report.sizes
            if result.agent == agent
        }
        panels.append(_Panel(_name_panel(agent, words), cells))
    labels = [str(row) for row in rows], [str(col) for col in cols]
    return [_draw_panels("board-sizes", panels, labels, words("sizes.caption"))]


def draw_holes(report: Report, words: Words) -> list[Figure]:
    """Draw the score by the position of the hole; none if no board had a hole."""
    if not report.holes:
        return []
    panels = []
    sizes = {(result.rows, result.cols) for result in report.holes}
    for agent in list_shown_agents(report):
        own: list[BoardResult] = [result for result in report.holes if result.agent == agent]
        cells = group_by_zone(own, is_relative=len(sizes) > 1)
        panels.append(_Panel(_name_panel(agent, words), cells))
    if len(sizes) > 1:
        rows = [words("holes.top"), "", "", "", words("holes.bottom")]
        cols = [words("holes.left"), "", "", "", words("holes.right")]
        return [_draw_panels("holes", panels, (rows, cols), words("holes.caption.zones", zones=ZONES))]
    [(height, width)] = sizes
    rows, cols = [str(height - row) for row in range(height)], list(COLUMN_NAMES[:width])
    return [_draw_panels("holes", panels, (rows, cols), words("holes.caption.cells", rows=height, cols=width))]


def _name_panel(agent: str | None, words: Words) -> str:
    return words("boards.first_player") if agent is None else agent


def _draw_panels(name: str, panels: list[_Panel], labels: tuple[list[str], list[str]], caption: str) -> Figure:
    """Draw maps side by side, as many per line as fit; `labels` are those of the rows and of the columns."""
    rows, cols = labels
    size = _LARGE if len(panels) == 1 else _SMALL
    width, height = _LEFT + size * len(cols), _TOP + size * len(rows)
    per_line = max(1, (WIDTH + _GAP) // (width + _GAP)) if len(panels) > 1 else 1
    parts = []
    for at, panel in enumerate(panels):
        x, y = at % per_line * (width + _GAP), at // per_line * (height + _GAP)
        parts.append(f'<g transform="translate({x} {y})">')
        parts.append(text(_LEFT, 10, shorten(panel.title, max(16, size * len(cols) // 8)), "strong", title=panel.title))
        for place, label in enumerate(cols):
            parts.append(text(_LEFT + size * (place + 0.5), _TOP - 10, label, "small", "middle"))
        for place, label in enumerate(rows):
            parts.append(text(_LEFT - 6, _TOP + size * (place + 0.5), label, "small", "end"))
        for row in range(len(rows)):
            for col in range(len(cols)):
                parts += _draw_cell(_LEFT + size * col, _TOP + size * row, size, panel.cells.get((row, col)))
        parts.append("</g>")
    lines = -(-len(panels) // per_line)
    return make_figure(name, lines * (height + _GAP) - _GAP + 4, parts, caption, _describe(panels, caption))


def _draw_cell(x: float, y: float, size: int, counts: Counts | None) -> list[str]:
    if counts is None:
        return [f'<rect class="heat-none" x="{x:g}" y="{y:g}" width="{size}" height="{size}"/>']
    won, drawn, lost = counts
    games = won + drawn + lost
    score = (won + drawn / 2) / games
    level = min(_LEVELS - 1, int(score * _LEVELS))
    middle = x + size / 2
    kind = "heat-low" if level < _LEVELS // 2 else "heat-high"
    return [
        f'<rect class="heat-{level}" x="{x:g}" y="{y:g}" width="{size}" height="{size}"/>',
        f'<text class="figure-text {kind}" x="{middle:g}" y="{y + size / 2 - 1:g}" text-anchor="middle">'
        f"{100 * score:.0f}</text>",
        f'<text class="figure-text {kind}" style="font-size:10px" x="{middle:g}" y="{y + size / 2 + 13:g}"'
        f' text-anchor="middle">{_format_games(games)}</text>',
    ]


def _format_games(games: int) -> str:
    return f"{games}" if games < 10_000 else f"{games / 1000:.0f}k"


def _describe(panels: list[_Panel], caption: str) -> str:
    scores = []
    for panel in panels[:1]:
        total = [sum(counts[at] for counts in panel.cells.values()) for at in range(3)]
        if sum(total):
            scores.append(f"{panel.title}: {100 * (total[0] + total[1] / 2) / sum(total):.0f} %")
    return " ".join([caption, *scores])
