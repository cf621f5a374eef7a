"""Tests of the proof that a position has one good move, against a brute-force solver, and of refutations and hints."""

import random
from functools import cache

import pytest

from fourfall import Board, IllegalMove, solve
from fourfall.coach.puzzles import list_hints, load_puzzles, make_puzzle, prove_only_move, refute
from fourfall.coach.puzzles.proof import ProofLimits


@cache
def evaluate(position: str) -> int:
    """Return the result for the side to move under perfect play, 1, 0 or -1, by trying all moves."""
    board = Board.parse(position)
    outcome = board.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else -1
    best = -1
    for column in board.legal_moves:
        board.push(column)
        best = max(best, -evaluate(board.notation))
        board.pop()
        if best == 1:
            break
    return best


def make_late_position(seed: int) -> Board:
    """Return a position of a small board with seven free cells."""
    source = random.Random(seed)  # noqa: S311 (not secret)
    hole = (source.randrange(4), source.randrange(5)) if seed % 3 else None
    board = Board(4, 5, hole)
    while not board.is_over and board.geometry.cells - board.ply > 7:
        board.push(source.choice(board.legal_moves))
    return board


def test_proof_agrees_with_brute_force() -> None:
    """A proof is found exactly where one column wins, or one column does not lose and none wins."""
    found = {"win": 0, "draw": 0, None: 0}
    for seed in range(400):
        board = make_late_position(seed)
        if board.is_over or len(board.legal_moves) < 2:
            continue
        values = {}
        for column in board.legal_moves:
            board.push(column)
            values[column] = -evaluate(board.notation)
            board.pop()
        best = max(values.values())
        good = [column for column, value in values.items() if value == best]
        proof = prove_only_move(board)
        found[None if proof is None else proof.result] += 1
        if best < 0 or len(good) > 1:
            assert proof is None, board
        else:
            assert proof is not None, board
            assert (proof.columns[0], proof.result) == (good[0], "win" if best else "draw"), board
    assert min(found.values()) > 20, found


def test_a_win_is_proved_within_its_distance() -> None:
    """The exact distance is not greater than the stored one, and the line is the play of both sides to four."""
    for puzzle in load_puzzles():
        board = puzzle.board
        if puzzle.result != "win" or board.geometry.cells - board.ply > 24:
            continue
        score = solve(board, positions=300_000).score
        assert score is None or (score.is_win and (score.distance or 0) <= puzzle.distance), puzzle.to_line()


def test_no_proof_in_an_open_position() -> None:
    """Where nothing can be proved within the limits there is no puzzle; nor in a finished game."""
    assert prove_only_move(Board(9, 9, (4, 4)), ProofLimits(solver_positions=1000)) is None
    assert make_puzzle(Board.parse("6x7:1212121")) is None


def test_every_wrong_move_is_refuted() -> None:
    """The refutation is a legal line; where it says that the move loses, the opponent completes four."""
    for puzzle in load_puzzles()[::60]:
        board = puzzle.board
        for column in board.legal_moves:
            if column == puzzle.move:
                continue
            refutation = refute(board, column)
            assert not refutation.score.is_win
            after = board.copy()
            for move in refutation.columns:
                after.push(move)
            if refutation.score.is_loss and len(refutation.columns) > 1:
                outcome = after.outcome()
                assert outcome is not None
                assert outcome.winner == 1 - board.turn
            assert refutation.score.is_loss or puzzle.result == "win"
            assert refutation.write("en").startswith("This move ")
            assert "could" not in refutation.write("en")
            assert refutation.write("zh").startswith("这步棋")


def test_refutation_of_an_illegal_move() -> None:
    """A full column is an error of the rules."""
    with pytest.raises(IllegalMove, match="full"):
        refute(Board.parse("6x7:111111"), 0)


def test_hints_get_more_precise() -> None:
    """The second hint names three columns with the solution among them, the third one the solution."""
    for puzzle in load_puzzles()[::25]:
        name = "123456789abc"[puzzle.move]
        theme, columns, solution = list_hints(puzzle)
        assert theme.endswith((".", "?"))
        assert name in columns.removeprefix("The move is in column")
        assert solution.startswith(f"The move is column {name}.")
        assert f"第 {name} 列" in list_hints(puzzle, "zh")[2]
