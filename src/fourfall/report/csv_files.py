"""Writes games and standings as CSV files for spreadsheets.

The files begin with a byte order mark, because spreadsheet programs otherwise misread names that are not English.
"""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from fourfall.arena.output_file import open_output
from fourfall.arena.tables import replace_control_characters
from fourfall.report.game_rows import DamagedGames, GameRow, read_rows
from fourfall.report.results import GroupReport

_FORMULA_STARTS = ("=", "+", "-", "@")

GAME_COLUMNS = (
    "game", "number", "pair", "group", "first", "second", "result", "ending", "culprit", "stones", "rows", "cols",
    "hole_row", "hole_col", "board", "position", "first_max_ms", "second_max_ms", "first_total_ms", "second_total_ms",
    "first_limit_s", "second_limit_s", "seed", "started", "version", "detail",
)  # fmt: skip
STANDING_COLUMNS = (
    "group", "rank", "agent", "games", "won", "drawn", "lost", "first_won", "first_drawn", "first_lost", "second_won",
    "second_drawn", "second_lost", "score", "score_low", "score_high", "elo", "elo_low", "elo_high", "failures",
)  # fmt: skip

Cell = str | int | float | None


def find_csv_paths(path: Path) -> tuple[Path, Path]:
    """Return the files of the games and of the standings for the value of ``--csv``: a file name, or a folder.

    >>> [found.name for found in find_csv_paths(Path("out.csv"))]
    ['out.csv', 'out-standings.csv']
    >>> [found.as_posix() for found in find_csv_paths(Path("tables"))]
    ['tables/games.csv', 'tables/standings.csv']
    """
    if path.suffix.lower() == ".csv" and not path.is_dir():
        return path, path.with_name(f"{path.stem}-standings.csv")
    return path / "games.csv", path / "standings.csv"


def write_games(path: Path, database: Path, event: int) -> int:
    """Write one row per game, streamed from the database; return the number of rows."""
    count = 0
    with open_output(path, encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(GAME_COLUMNS)
        for row in read_rows(database, event, DamagedGames()):
            writer.writerow([make_safe(cell) for cell in _list_game_cells(row)])
            count += 1
    return count


def write_standings(path: Path, groups: Sequence[GroupReport]) -> None:
    """Write one row per agent and group."""
    with open_output(path, encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(STANDING_COLUMNS)
        for cells in _list_standing_rows(groups):
            writer.writerow([make_safe(cell) for cell in cells])


def make_safe(cell: Cell) -> Cell:
    r"""Return a cell without control characters that no spreadsheet takes for a formula.

    A text that begins like a formula gets an apostrophe in front.

    >>> make_safe("=1+1"), make_safe("bot"), make_safe(-3), make_safe("two\nlines \x1b[2J")
    ("'=1+1", 'bot', -3, 'two lines  [2J')
    """
    if not isinstance(cell, str):
        return cell
    text = cell if cell.isprintable() else replace_control_characters(cell)
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def _list_game_cells(row: GameRow) -> list[Cell]:
    first, second = (row.times_ms[(side - row.opening) % 2 :: 2] for side in (0, 1))
    hole_row, hole_col = (None, None) if row.shape.hole is None else row.shape.hole
    values = row.values
    return [
        row.id,
        row.number,
        row.pair,
        row.group,
        *row.names,
        "1/2-1/2" if row.winner is None else ("1-0", "0-1")[row.winner],
        row.ending,
        "" if row.culprit is None else row.names[row.culprit],
        row.stones,
        row.shape.rows,
        row.shape.cols,
        hole_row,
        hole_col,
        str(values["board"]),
        _join_notation(str(values["board"]), str(values["moves"])),
        *(round(max(times, default=0.0), 3) for times in (first, second)),
        *(round(sum(times), 3) for times in (first, second)),
        *row.move_time_s,
        str(values.get("seed", "")),
        str(values.get("started", "")),
        str(values.get("version", "")),
        str(values.get("detail", "")),
    ]


def _join_notation(board: str, moves: str) -> str:
    """Return the final position; moves alone would be a number, of which a spreadsheet keeps 15 digits.

    >>> _join_notation("6x7", "44"), _join_notation("6x7:4", "4")
    ('6x7:44', '6x7:44')
    """
    return board + (":" if moves and ":" not in board else "") + moves


def _list_standing_rows(groups: Sequence[GroupReport]) -> Iterator[list[Cell]]:
    for group in groups:
        for row in group.standings:
            score, elo = row.score, row.elo
            failures = ", ".join(f"{count} {ending}" for ending, count in sorted(row.failures.items()))
            counts = [row.games, row.won, row.drawn, row.lost, *row.first, *row.second]
            estimates = [score.value, score.low, score.high, elo.value, elo.low, elo.high]
            yield [group.name, row.rank, row.agent, *counts, *estimates, failures]
