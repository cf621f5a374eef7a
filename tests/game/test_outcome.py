"""Tests the ends of games: lines of four or more, full boards, and both with a hole."""

import pytest

from fourfall import Board
from tests.reference import Cell

LAST_CELL_WINS = {
    "4x4:3314212134241234": 1,
    "4x4@3,0:343332424221411": 0,
    "5x5@2,2:314435434412221322155551": 1,
    "6x7:371674536743224664352465711623117147355522": 1,
    "4x12@0,11:262293a25b19a798b8ac41695b346a36b434c1871857c57": 0,
}
DRAWS = (
    "4x4:4433334222211114",
    "4x4@0,0:413314314342222",
    "6x7:453476614772177447235634666335555222211311",
    "9x12@4,5:1c2bc774bb48a2bc5aaa84c398a53a6688a95b65514a96b66413a1888536581765512c1971974b72c32914b24427999c7bc7"
    "322c333",
    "12x12:318998cc1ac225b9ab511c4aa4711397c9bc7a42978bc871a61722397463b55b27864475446142244634551ab771aa622b12a75"
    "a96a52ccc53bb3338bb65888358c6698c96683993",
    "12x12@11,11:b68bb87a44311ba189b76c764bb715559172222ac44953ab359cc4665c1aa2b9662777c16a754bbb97aa54184279a3966"
    "6842a6244355ca7c32135115882288c1888c99c3993333",
)


def get_result(board: Board) -> tuple[int | None, list[Cell]]:
    """Return winner and winning cells of a finished game."""
    outcome = board.outcome()
    assert outcome is not None
    return outcome.winner, outcome.cells


@pytest.mark.parametrize(("position", "winner"), LAST_CELL_WINS.items(), ids=range(len(LAST_CELL_WINS)))
def test_four_on_the_last_cell_wins(position: str, winner: int) -> None:
    """If the stone that fills the board completes four, the game is a win, not a draw."""
    board = Board.parse(position)
    assert board.ply == board.geometry.cells
    assert get_result(board)[0] == winner
    assert board.last_cell in get_result(board)[1]
    assert board.pop() in board.winning_moves


@pytest.mark.parametrize("position", DRAWS, ids=range(len(DRAWS)))
def test_full_board_without_four_is_a_draw(position: str) -> None:
    """The game ends without a winner when the last cell is filled, and not earlier."""
    board = Board.parse(position)
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.is_draw
    assert get_result(board) == (None, [])
    assert repr(outcome) == "<Outcome: draw>"
    assert board.legal_moves == []
    board.pop()
    assert board.outcome() is None
    assert len(board.legal_moves) == 1


@pytest.mark.parametrize(
    ("position", "columns"),
    [
        ("6x7:112244553", [0, 1, 2, 3, 4]),
        ("6x7:11223355664", [0, 1, 2, 3, 4, 5]),
        ("6x7:1122335566774", [0, 1, 2, 3, 4, 5, 6]),
    ],
)
def test_all_stones_of_longer_lines_are_winning_cells(position: str, columns: list[int]) -> None:
    """Five, six and seven in a row win, and all their stones are winning cells."""
    assert get_result(Board.parse(position)) == (0, [(5, col) for col in columns])


def test_cells_of_four_simultaneous_lines() -> None:
    """A stone that completes a row, a column and both diagonals gives the thirteen cells of all four lines."""
    board = Board.parse("7x7:3534127151253123725225761454261356133777676664")
    row = {(3, 0), (3, 1), (3, 2), (3, 3)}
    column = {(3, 3), (4, 3), (5, 3), (6, 3)}
    falling = {(2, 2), (3, 3), (4, 4), (5, 5)}
    rising = {(3, 3), (2, 4), (1, 5), (0, 6)}
    assert get_result(board) == (1, sorted(row | column | falling | rising))


def test_row_interrupted_by_the_hole_is_not_a_four() -> None:
    """Two stones on each side of the hole do not win, and the hole is not a threat."""
    board = Board.parse("6x7@5,3:2233556")
    assert [board.stone_at(5, col) for col in range(7)] == [None, 0, 0, None, 0, 0, None]
    assert not board.is_over
    assert board.threats(0) == []
    assert get_result(Board.parse("6x7:2233554")) == (0, [(5, col) for col in range(1, 5)])


def test_column_interrupted_by_the_hole_is_not_a_four() -> None:
    """Two stones below the hole and two above it do not win."""
    moves = "1212121"
    board = Board.parse(f"8x7@5,0:{moves}")
    assert [board.stone_at(row, 0) for row in range(8)] == [None, None, None, 0, 0, None, 0, 0]
    assert not board.is_over
    assert board.threats(0) == []
    assert get_result(Board.parse(f"8x7:{moves}")) == (0, [(4, 0), (5, 0), (6, 0), (7, 0)])


def test_four_above_the_hole_wins() -> None:
    """Four stones that begin directly above the hole win."""
    board = Board.parse("8x7@6,0:211213131")
    assert get_result(board) == (0, [(2, 0), (3, 0), (4, 0), (5, 0)])


@pytest.mark.parametrize("rows", [4, 9, 12])
@pytest.mark.parametrize("place", ["bottom", "middle", "top"])
def test_stones_fall_past_the_hole(rows: int, place: str) -> None:
    """Stones in the hole's column fill all other cells from the bottom up; then the column is full."""
    hole = {"bottom": rows - 1, "middle": rows // 2, "top": 0}[place]
    board = Board(rows, 5, hole=(hole, 2))
    landed = []
    while board.is_legal(2):
        board.push(2)
        landed.append(board.last_cell)
    assert landed == [(row, 2) for row in reversed(range(rows)) if row != hole]
    assert board.legal_moves == [0, 1, 3, 4]
    assert board.stone_at(hole, 2) is None
    assert board.planes()[2, hole, 2] == 0
