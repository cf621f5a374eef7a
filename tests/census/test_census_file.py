"""Tests of the reader: lines, errors, lookup of reflected boards and of boards with one stone."""

from pathlib import Path

import pytest

from fourfall import Board, Score
from fourfall.census import CensusError, find_solved, list_solved, parse_census, read_census, write_census
from fourfall.census.notation import format_line, parse_line


def test_file_is_written_and_read_unchanged(tmp_path: Path) -> None:
    """A census keeps all results as text and compressed, and is ordered by cells and rows."""
    boards = list(list_solved())[:40]
    for name in ("census.txt", "census.txt.xz"):
        write_census(tmp_path / name, reversed(boards))
        assert read_census(tmp_path / name) == boards
    assert (tmp_path / "census.txt").read_text().startswith("# Exact results")
    assert (tmp_path / "census.txt.xz").read_bytes()[:4] == b"\xfd7zX"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("4x4", "c.txt:2: 0 results; must be 1 or 5: the board and its columns"),
        ("4x4 =:1 =:1", "c.txt:2: 2 results; must be 1 or 5: the board and its columns"),
        ("3x4 =:1", "c.txt:2: board '3x4': "),
        ("4x4:1 =:1", "c.txt:2: board '4x4:1': must be empty"),
        ("4x4 +0:1", "c.txt:2: result '+0:1': must be a score"),
        ("4x4 7:1", "c.txt:2: result '7:1': must be a score"),
        ("4x4 +7:1215", "c.txt:2: result '+7:1215': the columns are 1..4"),
        ("4x4@0,3 =:1", "c.txt:2: 4x4@0,3: the same board as on line 1, or its reflection"),
    ],
)
def test_error_names_line_and_part(line: str, message: str) -> None:
    """A damaged file is reported with the line and what is wrong in it."""
    with pytest.raises(CensusError) as caught:
        parse_census(f"4x4@0,0 =:12\n{line}\n", "c.txt")
    assert message in str(caught.value)


@pytest.mark.parametrize("data", [b"\xfd7zXZ\x00damaged", b"\xff\xfe4x4"])
def test_file_that_is_no_text_is_reported(tmp_path: Path, data: bytes) -> None:
    """A damaged compressed file and bytes that are no text name the file."""
    (tmp_path / "c.txt.xz").write_bytes(data)
    with pytest.raises(CensusError, match=r"c\.txt\.xz: not a text file"):
        read_census(tmp_path / "c.txt.xz")


def test_reflected_board_has_reflected_columns() -> None:
    """The columns of a board with the hole in the right half are those of its reflection, in reversed order."""
    left, right = find_solved(Board(4, 5, hole=(3, 0))), find_solved(Board(4, 5, hole=(3, 4)))
    assert left is not None
    assert right is not None
    assert [column.score for column in right.columns] == [column.score for column in reversed(left.columns)]
    assert [column.column for column in right.columns] == [0, 1, 2, 3, 4]
    assert right.mirror() == left
    assert right.pv == tuple(4 - move for move in left.pv)


def test_board_with_one_stone_has_the_result_of_its_column() -> None:
    """After the first stone the score is that of the column for the other side, one ply shorter."""
    empty, after = find_solved(Board.parse("4x5@3,0")), find_solved(Board.parse("4x5@3,0:2"))
    assert empty is not None
    assert after is not None
    assert empty.columns[1].score == Score.win(19)
    assert (after.score, after.columns, after.winner) == (Score.loss(18), (), 0)
    assert after.pv == empty.columns[1].pv[1:]
    assert not after.has_all_columns


def test_unknown_boards_are_not_found() -> None:
    """A size that is not in the file, and a board with two stones."""
    assert find_solved(Board(12, 12)) is None
    assert find_solved(Board.parse("4x4:11")) is None


def test_unsolved_columns_are_left_out() -> None:
    """A board of which one column is not solved has the others, and cannot become an analysis."""
    line = "4x4@3,0 +13:1 +13:1 ? =:3 =:4"
    solved = parse_line(line)
    assert [column.column for column in solved.columns] == [0, 2, 3]
    assert format_line(solved) == line
    assert solved.play(1) is None
    with pytest.raises(ValueError, match="results of all columns"):
        solved.to_analysis()
