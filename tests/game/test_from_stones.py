"""Tests `Board.from_stones`, `Board.from_geometry` and `Board.landing_row` against slow references."""

import time
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfall import Board, Geometry, InvalidBoard
from tests.reference import Cell, ReferenceGame
from tests.strategies import Game, Shape, games, shapes


def list_stones(board: Board) -> tuple[list[Cell], list[Cell]]:
    """Return the cells of the first and of the second player."""
    stones: tuple[list[Cell], list[Cell]] = ([], [])
    for row in range(board.rows):
        for col in range(board.cols):
            player = board.stone_at(row, col)
            if player is not None:
                stones[player].append((row, col))
    return stones


def has_legal_order(shape: Shape, columns: tuple[tuple[int, ...], ...], last: int | None = None) -> bool:
    """Take stones back in every possible order until the board is empty; slow and without a bound.

    `columns` has the owners of the stones of each column from the bottom up, `last` the column of the last move.
    """

    def build_game(heights: tuple[int, ...]) -> ReferenceGame:
        game = ReferenceGame(*shape)
        for col, height in enumerate(heights):
            rows = [row for row in reversed(range(shape.rows)) if (row, col) != shape.hole]
            game.stones.update({(rows[i], col): columns[col][i] for i in range(height)})
        return game

    @cache
    def can_be_emptied(heights: tuple[int, ...]) -> bool:
        player = (sum(heights) - 1) % 2
        return sum(heights) == 0 or any(
            can_be_taken_back(heights, col)
            for col, height in enumerate(heights)
            if height and columns[col][height - 1] == player
        )

    def can_be_taken_back(heights: tuple[int, ...], col: int) -> bool:
        before = (*heights[:col], heights[col] - 1, *heights[col + 1 :])
        return not build_game(before).winning_cells() and can_be_emptied(before)

    full = tuple(map(len, columns))
    if last is None:
        return can_be_emptied(full)
    return columns[last][-1:] == ((sum(full) - 1) % 2,) and can_be_taken_back(full, last)


@st.composite
def stone_columns(draw: st.DrawFn) -> tuple[Shape, tuple[tuple[int, ...], ...]]:
    """Draw a small board and stones without free cells below them, as many of each player as a game has."""
    shape = draw(shapes(max_side=5))
    heights = [
        draw(st.integers(0, min(4, shape.rows - (shape.hole is not None and shape.hole[1] == col))))
        for col in range(shape.cols)
    ]
    total = sum(heights)
    owners = iter(draw(st.permutations([0] * ((total + 1) // 2) + [1] * (total // 2))))
    return shape, tuple(tuple(next(owners) for _ in range(height)) for height in heights)


def place_stones(shape: Shape, columns: tuple[tuple[int, ...], ...]) -> tuple[list[Cell], list[Cell]]:
    """Return the cells of the stones in the columns, for each player."""
    stones: tuple[list[Cell], list[Cell]] = ([], [])
    for col, owners in enumerate(columns):
        rows = [row for row in reversed(range(shape.rows)) if (row, col) != shape.hole]
        for row, player in zip(rows, owners, strict=False):
            stones[player].append((row, col))
    return stones


@given(games())
def test_stones_of_a_game_are_reconstructed(game: Game) -> None:
    """The board has the same stones, turn and outcome, and the given last stone."""
    board = game.board()
    first, second = list_stones(board)
    rebuilt = Board.from_stones(board.geometry, first, second, board.last_cell)
    assert rebuilt == board
    assert (rebuilt.turn, rebuilt.ply, rebuilt.last_cell) == (board.turn, board.ply, board.last_cell)
    assert rebuilt.outcome() == board.outcome()
    assert Board.parse(rebuilt.notation) == board


@given(games())
def test_the_last_stone_may_be_unknown(game: Game) -> None:
    """Without the last stone the board has the same stones and the same result."""
    board = game.board()
    first, second = list_stones(board)
    rebuilt = Board.from_stones(board.geometry, first[::-1], second[::-1])
    assert rebuilt == board
    assert rebuilt.is_over == board.is_over


@settings(max_examples=300)
@given(stone_columns(), st.data())
def test_exactly_the_reachable_stones_are_accepted(
    drawn: tuple[Shape, tuple[tuple[int, ...], ...]], data: st.DataObject
) -> None:
    """A set of stones is refused if and only if the exhaustive reference finds no order of moves."""
    shape, columns = drawn
    first, second = place_stones(shape, columns)
    last = data.draw(st.none() | st.sampled_from([*first, *second]) if first else st.none())
    is_top = last is None or last[0] == min(row for row, col in (*first, *second) if col == last[1])
    expected = is_top and has_legal_order(shape, columns, None if last is None else last[1])
    try:
        board = Board.from_stones(Geometry(*shape), first, second, last)
    except InvalidBoard:
        assert not expected
    else:
        assert expected
        assert list_stones(board) == (sorted(first), sorted(second))
        assert last is None or board.last_cell == last


BOTTOM = [(5, col) for col in range(7)]


@pytest.mark.parametrize(
    ("first", "second", "last", "message"),
    [
        ([(6, 0)], [], None, r"stone \(6, 0\) is off the 6x7@0,6 board: rows count 0\.\.5 and columns 0\.\.6"),
        ([(0, -1)], [], None, r"stone \(0, -1\) is off the 6x7@0,6 board"),
        ([(0, 6)], [], None, r"stone \(0, 6\) is on the hole"),
        ([(5, 0)], [(5, 0)], None, r"stone \(5, 0\) is given twice"),
        ([(4, 0)], [], None, r"stone \(4, 0\) is above a free cell"),
        ([], [(5, 0)], None, "the first player has 0 stones and the second 1; the first player must have"),
        (BOTTOM[:2], [], None, "the first player has 2 stones and the second 0"),
        ([(5, 0)], [], (5, 1), r"the last stone \(5, 1\) is not one of the stones"),
        ([], [], (5, 1), r"the last stone \(5, 1\) is not one of the stones"),
        ([(5, 0)], [(4, 0)], (5, 0), r"the last stone \(5, 0\) is below another stone"),
        ([(5, 0)], [(5, 1)], (5, 0), "belongs to the first player, but the second player moved last"),
        ([(4, 0)], [(5, 0)], None, "the second player moved last, but has no stone on top of a column"),
        (BOTTOM[:4], [(4, col) for col in range(4)], None, "the first player has four in a row$"),
        (BOTTOM[:5], [(4, col) for col in range(4)], None, "the second player has four in a row$"),
        (
            [*BOTTOM[:4], (4, 5)],
            [(4, 0), (4, 1), (4, 2), (5, 5)],
            (4, 5),
            "has four in a row without it",
        ),
        ([*BOTTOM[:4], (4, 5)], [(4, 0), (4, 1), (4, 2), (4, 3), (5, 5)], None, "the first player has four in a row$"),
        (
            [*BOTTOM[:4], (4, 5)],
            [(4, 0), (4, 1), (5, 5), (3, 5)],
            (4, 5),
            r"the last stone \(4, 5\) is below another stone",
        ),
        ([(4, 0), (4, 1)], [(5, 0), (5, 1)], None, "moved last, but has no stone on top"),
        ([(4, 0), (3, 0)], [(5, 0), (2, 0)], None, "no legal order of moves leads to these stones"),
    ],
)
def test_unreachable_stones_are_refused_with_the_reason(
    first: list[Cell], second: list[Cell], last: Cell | None, message: str
) -> None:
    """The message says which stone is wrong, or why no game leads to the stones."""
    with pytest.raises(InvalidBoard, match=message):
        Board.from_stones(Geometry(6, 7, hole=(0, 6)), first, second, last)


def test_a_four_without_any_possible_last_stone_is_refused() -> None:
    """Two separate fours cannot both come from the last move."""
    first = [*[(5, col) for col in range(4)], *[(5, col) for col in range(8, 12)]]
    second = [(4, 0), (4, 1), (4, 2), (3, 0), (3, 1), (3, 2), (4, 9)]
    with pytest.raises(InvalidBoard, match="the first player has four in a row without any stone on top of a column"):
        Board.from_stones(Geometry(6, 12), first, second)


def test_a_position_with_too_many_orders_is_refused_in_time() -> None:
    """The second player owns the whole bottom row, so no order exists; the search stops at its bound."""
    stones: tuple[list[Cell], list[Cell]] = ([], [])
    for col in (0, 1, 2, 4, 5, 6, 8, 9, 10):
        for height, player in enumerate([1, 0, 0, 1] * 3):
            stones[player].append((11 - height, col))
    start = time.process_time()
    with pytest.raises(InvalidBoard, match="found no legal order of moves for these stones in 200000 attempts"):
        Board.from_stones(Geometry(12, 12), *stones)
    assert time.process_time() - start < 2


@given(shapes())
def test_a_geometry_makes_an_empty_board(shape: Shape) -> None:
    """`from_geometry` gives the same board as the constructor, and so do no stones."""
    geometry = Geometry(*shape)
    board = Board.from_geometry(geometry)
    assert board == Board(*shape) == Board.from_stones(geometry, [], [])
    assert (board.geometry, board.ply) == (geometry, 0)


@given(games())
def test_landing_rows_are_those_of_the_reference(game: Game) -> None:
    """Every column names its landing row, also after the end of the game; a full column has none."""
    board = game.board()
    landing = {col: row for row, col in game.reference().landing_cells()}
    assert [board.landing_row(col) for col in range(board.cols)] == [landing.get(col) for col in range(board.cols)]


@pytest.mark.parametrize("column", [-1, 7, 100])
def test_a_column_off_the_board_has_no_landing_row(column: int) -> None:
    """The error names the columns that exist."""
    with pytest.raises(IndexError, match=rf"column {column} is off the board: columns count 0\.\.6"):
        Board(6, 7).landing_row(column)
