"""Tests Board and Geometry as Python objects: comparison, copies, pickling, planes and invalid arguments."""

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given

from fourfall import Board, Geometry, IllegalMove, InvalidBoard, rollouts
from tests.strategies import Game, Shape, games, shapes

COPIES: list[Callable[[Board], Board]] = [
    Board.copy,
    copy.copy,
    copy.deepcopy,
    lambda board: pickle.loads(pickle.dumps(board)),  # noqa: S301
]


@given(shapes())
def test_new_board_is_empty_and_has_its_shape(shape: Shape) -> None:
    """Rows, columns, hole and geometry are those given to the constructor."""
    board = Board(*shape)
    assert (board.rows, board.cols, board.hole) == shape
    assert board.geometry == Geometry(*shape)
    assert board.geometry.cells == shape.cells
    assert (board.ply, board.turn, board.moves, board.last_cell) == (0, 0, [], None)


@pytest.mark.parametrize(("one", "other"), [("6x7:1234", "6x7:3412"), ("9x9@8,0:1526", "9x9@8,0:2615")])
def test_boards_compare_and_hash_by_position(one: str, other: str) -> None:
    """Two orders of moves that lead to the same stones give equal boards, hashes and keys."""
    boards = Board.parse(one), Board.parse(other)
    assert boards[0].moves != boards[1].moves
    assert boards[0] == boards[1]
    assert hash(boards[0]) == hash(boards[1])
    assert boards[0].key == boards[1].key
    assert len(set(boards)) == 1


@pytest.mark.parametrize("other", ["6x7", "6x7:4455", "6x7:445", "6x7:54", "7x6:44", "6x7@0,0:44", "6x7@0,1:44"])
def test_boards_with_other_stones_or_shape_differ(other: str) -> None:
    """Boards with different stones, sizes or holes are not equal."""
    board = Board.parse("6x7:44")
    assert board != Board.parse(other)
    assert len({board, Board.parse(other)}) == 2


def test_empty_boards_of_different_shapes_hash_differently() -> None:
    """The hash depends on the shape."""
    every = [Board(rows, cols) for rows in range(4, 13) for cols in range(4, 13)]
    assert len({hash(board) for board in every}) == len(every)


def test_board_is_not_equal_to_other_types() -> None:
    """Comparison with an object of another type gives False."""
    things: list[object] = [None, "6x7", 67, Geometry(6, 7)]
    assert Board(6, 7) not in things


@given(games())
def test_key_depends_on_the_position(game: Game) -> None:
    """The key has 64 bits, changes with each move and is restored when the move is taken back."""
    board = game.board()
    key = board.key
    assert 0 <= key < 2**64
    for col in board.legal_moves:
        board.push(col)
        assert board.key != key
        board.pop()
    assert board.key == key


@pytest.mark.parametrize("duplicate", COPIES, ids=["method", "copy", "deepcopy", "pickle"])
def test_copies_are_equal_and_independent(duplicate: Callable[[Board], Board]) -> None:
    """A copy has the same moves; a move on one of the boards does not change the other."""
    board = Board.parse("10x11@4,7:6655")
    other = duplicate(board)
    assert other == board
    assert other.moves == board.moves
    other.push(0)
    assert board.notation == "10x11@4,7:6655"
    board.pop()
    assert other.notation == "10x11@4,7:66551"


@given(games())
def test_pickling_preserves_the_board(game: Game) -> None:
    """Pickling preserves the position, the moves and the outcome."""
    board = game.board()
    again = pickle.loads(pickle.dumps(board))  # noqa: S301
    assert (again, again.moves, again.outcome()) == (board, board.moves, board.outcome())


def test_geometries_compare_hash_and_pickle_by_value() -> None:
    """Equal geometries are equal dictionary keys, and pickling and repr preserve them."""
    every = [Geometry(rows, cols) for rows in range(4, 13) for cols in range(4, 13)]
    every += [Geometry(9, 12, hole=(row, col)) for row in range(9) for col in range(12)]
    assert len(set(every)) == len(every)
    for geometry in every:
        assert pickle.loads(pickle.dumps(geometry)) == geometry  # noqa: S301
        assert {eval(repr(geometry)): 1}[geometry] == 1  # noqa: S307


def test_equal_outcomes_have_equal_hashes() -> None:
    """Two equal outcomes are one element of a set."""
    outcomes = [Board.parse("6x7:1212121").outcome() for _ in range(2)]
    assert outcomes[0] == outcomes[1]
    assert len(set(outcomes)) == 1


def test_pickling_preserves_outcomes_and_counts() -> None:
    """Outcomes and rollout counts can be sent between processes."""
    for position in ("6x7:1212121", "6x7:1122334"):
        outcome = Board.parse(position).outcome()
        assert pickle.loads(pickle.dumps(outcome)) == outcome  # noqa: S301
    counts = rollouts(Board(6, 7), 1000, seed=1)
    assert repr(pickle.loads(pickle.dumps(counts))) == repr(counts)  # noqa: S301


@given(games())
def test_mirror_reflects_hole_and_moves(game: Game) -> None:
    """Every cell of the mirrored game equals its reflection, and mirroring twice gives the original game."""
    board = game.board()
    mirrored = board.mirror()
    assert mirrored.geometry == board.geometry.mirror()
    assert mirrored.moves == [board.cols - 1 - col for col in board.moves]
    assert np.array_equal(mirrored.planes(), board.planes()[:, :, ::-1])
    assert mirrored.mirror().moves == board.moves
    assert board.geometry.is_symmetric == (mirrored.geometry == board.geometry)


@given(games())
def test_planes_agree_with_the_board(game: Game) -> None:
    """The planes have ones for own stones, the opponent's stones, landing cells and the hole."""
    board = game.board()
    planes = board.planes()
    assert planes.shape == (4, board.rows, board.cols)
    assert planes.dtype == np.float32
    expected = np.zeros_like(planes)
    for row in range(board.rows):
        for col in range(board.cols):
            stone = board.stone_at(row, col)
            if stone is not None:
                expected[int(stone != board.turn), row, col] = 1
            if board.hole == (row, col):
                expected[3, row, col] = 1
    for col in board.legal_moves:
        board.push(col)
        assert board.last_cell is not None
        expected[2][board.last_cell] = 1
        board.pop()
    assert np.array_equal(planes, expected)


def test_planes_are_a_new_array_each_time() -> None:
    """Writing into the planes changes no other array, and the array stays valid after the board is deleted."""
    board = Board.parse("6x7:44")
    first, second = board.planes(), board.planes()
    first[:] = 9
    del board
    assert second.sum() == 2 + 7
    assert not np.shares_memory(first, second)


def test_lists_are_new_each_time() -> None:
    """Changing a list returned by the board does not change the board."""
    board = Board.parse("6x7:44")
    board.moves.clear()
    board.legal_moves.clear()
    assert (board.moves, len(board.legal_moves)) == ([3, 3], 7)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.int64, np.uint64])
def test_numpy_integers_are_accepted_as_columns(kind: type[np.integer]) -> None:
    """A column may be any NumPy integer."""
    board = Board(6, 7)
    board.push(kind(3))  # type: ignore[arg-type]
    assert board.is_legal(kind(3))  # type: ignore[arg-type]
    assert board.moves == [3]


def test_pop_and_peek_fail_without_moves() -> None:
    """Both raise IndexError and leave the board usable."""
    board = Board(6, 7)
    for method in (board.pop, board.peek):
        with pytest.raises(IndexError, match="the board has no moves"):
            method()
    board.push(3)
    assert board.peek() == 3


@pytest.mark.parametrize(
    ("position", "column", "message"),
    [
        ("6x7:44", -1, "column -1 is off the board"),
        ("6x7:44", 7, "column 7 is off the board"),
        ("6x7:444444", 3, "column 3 is full"),
        ("4x4@0,1:222", 1, "column 1 is full"),
        ("6x7:1212121", 5, "the game is over"),
        ("4x4:4433334222211114", 0, "the game is over"),
    ],
)
def test_illegal_move_is_refused_without_effect(position: str, column: int, message: str) -> None:
    """IllegalMove, a ValueError, gives the reason; the board is unchanged."""
    board = Board.parse(position)
    assert not board.is_legal(column)
    with pytest.raises(IllegalMove, match=message) as caught:
        board.push(column)
    assert isinstance(caught.value, ValueError)
    assert (board, board.notation) == (Board.parse(position), position)


@pytest.mark.parametrize("thing", [1.0, np.float64(1), "1", None])
def test_invalid_column_type_is_refused_without_effect(thing: object) -> None:
    """Floats and strings are refused; the board is unchanged."""
    board = Board.parse("6x7:44")
    with pytest.raises(TypeError):
        board.push(thing)  # type: ignore[arg-type]
    assert board.notation == "6x7:44"


@pytest.mark.parametrize("kind", [Board, Geometry])
@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (Shape(3, 99), "4 to 12 rows, not 3"),
        (Shape(6, 99), "4 to 12 columns, not 99"),
        (Shape(13, 4), "not 13"),
        (Shape(-6, 7), "not -6"),
        (Shape(6, 7, (6, 0)), r"hole \(6, 0\) is off the 6x7 board"),
        (Shape(6, 7, (0, 7)), r"hole \(0, 7\) is off"),
        (Shape(6, 7, (-1, 3)), r"hole \(-1, 3\) is off"),
        (Shape(6, 7, (3, -1)), r"hole \(3, -1\) is off"),
    ],
)
def test_invalid_shape_is_refused(kind: type[Board | Geometry], shape: Shape, message: str) -> None:
    """Sides outside 4 to 12 and holes off the board raise InvalidBoard, which is a ValueError."""
    with pytest.raises(InvalidBoard, match=message) as caught:
        kind(*shape)
    assert isinstance(caught.value, ValueError)


def test_invalid_cells_and_players_are_refused() -> None:
    """Cells off the board raise IndexError, players other than 0 and 1 ValueError."""
    board = Board(6, 7)
    for cell in ((-1, 0), (0, -1), (6, 0), (0, 7)):
        with pytest.raises(IndexError):
            board.stone_at(*cell)
    for player in (-1, 2):
        with pytest.raises(ValueError, match="0 or 1"):
            board.threats(player)
