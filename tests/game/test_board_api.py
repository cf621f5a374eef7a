"""Owns the board as a Python object: comparing, copying, asking, and refusing bad input unharmed."""

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
def test_a_new_board_is_empty_and_knows_its_shape(shape: Shape) -> None:
    """Rows, columns and hole come back as given, alone and as a geometry."""
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
def test_boards_differ_with_the_stones_and_with_the_shape(other: str) -> None:
    """Another stone, another size or another hole makes another board."""
    board = Board.parse("6x7:44")
    assert board != Board.parse(other)
    assert len({board, Board.parse(other)}) == 2


def test_empty_boards_of_different_shapes_hash_differently() -> None:
    """The shape takes part in the hash, so that a table of boards of many sizes does not pile up."""
    every = [Board(rows, cols) for rows in range(4, 13) for cols in range(4, 13)]
    assert len({hash(board) for board in every}) == len(every)


def test_a_board_is_not_equal_to_other_things() -> None:
    """Comparing with something that is no board is simply false."""
    things: list[object] = [None, "6x7", 67, Geometry(6, 7)]
    assert Board(6, 7) not in things


@given(games())
def test_the_key_is_that_of_the_position(game: Game) -> None:
    """The key fits in 64 bits, changes with the next stone, and comes back when the stone is taken back."""
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
    """A copy has the same history, and playing on it or on the original does not touch the other."""
    board = Board.parse("10x11@4,7:6655")
    other = duplicate(board)
    assert other == board
    assert other.moves == board.moves
    other.push(0)
    assert board.notation == "10x11@4,7:6655"
    board.pop()
    assert other.notation == "10x11@4,7:66551"


@given(games())
def test_a_pickled_board_comes_back(game: Game) -> None:
    """Pickling keeps the position, the history and the ending of any game."""
    board = game.board()
    again = pickle.loads(pickle.dumps(board))  # noqa: S301
    assert (again, again.moves, again.outcome()) == (board, board.moves, board.outcome())


def test_geometries_compare_hash_and_pickle_by_value() -> None:
    """Equal shapes are equal keys of a dictionary, and every shape survives pickling and its own repr."""
    every = [Geometry(rows, cols) for rows in range(4, 13) for cols in range(4, 13)]
    every += [Geometry(9, 12, hole=(row, col)) for row in range(9) for col in range(12)]
    assert len(set(every)) == len(every)
    for geometry in every:
        assert pickle.loads(pickle.dumps(geometry)) == geometry  # noqa: S301
        assert {eval(repr(geometry)): 1}[geometry] == 1  # noqa: S307


def test_equal_outcomes_hash_alike() -> None:
    """Two equal endings are one member of a set."""
    endings = [Board.parse("6x7:1212121").outcome() for _ in range(2)]
    assert endings[0] == endings[1]
    assert len(set(endings)) == 1


def test_endings_and_counts_survive_pickling() -> None:
    """What a worker process returns arrives as it was sent."""
    for position in ("6x7:1212121", "6x7:1122334"):
        ending = Board.parse(position).outcome()
        assert pickle.loads(pickle.dumps(ending)) == ending  # noqa: S301
    counts = rollouts(Board(6, 7), 1000, seed=1)
    assert repr(pickle.loads(pickle.dumps(counts))) == repr(counts)  # noqa: S301


@given(games())
def test_the_mirror_reflects_hole_and_moves(game: Game) -> None:
    """Every cell of the mirrored game holds what its reflection holds, and mirroring twice gives the game back."""
    board = game.board()
    mirrored = board.mirror()
    assert mirrored.geometry == board.geometry.mirror()
    assert mirrored.moves == [board.cols - 1 - col for col in board.moves]
    assert np.array_equal(mirrored.planes(), board.planes()[:, :, ::-1])
    assert mirrored.mirror().moves == board.moves
    assert board.geometry.is_symmetric == (mirrored.geometry == board.geometry)


@given(games())
def test_the_planes_show_what_the_board_answers(game: Game) -> None:
    """Own stones, the opponent's, landing cells and the hole, each as ones on a plane of its own."""
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


def test_the_planes_are_a_fresh_array_each_time() -> None:
    """Writing into the planes changes neither the board nor the next planes, and they outlive the board."""
    board = Board.parse("6x7:44")
    first, second = board.planes(), board.planes()
    first[:] = 9
    del board
    assert second.sum() == 2 + 7
    assert not np.shares_memory(first, second)


def test_lists_are_fresh_each_time() -> None:
    """Changing a list that the board handed out does not change the board."""
    board = Board.parse("6x7:44")
    board.moves.clear()
    board.legal_moves.clear()
    assert (board.moves, len(board.legal_moves)) == ([3, 3], 7)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.int64, np.uint64])
def test_numpy_integers_are_columns(kind: type[np.integer]) -> None:
    """A column chosen by numpy is as good as a Python integer."""
    board = Board(6, 7)
    board.push(kind(3))  # type: ignore[arg-type]
    assert board.is_legal(kind(3))  # type: ignore[arg-type]
    assert board.moves == [3]


def test_nothing_can_be_taken_back_from_an_empty_board() -> None:
    """Popping and peeking without a move is an IndexError, and the board can still be played."""
    board = Board(6, 7)
    for ask in (board.pop, board.peek):
        with pytest.raises(IndexError):
            ask()
    board.push(3)
    assert board.peek() == 3


@pytest.mark.parametrize(
    ("position", "column", "complaint"),
    [
        ("6x7:44", -1, "column -1 is off the board"),
        ("6x7:44", 7, "column 7 is off the board"),
        ("6x7:444444", 3, "column 3 is full"),
        ("4x4@0,1:222", 1, "column 1 is full"),
        ("6x7:1212121", 5, "the game is over"),
        ("4x4:4433334222211114", 0, "the game is over"),
    ],
)
def test_an_illegal_move_changes_nothing(position: str, column: int, complaint: str) -> None:
    """A refused move says why, as an IllegalMove and a ValueError, and leaves the board as it was."""
    board = Board.parse(position)
    assert not board.is_legal(column)
    with pytest.raises(IllegalMove, match=complaint) as caught:
        board.push(column)
    assert isinstance(caught.value, ValueError)
    assert (board, board.notation) == (Board.parse(position), position)


@pytest.mark.parametrize("thing", [1.0, np.float64(1), "1", None, 2**31, -(2**80)])
def test_what_is_no_column_changes_nothing(thing: object) -> None:
    """Floats, text and integers beyond any board are refused, and the board stays as it was."""
    board = Board.parse("6x7:44")
    with pytest.raises((TypeError, IllegalMove)):
        board.push(thing)  # type: ignore[arg-type]
    assert board.notation == "6x7:44"


@pytest.mark.parametrize("kind", [Board, Geometry])
@pytest.mark.parametrize(
    ("shape", "complaint"),
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
def test_a_board_that_cannot_be_is_refused(kind: type[Board | Geometry], shape: Shape, complaint: str) -> None:
    """Sides outside 4 to 12 and holes off the board are an InvalidBoard, which is a ValueError."""
    with pytest.raises(InvalidBoard, match=complaint) as caught:
        kind(*shape)
    assert isinstance(caught.value, ValueError)


def test_questions_off_the_board_are_refused() -> None:
    """Cells outside the board are an IndexError and players other than 0 and 1 a ValueError."""
    board = Board(6, 7)
    for cell in ((-1, 0), (0, -1), (6, 0), (0, 7)):
        with pytest.raises(IndexError):
            board.stone_at(*cell)
    for player in (-1, 2):
        with pytest.raises(ValueError, match="0 or 1"):
            board.threats(player)
