"""Draws search trees and search graphs as SVG. Equal input gives equal text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from fourfall.render.svg import BLUE, FAINT, INK, ORANGE

SLOT, LEVEL, MARGIN = 46, 84, 26
_SMALLEST, _LARGEST = 12, 21
_TINT = 0.55


@dataclass(frozen=True)
class DrawnNode:
    """One node of a picture; `value` is the expected result for the side to move at the root, -1 to 1."""

    move: str
    label: str
    value: float
    share: float
    proof: str = ""
    children: list["DrawnNode"] = field(default_factory=list)


@dataclass(frozen=True)
class Placed:
    """A node with its centre in the picture."""

    node: DrawnNode
    x: float
    y: float


def draw_tree(root: DrawnNode, *, title: str, caption: str, slot: int = SLOT) -> str:
    """Draw a tree with the root at the top; a node is larger, the larger its share of the visits.

    `slot` is the width of a leaf.

    >>> draw_tree(DrawnNode("", "1", 0.0, 1.0), title="One node", caption="").count("<circle")
    1
    """
    nodes: list[Placed] = []
    edges: list[tuple[Placed, Placed]] = []
    right = _place(root, 0, 0, slot, nodes, edges)[1]
    width = max(right + 2 * MARGIN, 300)
    shift = (width - right) / 2
    height = max(placed.y for placed in nodes) + 2 * MARGIN + 22
    parts = [*open_picture(width, height, title)]
    for start, end in edges:
        parts.append(draw_edge(start.x + shift, start.y, end.x + shift, end.y, end.node.move))
    parts += [part for placed in nodes for part in draw_node(placed.node, placed.x + shift, placed.y)]
    return "\n".join([*parts, draw_text(width / 2, height - 10, caption, 12, FAINT), "</svg>\n"])


def _place(
    node: DrawnNode, depth: int, left: float, slot: int, nodes: list[Placed], edges: list[tuple[Placed, Placed]]
) -> tuple[Placed, float]:
    """Place a node above the middle of its children; return it and the left end of the free space beside it."""
    children = []
    right = left
    for child in node.children:
        placed, right = _place(child, depth + 1, right, slot, nodes, edges)
        children.append(placed)
    if children:
        x = (children[0].x + children[-1].x) / 2
    else:
        x, right = left + slot / 2, left + slot
    result = Placed(node, x, MARGIN + 14 + depth * LEVEL)
    nodes.append(result)
    edges += [(result, child) for child in children]
    return result, right


def open_picture(width: float, height: float, title: str) -> Iterator[str]:
    """Yield the start of a picture: the opening tag, the title and a white background, readable in a dark theme too."""
    size = f"{_format(width)} {_format(height)}"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" width="{_format(width)}"'
        f' height="{_format(height)}" role="img" font-family="system-ui, sans-serif" text-anchor="middle">'
    )
    yield f"<title>{escape(title)}</title>"
    yield f'<rect width="{_format(width)}" height="{_format(height)}" rx="10" fill="#fff"/>'


def draw_edge(x1: float, y1: float, x2: float, y2: float, label: str) -> str:
    """Return a line with the name of the move near its lower end."""
    x, y = x1 + (x2 - x1) * 0.68, y1 + (y2 - y1) * 0.68
    ends = f'x1="{_format(x1)}" y1="{_format(y1)}" x2="{_format(x2)}" y2="{_format(y2)}"'
    background = f'<circle cx="{_format(x)}" cy="{_format(y)}" r="9" fill="#fff"/>'
    return f'<line {ends} stroke="{FAINT}"/>{background}{draw_text(x, y + 4.5, label, 13, INK)}'


def draw_node(node: DrawnNode, x: float, y: float) -> Iterator[str]:
    """Yield a circle with its label; a proven node has a thick border and its result below."""
    radius = _SMALLEST + (_LARGEST - _SMALLEST) * node.share**0.5
    border = f'stroke="{INK}" stroke-width="3"' if node.proof else f'stroke="{FAINT}"'
    circle = f'cx="{_format(x)}" cy="{_format(y)}" r="{_format(radius)}"'
    yield f'<circle {circle} fill="{mix_colour(node.value)}" {border}/>'
    yield draw_text(x, y + 4.5, node.label, 13, INK)
    if node.proof:
        yield draw_text(x, y + radius + 14, node.proof, 12, INK, "paint-order:stroke;stroke:#fff;stroke-width:4")


def draw_text(x: float, y: float, text: str, size: int, fill: str, style: str = "") -> str:
    """Return a line of text centred at x."""
    attribute = f' style="{style}"' if style else ""
    return f'<text x="{_format(x)}" y="{_format(y)}" font-size="{size}" fill="{fill}"{attribute}>{escape(text)}</text>'


def mix_colour(value: float) -> str:
    """Return a colour between orange (-1), white (0) and blue (1), light enough for dark text.

    >>> mix_colour(0.0)
    '#ffffff'
    """
    target = BLUE if value > 0 else ORANGE
    weight = min(abs(value), 1.0) * _TINT
    channels: Sequence[int] = [int(target[at : at + 2], 16) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(255 + (channel - 255) * weight):02x}" for channel in channels)


def _format(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
