"""Tables of the census: results by size, comparison with published results, parities of the hole."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from fourfall.arena.tables import Grid
from fourfall.census import SolvedBoard, list_boards
from fourfall.census.hole_map import collect_holes, format_moves
from fourfall.experiments.census_parity import (
    RESULTS,
    Comparison,
    HoleBoard,
    compare_parities,
    get_result,
    list_hole_boards,
    name_parity,
)
from fourfall.experiments.census_published import agrees_with_published, find_last_stone, find_tromp_result
from fourfall.render import COLUMN_NAMES

Size = tuple[int, int]

_WINNERS = {"first": "first player", "draw": "draw", "second": "second player"}


def group_by_size(boards: Iterable[SolvedBoard]) -> dict[Size, list[SolvedBoard]]:
    """Return the solved boards of each size, ordered by cells and rows."""
    sizes: dict[Size, list[SolvedBoard]] = defaultdict(list)
    for solved in boards:
        sizes[solved.board.rows, solved.board.cols].append(solved)
    return dict(sorted(sizes.items(), key=lambda item: (item[0][0] * item[0][1], item[0])))


def tabulate_sizes(boards: Iterable[SolvedBoard]) -> Grid:
    """Tabulate for each size: the result without a hole, and how many places of the hole have which result."""
    rows = []
    for (height, width), solved in group_by_size(boards).items():
        without = next((format_moves(each.score) for each in solved if each.board.hole is None), "?")
        holes = Counter(get_result(each) for each in solved if each.board.hole is not None)
        total = sum(1 for _ in list_boards(height, width)) - 1
        complete = sum(each.has_all_columns for each in solved)
        counts = [str(holes[result]) for result in RESULTS]
        rows.append(
            (f"{height}x{width}", without, *counts, f"{holes.total()} of {total}", f"{complete} of {total + 1}")
        )
    header = ("size", "without a hole", "first player", "draw", "second player", "holes solved", "with all columns")
    return Grid(header, tuple(rows), frozenset({"size"}), "Results by size; + and - with the moves of the winner")


def tabulate_published(boards: Iterable[SolvedBoard]) -> Grid:
    """Tabulate our results without a hole beside the published ones."""
    rows = []
    for (height, width), solved in group_by_size(boards).items():
        for each in solved:
            if each.board.hole is not None:
                continue
            tromp = {"+": "first", "=": "draw", "-": "second"}.get(find_tromp_result(height, width) or "", "")
            last = find_last_stone(height, width)
            agrees = agrees_with_published(height, width, each.score)
            rows.append(
                (
                    f"{height}x{width}",
                    _WINNERS.get(tromp, "none"),
                    str(last or "none"),
                    _WINNERS[get_result(each)],
                    str(each.score.distance),
                    "yes" if agrees else "NO",
                )
            )
    header = ("size", "Tromp", "Steininger: last stone", "census", "census: last stone", "agrees")
    names = frozenset({"size", "Tromp", "census", "agrees"})
    return Grid(header, tuple(rows), names, "Boards without a hole beside the published results")


def tabulate_parities(boards: Iterable[SolvedBoard]) -> Grid:
    """Tabulate the results by parity, with the p-value of the exact test within sizes."""
    rows: list[tuple[str, ...]] = []
    for comparison in compare_parities(list_hole_boards(boards)):
        for name, counts in (("even", comparison.even), ("odd", comparison.odd)):
            if not counts.total():
                continue
            shown = [str(counts[result]) for result in RESULTS]
            p_value = format_p_value(comparison) if name == "even" else ""
            rows.append((comparison.group, f"{comparison.number} {name}", *shown, p_value))
    header = ("boards", "parity", "first player", "draw", "second player", "p")
    return Grid(header, tuple(rows), frozenset({"boards", "parity"}), "Boards with a hole: winner and parity")


def tabulate_map(boards: Iterable[SolvedBoard], rows: int, cols: int) -> Grid:
    """Tabulate the result for each place of the hole, as in `format_moves`; "?" is not solved."""
    scores = collect_holes(boards, rows, cols)
    cells = [[scores.get((row, col)) for col in range(cols)] for row in range(rows)]
    shown = [tuple("?" if score is None else format_moves(score) for score in line) for line in cells]
    header = ("row", *COLUMN_NAMES[:cols])
    return Grid(
        header, tuple((str(row), *line) for row, line in enumerate(shown)), title=f"{rows}x{cols} by place of the hole"
    )


def format_p_value(comparison: Comparison) -> str:
    """Write a p-value; "" if the test does not apply."""
    value = comparison.p_value
    if value is None:
        return ""
    return f"{value:.3f}" if value >= 0.001 else f"{value:.0e}"


def list_exceptions(boards: Iterable[SolvedBoard]) -> dict[str, list[HoleBoard]]:
    """List, for each parity of the table, the boards whose result is not the most frequent one of that parity."""
    groups: dict[str, list[HoleBoard]] = defaultdict(list)
    for board in list_hole_boards(boards):
        columns = "" if board.rows % 2 == 0 else f", {name_parity(board.cols)} columns"
        groups[f"{name_parity(board.rows)} rows{columns}, {name_parity(board.below)} below"].append(board)
    return {name: _find_exceptions(members) for name, members in sorted(groups.items())}


def _find_exceptions(members: Sequence[HoleBoard]) -> list[HoleBoard]:
    usual, _ = Counter(member.result for member in members).most_common(1)[0]
    return [member for member in members if member.result != usual]
