"""Tests that the statements of docs/census.md about holes are true for every board of the data file."""

import pytest

from fourfall.census import list_solved
from fourfall.experiments.census_parity import HoleBoard, list_hole_boards

BOARDS = list_hole_boards(list_solved())


def select(*, even_rows: bool, even_below: bool, even_columns: bool | None = None) -> list[HoleBoard]:
    """Return the boards of a group."""
    return [
        board
        for board in BOARDS
        if (board.rows % 2 == 0) == even_rows
        and (board.below % 2 == 0) == even_below
        and even_columns in (None, board.cols % 2 == 0)
    ]


def test_first_player_wins_with_even_rows_and_even_below() -> None:
    """There is no exception."""
    boards = select(even_rows=True, even_below=True)
    assert len(boards) >= 65
    assert {board.result for board in boards} == {"first"}


def test_exceptions_with_even_rows_are_draws_near_the_bottom() -> None:
    """With at least five columns, one cell is below the hole, and the hole is in a middle column."""
    boards = select(even_rows=True, even_below=False)
    exceptions = [board for board in boards if board.result != "first"]
    assert {board.result for board in exceptions} == {"draw"}
    assert len(exceptions) < len(boards) / 3
    for board in exceptions:
        column = int(board.position.split(",")[1])
        assert board.cols == 4 or (board.below == 1 and column == (board.cols - 1) // 2), board


@pytest.mark.parametrize(("even_below", "usual"), [(True, "draw"), (False, "first")])
def test_odd_rows_and_even_columns_have_two_exceptions_below_eight_columns(even_below: bool, usual: str) -> None:
    """One board of each parity differs, both on 5x6 with the hole in the first column."""
    boards = select(even_rows=False, even_below=even_below, even_columns=True)
    exceptions = [board.position for board in boards if board.result != usual and board.cols < 8]
    assert exceptions == ["5x6@0,0" if even_below else "5x6@3,0"]


def test_first_player_wins_on_five_rows_and_eight_columns() -> None:
    """5x8 does not follow the rule of the smaller sizes."""
    boards = [board for board in BOARDS if (board.rows, board.cols) == (5, 8)]
    assert len(boards) == 20
    assert {board.result for board in boards} == {"first"}


def test_second_player_wins_only_with_odd_rows_and_columns_and_odd_below() -> None:
    """Every win of the second player with a hole is in one group."""
    wins = [board for board in BOARDS if board.result == "second"]
    assert wins
    assert [board for board in wins if not (board.rows % 2 and board.cols % 2 and board.below % 2)] == []


def test_wins_need_the_last_stones() -> None:
    """More than nine in ten won games leave at most four cells free; only one leaves more than six."""
    free = {
        solved.board.notation: solved.board.geometry.cells - solved.score.distance
        for solved in list_solved()
        if solved.score.distance is not None and not solved.score.is_draw
    }
    assert sum(cells <= 4 for cells in free.values()) > 0.9 * len(free)
    assert {board: cells for board, cells in free.items() if cells > 6} == {"6x7@5,3": 10}
