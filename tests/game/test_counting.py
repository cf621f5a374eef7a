"""Owns the counts of games and positions, against the reference and against published figures."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfall import Board, perft
from tests.reference import ReferenceGame
from tests.strategies import Game, Shape, finished_games, games

STANDARD_PERFT = (1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234)

# Positions of 6x7 after each number of stones, won ones included (OEIS A212693).
STANDARD_POSITIONS = (1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275)

# One board of every layout of the core and of its borders, with the hole low, high, central and absent.
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


def replies_after(board: Board) -> Iterator[int]:
    """Yield the number of replies to each legal move."""
    for col in board.legal_moves:
        board.push(col)
        yield len(board.legal_moves)
        board.pop()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_move_sequences_of_an_empty_board_agree_with_the_reference(shape: Shape) -> None:
    """From the empty board both count the same sequences of up to three moves."""
    game = ReferenceGame(*shape)
    assert [perft(Board(*shape), depth) for depth in range(4)] == [game.perft(depth) for depth in range(4)]


@settings(max_examples=60)
@given(games(), st.integers(0, 3))
def test_move_sequences_within_a_game_agree_with_the_reference(game: Game, depth: int) -> None:
    """From anywhere in a game, its end included, both count the same sequences of moves."""
    assert perft(game.board(), depth) == game.reference().perft(depth)


@settings(max_examples=60)
@given(finished_games(max_side=6), st.integers(0, 4))
def test_the_last_moves_of_a_game_agree_with_the_reference(game: Game, left: int) -> None:
    """Shortly before the end, where columns fill and lines close, both count the same sequences of every length."""
    late = Game(game.shape, game.moves[: max(len(game.moves) - left, 0)])
    board, reference = late.board(), late.reference()
    assert [perft(board, depth) for depth in range(6)] == [reference.perft(depth) for depth in range(6)]


@given(finished_games())
def test_every_layout_agrees_with_the_board(game: Game) -> None:
    """Throughout a game the counts, made in the layout that is fastest for the size, are those of the board's moves."""
    board = Board(*game.shape)
    for col in game.moves:
        assert perft(board, 1) == len(board.legal_moves)
        assert perft(board, 2) == sum(replies_after(board))
        board.push(col)


@pytest.mark.parametrize("depth", range(len(STANDARD_PERFT)))
def test_the_standard_board_has_the_published_move_sequences(depth: int) -> None:
    """The counts of 6x7 are the published ones, the first of them found by the reference too."""
    assert perft(Board(6, 7), depth) == STANDARD_PERFT[depth]
    if depth <= 4:
        assert ReferenceGame(6, 7).perft(depth) == STANDARD_PERFT[depth]


def test_the_standard_board_has_the_published_positions() -> None:
    """Boards put into a set by equality and hash give the published number of positions after each move."""
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


def test_a_finished_game_has_one_empty_continuation() -> None:
    """After the end there is the sequence of no moves and none longer."""
    board = Board.parse("6x7:1212121")
    assert [perft(board, depth) for depth in (0, 1, 9)] == [1, 0, 0]


def test_counting_leaves_the_board_alone() -> None:
    """Looking ahead does not play on the board that was asked."""
    board = Board.parse("6x7:4455")
    perft(board, 5)
    assert board.notation == "6x7:4455"


def test_a_negative_depth_is_refused() -> None:
    """There are no sequences of fewer than no moves."""
    with pytest.raises(ValueError, match="negative"):
        perft(Board(6, 7), -1)
