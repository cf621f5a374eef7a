"""Draws the pictures of the documentation into docs/images: `make pictures`."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from fourfall import Board
from fourfall.render import draw_svg
from tools.docs.census_pictures import list_heat_maps
from tools.docs.search_pictures import draw_growth, draw_proof, draw_transposition

IMAGES = Path(__file__).parents[2] / "docs" / "images"


def draw_position(notation: str) -> str:
    """Draw a position on a white background, readable in a dark theme too."""
    head, title_end, rest = draw_svg(Board.parse(notation)).partition("</title>")
    return f'{head}{title_end}\n<rect width="100%" height="100%" rx="10" fill="#fff"/>{rest}\n'


PICTURES: dict[str, Callable[[], str]] = {
    "rules-hole.svg": partial(draw_position, "6x7@4,3:4444"),
    "rules-row.svg": partial(draw_position, "6x7:1122334"),
    "rules-diagonal.svg": partial(draw_position, "6x7:12233434464"),
    "rules-line-with-hole.svg": partial(draw_position, "6x7@5,2:1122445"),
    "rules-threat.svg": partial(draw_position, "6x7:33445"),
    "tree-10.svg": partial(draw_growth, 10, 1),
    "tree-100.svg": partial(draw_growth, 100, 3),
    "tree-1000.svg": partial(draw_growth, 1000, 40),
    "proof-position.svg": partial(draw_position, "6x7:574755774277"),
    "proof-before.svg": partial(draw_proof, 46),
    "proof-after.svg": partial(draw_proof, 47),
    "transposition.svg": partial(draw_transposition, 1000),
    **list_heat_maps(),
}


def main() -> None:
    """Write all pictures."""
    for name, draw in PICTURES.items():
        (IMAGES / name).write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
