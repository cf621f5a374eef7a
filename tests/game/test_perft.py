"""Tests of perft, the number of move sequences of a given length, against ReferenceGame and published numbers."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfall import Board, perft
from tests.reference import ReferenceGame
from tests.strategies import Game, Shape, finished_games, games

STANDARD_PERFT = (1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234)

# Number of 6x7 positions for each number of stones, including won positions (OEIS A212693).
STANDARD_POSITIONS = (1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275)

# Boards for every bit layout and its size limits, with the hole low, high, central and absent.
SHAPES = (
    Shape(4, 4),
    Shape(4, 12, (3, 5)),
    Shape(6, 9),
    Shape(6, 10, (5, 9)),
    Shape(7, 7, (3, 3)),
    Shape(9, 9, (0, 0)),
    Shape(9, 12, (8, 11)),
    Shape(10, 11, (4, 7)),
    Shape(11, 10, (10, 9)),
    Shape(12, 4),
    Shape(12, 9, (11, 8)),
    Shape(12, 10, (1, 1)),
    Shape(12, 12),
)


def count_replies(board: Board) -> Iterator[int]:
    """Yield the number of replies to each legal move."""
    for col in board.legal_moves:
        board.push(col)
        yield len(board.legal_moves)
        board.pop()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_perft_of_an_empty_board_agrees_with_the_reference(shape: Shape) -> None:
    """Both count the same sequences of up to three moves."""
    game = ReferenceGame(*shape)
    assert [perft(Board(*shape), depth) for depth in range(4)] == [game.perft(depth) for depth in range(4)]


@settings(max_examples=60)
@given(games(), st.integers(0, 3))
def test_perft_within_a_game_agrees_with_the_reference(game: Game, depth: int) -> None:
    """Both count the same sequences from any position of a game, including its end."""
    assert perft(game.board(), depth) == game.reference().perft(depth)


@settings(max_examples=60)
@given(finished_games(max_side=6), st.integers(0, 4))
def test_perft_near_the_end_agrees_with_the_reference(game: Game, left: int) -> None:
    """Shortly before the end, with full columns and wins, both count the same sequences of every length."""
    late = Game(game.shape, game.moves[: max(len(game.moves) - left, 0)])
    board, reference = late.board(), late.reference()
    assert [perft(board, depth) for depth in range(6)] == [reference.perft(depth) for depth in range(6)]


@given(finished_games())
def test_perft_agrees_with_legal_moves_in_every_layout(game: Game) -> None:
    """During a game perft, which uses the fastest layout for the size, agrees with the board's legal moves."""
    board = Board(*game.shape)
    for col in game.moves:
        assert perft(board, 1) == len(board.legal_moves)
        assert perft(board, 2) == sum(count_replies(board))
        board.push(col)


@pytest.mark.parametrize("depth", range(len(STANDARD_PERFT)))
def test_perft_of_the_standard_board_is_as_published(depth: int) -> None:
    """The numbers for 6x7 are the published ones; the reference confirms the first five."""
    assert perft(Board(6, 7), depth) == STANDARD_PERFT[depth]
    if depth <= 4:
        assert ReferenceGame(6, 7).perft(depth) == STANDARD_PERFT[depth]


def test_number_of_positions_of_the_standard_board_is_as_published() -> None:
    """A set of boards, by equality and hash, has the published size after each move."""
    boards = {Board(6, 7)}
    counts = [len(boards)]
    while len(counts) < len(STANDARD_POSITIONS):
        following = set()
        for board in boards:
            for col in board.legal_moves:
                after = board.copy()
                after.push(col)
                following.add(after)
        boards = following
        counts.append(len(boards))
    assert tuple(counts) == STANDARD_POSITIONS
    assert len({board.key for board in boards}) == len(boards)


def test_perft_of_a_finished_game() -> None:
    """After the end there is one sequence of length 0 and none of any other length."""
    board = Board.parse("6x7:1212121")
    assert [perft(board, depth) for depth in (0, 1, 9)] == [1, 0, 0]


def test_perft_does_not_change_the_board() -> None:
    """The moves of the board are the same afterwards."""
    board = Board.parse("6x7:4455")
    perft(board, 5)
    assert board.notation == "6x7:4455"


def test_negative_depth_is_refused() -> None:
    """A negative depth raises ValueError."""
    with pytest.raises(ValueError, match="negative"):
        perft(Board(6, 7), -1)
