"""Draws the win chance over a game as a small SVG graph."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from fourfall.render.svg import BLUE, ORANGE

_WIDTH, _HEIGHT = 480, 120
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 8, 8, 20
MARK_SHAPES = {
    "inaccuracy": "M0 -5L5 4H-5Z",
    "mistake": "M-4 -4H4V4H-4Z",
    "blunder": "M-4 -4L4 4M-4 4L4 -4",
}
"""Triangle, square and cross, with the centre at 0, 0; the shapes differ, so that the colours need not."""


def draw_evaluation_graph(
    chances: Sequence[float | None], *, start: int = 0, marks: Mapping[int, tuple[str, str]] | None = None
) -> str:
    """Draw the win chance of the first player after each stone.

    Args:
        chances: win chances from 0 to 1; the first one belongs to the position after `start` stones. The line has a
            gap where a chance is None.
        start: number of stones of the first position.
        marks: kind of mistake and description of moves by stone number.

    >>> draw_evaluation_graph([0.5, 0.6, 0.1], marks={2: ("blunder", "4 ?? loses 50 %")}).count("<title>")
    2
    """
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
        ' role="img" font-family="system-ui, sans-serif" font-size="11" fill="currentColor"'
        ' style="display:block;max-width:100%;height:auto">',
        "<title>Win chance of the first player after each stone</title>",
        *_draw_axes(start, start + len(chances) - 1),
        *_draw_curve(chances),
        *_draw_mistakes(chances, start, marks or {}),
        "</svg>",
    ]
    return "\n".join(parts)


def _get_x(index: int, count: int) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * index / max(count - 1, 1)


def _get_y(chance: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - chance)


def _draw_axes(first: int, last: int) -> Iterator[str]:
    for chance in (0.0, 0.5, 1.0):
        y = _get_y(chance)
        yield f'<text x="{_LEFT - 6}" y="{y + 4:g}" text-anchor="end">{100 * chance:.0f}%</text>'
        yield (f'<line x1="{_LEFT}" y1="{y:g}" x2="{_WIDTH - _RIGHT}" y2="{y:g}" stroke="currentColor" opacity="0.3"/>')
    count = last - first + 1
    step = max(1, -(-count // 12))
    for stone in range(first, last + 1, step):
        x = _get_x(stone - first, count)
        yield f'<text x="{x:.1f}" y="{_HEIGHT - 5}" text-anchor="middle">{stone}</text>'


def _draw_curve(chances: Sequence[float | None]) -> Iterator[str]:
    """Yield the line, interrupted where a chance is missing."""
    path, is_open = [], False
    for index, chance in enumerate(chances):
        if chance is not None:
            path.append(f"{'L' if is_open else 'M'}{_get_x(index, len(chances)):.1f} {_get_y(chance):.1f}")
        is_open = chance is not None
    yield f'<path d="{"".join(path)}" fill="none" stroke="{BLUE}" stroke-width="2" stroke-linejoin="round"/>'


def _draw_mistakes(chances: Sequence[float | None], start: int, marks: Mapping[int, tuple[str, str]]) -> Iterator[str]:
    for stone, (kind, text) in marks.items():
        chance = chances[stone - start]
        if chance is not None:
            x, y = _get_x(stone - start, len(chances)), _get_y(chance)
            yield (
                f'<path d="{MARK_SHAPES[kind]}" transform="translate({x:.1f} {y:.1f})" fill="{ORANGE}"'
                f' stroke="{ORANGE}" stroke-width="2"><title>{escape(text)}</title></path>'
            )
