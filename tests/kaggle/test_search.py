"""Tests of the searches of a Kaggle submission: results against the solver, moves within the time."""

import math
import random
import time

import pytest

from fourfall import Board, solve
from fourfall.exports.kaggle.agent import agent
from fourfall.exports.kaggle.alpha_beta import WIN, AlphaBeta
from fourfall.exports.kaggle.graph_search import GraphSearch, rank_moves
from fourfall.exports.kaggle.network import Network
from fourfall.exports.kaggle.player import Player
from fourfall.exports.kaggle.rules import Rules, split_cells
from tests.kaggle import load_weights, make_rules, read_stones


def sample_undecided(start: str, ply: int, count: int) -> list[Board]:
    """Return random positions in which the side to move has a safe move and no immediate win."""
    generator = random.Random(f"{start} {ply}")  # noqa: S311
    found: list[Board] = []
    while len(found) < count:
        board = Board.parse(start)
        while board.ply < ply and not board.is_over:
            board.push(generator.choice(board.legal_moves))
        if not board.is_over and not board.winning_moves and board.safe_moves:
            found.append(board)
    return found


def get_result(board: Board) -> int:
    """Return the exact result for the side to move: 1, 0 or -1."""
    score = solve(board).score
    assert score is not None
    return score.is_win - score.is_loss


@pytest.mark.parametrize(("start", "ply"), [("6x7", 22), ("6x7", 25), ("5x5@2,2", 10), ("4x6", 9)])
def test_alpha_beta_solves_exactly(start: str, ply: int) -> None:
    """The result is that of the solver, and the move keeps it."""
    for board in sample_undecided(start, ply, 8):
        own, opponent = read_stones(board)
        rules = make_rules(board)
        moves = [
            cell for cell in split_cells(rules.landing_cells(own | opponent)) if rules.column(cell) in board.safe_moves
        ]
        solved = AlphaBeta(rules).solve(own, opponent, moves, time.perf_counter() + 60)
        assert solved is not None
        assert solved[0] == get_result(board), board.notation
        board.push(rules.column(solved[1]))
        assert board.is_over or get_result(board) == -solved[0]


def test_alpha_beta_stops_at_its_limits() -> None:
    """Without time there is no result, but a move is always chosen."""
    rules = Rules(6, 7)
    search = AlphaBeta(rules)
    moves = split_cells(rules.bottom)
    assert search.solve(0, 0, moves, time.perf_counter()) is None
    assert search.choose(0, 0, moves, time.perf_counter())[1] in moves


def test_alpha_beta_plays_other_lengths() -> None:
    """Three in a row on an empty 6x7 board is won for the first player by force."""
    rules = Rules(6, 7, inarow=3)
    score, move = AlphaBeta(rules).choose(0, 0, split_cells(rules.bottom), time.perf_counter() + 30)
    assert score > WIN // 2
    assert AlphaBeta(rules).choose(0, move, split_cells(rules.landing_cells(move)), math.inf)[0] < -WIN // 2


@pytest.mark.parametrize(("start", "ply"), [("5x5@2,2", 15), ("6x7", 30), ("6x7@1,1", 29)])
def test_proofs_of_the_graph_search_are_right(start: str, ply: int) -> None:
    """A proven result is that of the solver, and the first move keeps it."""
    proven = 0
    for board in sample_undecided(start, ply, 5):
        rules = make_rules(board)
        graph = GraphSearch(rules, Network(load_weights(), rules))
        root = graph.search(*read_stones(board), math.inf, simulations=150)
        if root.result is not None:
            proven += 1
            assert root.result == get_result(board), board.notation
            board.push(rules.column(rank_moves(root)[0]))
            assert board.is_over or get_result(board) == -root.result
    assert proven >= 2


def test_graph_search_stops_at_the_simulations_and_reuses_nodes() -> None:
    """The root has as many visits as asked for; after two moves the new root is known already."""
    rules = Rules(6, 7)
    graph = GraphSearch(rules, Network(load_weights(), rules))
    root = graph.search(0, 0, math.inf, simulations=100)
    assert 100 <= root.total <= 110
    assert rules.column(rank_moves(root)[0]) == 3
    child = root.children[root.moves.index(rank_moves(root)[0])]
    assert child is not None
    visits = child.total
    assert graph.search(child.own, child.opponent, time.perf_counter()).total == visits > 50
    assert all(not pending for node in (root, child) for pending in node.pending)


@pytest.mark.parametrize(
    ("position", "column"),
    [
        ("6x7:4142434", 3),  # blocks
        ("6x7:414243", 3),  # wins
        ("6x7:11223", 3),  # the only move that does not lose at once
        ("6x7:1424353", None),  # lost: any legal column
    ],
)
def test_tactics_of_the_player(position: str, column: int | None) -> None:
    """Forced moves are made without a search."""
    board = Board.parse(position)
    player = Player(make_rules(board), None)
    chosen = player.choose(*read_stones(board), time.perf_counter() + 0.05)
    assert chosen == column if column is not None else board.is_legal(chosen)


@pytest.mark.parametrize(
    ("rows", "columns", "inarow"), [(1, 1, 1), (1, 5, 2), (3, 3, 3), (6, 7, 5), (14, 15, 4), (2, 9, 9)]
)
def test_agent_plays_any_configuration(rows: int, columns: int, inarow: int) -> None:
    """Against random moves every answer is legal until the board is full or a line is complete."""
    generator = random.Random(rows)  # noqa: S311
    rules = Rules(rows, columns, inarow)
    cells = [0] * (rows * columns)
    for step in range(min(rows * columns, 30)):
        mark = step % 2 + 1
        opened = [column for column in range(columns) if cells[column] == 0]
        column = generator.choice(opened)
        if step % 3:
            observation = {"board": cells, "mark": mark, "step": step, "remainingOverageTime": 0}
            column = agent(observation, {"rows": rows, "columns": columns, "inarow": inarow, "actTimeout": 0.02})
        assert column in opened
        cells[max(row for row in range(rows) if cells[row * columns + column] == 0) * columns + column] = mark
        if rules.has_line(rules.read(cells, mark)[0]):
            break


def test_agent_answers_a_broken_observation(capsys: pytest.CaptureFixture[str]) -> None:
    """Instead of an exception there is a message in the log and an open column near the center."""
    board = [0, 0, 0, 1, 0, 0, 0]
    assert agent({"board": board, "mark": None}, {"rows": "six", "columns": 7}) in (2, 4)
    assert "Fourfall: ValueError" in capsys.readouterr().out
