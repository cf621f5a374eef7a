"""Draws heat maps of the census: for each place of the hole, who wins and in how many moves."""

from collections.abc import Callable, Iterable
from functools import partial

from fourfall._core import Score
from fourfall.census import SolvedBoard, list_solved
from fourfall.census.hole_map import collect_holes, format_moves
from fourfall.experiments.census_tables import group_by_size
from fourfall.render import COLUMN_NAMES
from fourfall.render.svg import BLUE, FAINT, INK, ORANGE
from tools.docs.tree_drawing import draw_text, open_picture

CELL, LEFT, TOP, BOTTOM = 44, 30, 26, 30
_PALEST = 0.45
_WHITE_TEXT_FROM = 0.8


def draw_heat_map(boards: Iterable[SolvedBoard], rows: int, cols: int) -> str:
    """Draw the results of a size: "+8" first player wins in 8 moves, "-8" second player, "=" draw, "?" not solved.

    The darkest cells have the quickest wins of the picture.

    >>> drawing = draw_heat_map(list_solved(), 4, 4)
    >>> drawing.count("<rect"), ">+8<" in drawing, ">=<" in drawing
    (17, True, True)
    """
    boards = list(boards)
    scores = collect_holes(boards, rows, cols)
    width, height = LEFT + cols * CELL + 12, TOP + rows * CELL + BOTTOM
    without = next((each.score for each in boards if each.position == f"{rows}x{cols}"), None)
    caption = f"{rows}x{cols}, without a hole: {_format(without)}"
    title = f"Results by place of the hole; {caption}"
    parts = [*open_picture(max(width, 190), height, title)]
    parts += [draw_text(LEFT + (col + 0.5) * CELL, TOP - 9, COLUMN_NAMES[col], 12, FAINT) for col in range(cols)]
    decided = [score.distance or 0 for score in scores.values() if not score.is_draw]
    for row in range(rows):
        parts.append(draw_text(LEFT - 14, TOP + (row + 0.5) * CELL + 4, str(row), 12, FAINT))
        for col in range(cols):
            score = scores.get((row, col))
            parts += _draw_cell(LEFT + col * CELL, TOP + row * CELL, score, _compute_tint(score, decided))
    parts.append(draw_text(max(width, 190) / 2, height - 10, caption, 12, INK))
    return "\n".join([*parts, "</svg>\n"])


def list_heat_maps() -> dict[str, Callable[[], str]]:
    """Return the pictures of all sizes of which at least one board with a hole is solved, by file name."""
    return {
        f"census-{rows}x{cols}.svg": partial(draw_heat_map, boards, rows, cols)
        for (rows, cols), boards in group_by_size(list_solved()).items()
        if any(each.board.hole is not None for each in boards)
    }


def _format(score: Score | None) -> str:
    return "?" if score is None else format_moves(score).replace("-", "\N{MINUS SIGN}")


def _compute_tint(score: Score | None, distances: list[int]) -> float:
    """Return 1 for the quickest win of the picture and `_PALEST` for the slowest."""
    if score is None or score.is_draw or score.distance is None:
        return 0.0
    span = max(distances) - min(distances)
    return 1 - (1 - _PALEST) * (score.distance - min(distances)) / span if span else 1.0


def _draw_cell(x: float, y: float, score: Score | None, tint: float) -> list[str]:
    colour = ORANGE if score is not None and score.is_loss else BLUE
    opacity = f' fill-opacity="{tint:.2f}"' if 0 < tint < 1 else ""
    fill = f'fill="{colour}"{opacity}' if tint else 'fill="#fff"'
    size = CELL - 2
    cell = f'<rect x="{x + 1:g}" y="{y + 1:g}" width="{size}" height="{size}" rx="4" {fill} stroke="{FAINT}"/>'
    return [
        cell,
        draw_text(x + CELL / 2, y + CELL / 2 + 5, _format(score), 15, "#fff" if tint > _WHITE_TEXT_FROM else INK),
    ]
