"""Writes the tables and pictures of docs/census.md from the data file of the census: `make pictures`."""

import re
from collections.abc import Callable
from pathlib import Path

from fourfall.census import SolvedBoard, list_boards, list_sizes, list_solved
from fourfall.experiments.census import MAX_CELLS
from fourfall.experiments.census_tables import (
    group_by_size,
    list_exceptions,
    tabulate_parities,
    tabulate_published,
    tabulate_sizes,
)
from fourfall.experiments.markdown import format_grid
from tools.docs.census_pictures import list_heat_maps

PAGE = Path(__file__).parents[2] / "docs" / "census.md"
_BLOCK = re.compile(r"(<!-- begin (\w+) -->\n).*?(<!-- end \2 -->)", re.DOTALL)
_MAX_NAMED = 40


def write_maps(boards: list[SolvedBoard]) -> str:
    """Write the pictures of all sizes, and which sizes of a full run are incomplete or missing."""
    pictures, incomplete = [], []
    by_size = group_by_size(boards)
    for (rows, cols), solved in by_size.items():
        name, total = f"census-{rows}x{cols}.svg", sum(1 for _ in list_boards(rows, cols))
        if name in list_heat_maps():
            pictures.append(f"![Winner and moves on {rows}x{cols} for each place of the hole](images/{name})")
        if len(solved) < total:
            incomplete.append(f"{rows}x{cols} ({len(solved)} of {total} boards)")
    missing = [f"{rows}x{cols}" for rows, cols in list_sizes(MAX_CELLS) if (rows, cols) not in by_size]
    note = f"\n\nIncomplete sizes: {', '.join(incomplete)}." if incomplete else ""
    if missing:
        note += f"\n\nNot solved, of the sizes with at most {MAX_CELLS} cells: {', '.join(missing)}."
    return "\n".join(pictures) + note


def write_exceptions(boards: list[SolvedBoard]) -> str:
    """List the boards that differ from the usual result of their parity."""
    lines = []
    for group, members in list_exceptions(boards).items():
        named = ", ".join(f"`{board.position}` {board.result}" for board in members[:_MAX_NAMED])
        more = f" and {len(members) - _MAX_NAMED} more" if len(members) > _MAX_NAMED else ""
        lines.append(f"- {group}: {named or 'none'}{more}")
    return "\n".join(lines)


BLOCKS: dict[str, Callable[[list[SolvedBoard]], str]] = {
    "sizes": lambda boards: format_grid(tabulate_sizes(boards)),
    "published": lambda boards: format_grid(tabulate_published(boards)),
    "parities": lambda boards: format_grid(tabulate_parities(boards)),
    "exceptions": write_exceptions,
    "maps": write_maps,
}


def update(page: str) -> str:
    """Return the page with all generated blocks written again."""
    boards = list(list_solved())

    def write(block: re.Match[str]) -> str:
        return f"{block[1]}\n{BLOCKS[block[2]](boards)}\n\n{block[3]}"

    return _BLOCK.sub(write, page)


def main() -> None:
    """Update the page."""
    PAGE.write_text(update(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
