"""Compares the native board with the slow reference, move by move."""

from typing import NamedTuple

from hypothesis import example, given

from fourfall import Board
from tests.reference import Cell, ReferenceGame
from tests.strategies import Game, Shape, finished_games


class Facts(NamedTuple):
    """All properties of a position that follow from the rules."""

    turn: int
    moves: list[int]
    stones: dict[Cell, int]
    last_cell: Cell | None
    legal_moves: list[int]
    threats: tuple[list[Cell], list[Cell]]
    winning_moves: list[int]
    safe_moves: list[int]
    outcome: tuple[int | None, list[Cell]] | None


def collect_board_facts(board: Board) -> Facts:
    """Collect the facts from the native board."""
    cells = [(row, col) for row in range(board.rows) for col in range(board.cols)]
    stones = {cell: board.stone_at(*cell) for cell in cells}
    outcome = board.outcome()
    return Facts(
        turn=board.turn,
        moves=board.moves,
        stones={cell: player for cell, player in stones.items() if player is not None},
        last_cell=board.last_cell,
        legal_moves=board.legal_moves,
        threats=(board.threats(0), board.threats(1)),
        winning_moves=board.winning_moves,
        safe_moves=board.safe_moves,
        outcome=None if outcome is None else (outcome.winner, outcome.cells),
    )


def collect_reference_facts(game: ReferenceGame) -> Facts:
    """Collect the facts from the reference."""
    return Facts(
        turn=game.turn,
        moves=game.moves,
        stones=dict(game.stones),
        last_cell=game.history[-1] if game.history else None,
        legal_moves=game.legal_moves(),
        threats=(game.threats(0), game.threats(1)),
        winning_moves=game.winning_moves(),
        safe_moves=game.safe_moves(),
        outcome=(game.winner(), game.winning_cells()) if game.is_over() else None,
    )


def assert_consistent(board: Board) -> None:
    """Check properties that follow from other properties of the same board."""
    outcome = board.outcome()
    assert board.ply == len(board.moves)
    assert board.is_over == (outcome is not None)
    assert [col for col in range(-1, board.cols + 1) if board.is_legal(col)] == board.legal_moves
    assert board.threats() == board.threats(board.turn)
    assert outcome is None or outcome.is_draw == (outcome.winner is None)


@given(finished_games())
@example(Game(Shape(4, 4), [3, 3, 2, 2, 2, 2, 3, 1, 1, 1, 1, 0, 0, 0, 0, 3]))
def test_board_agrees_with_the_reference_after_every_push_and_pop(whole: Game) -> None:
    """The facts agree after each move of a game and after each move taken back."""
    board, game = Board(*whole.shape), ReferenceGame(*whole.shape)
    history = [collect_reference_facts(game)]
    assert collect_board_facts(board) == history[0]
    for col in whole.moves:
        board.push(col)
        game.push(col)
        history.append(collect_reference_facts(game))
        assert collect_board_facts(board) == history[-1]
        assert_consistent(board)
    assert board.is_over
    for col in reversed(whole.moves):
        assert board.peek() == col
        assert board.pop() == col
        history.pop()
        assert collect_board_facts(board) == history[-1]
        assert_consistent(board)
    assert board == Board(*whole.shape)


def test_winning_move_below_a_threat_is_not_safe() -> None:
    """A winning column is not in safe_moves if the opponent's winning cell is directly above."""
    board = Board.parse("6x7:112233")
    assert board.winning_moves == [3]
    assert board.threats(1) == [(4, 3)]
    assert board.safe_moves == [0, 1, 2, 4, 5, 6]


def test_two_threats_leave_no_safe_move() -> None:
    """If the opponent can win in two columns, no column is safe."""
    board = Board.parse("6x7:33445")
    assert board.threats(0) == [(5, 1), (5, 5)]
    assert board.safe_moves == []


def test_block_below_another_threat_is_not_safe() -> None:
    """A forced block that makes another winning cell available is not safe."""
    board = Board.parse("6x7:334367344")
    assert board.threats(0) == [(4, 4), (5, 4)]
    assert board.safe_moves == []
