"""An analysis has a score and a line for every column."""

import random
import threading
from functools import cache
from itertools import product

import pytest

from fourfall import Analysis, Board, ColumnAnalysis, Engine, Limit, Solver
from tests.kinds import GRAPHS, NAMES, TREES, load_tree_config
from tests.search.perfect_play import sample_quiet_positions
from tests.strategies import Shape

ALL = ["fourfall", *NAMES]
RULES = ("win", "block", "double threat")
SMALL_SHAPES = [Shape(4, 4, (2, 1)), Shape(4, 5), Shape(5, 4), Shape(5, 5, (2, 2))]
# Simulations that the slowest engine makes in one second without vector instructions.
ONE_SECOND = Limit(simulations=300)


@cache
def sample_positions() -> list[Board]:
    """Return positions of random official boards: early, in the middle, late, and just before the end of a game."""
    rng = random.Random(16)  # noqa: S311
    boards = []
    for number in range(24):
        board = Board.random(number)
        stones = rng.randrange(board.geometry.cells * (number % 4) // 3 + 1)
        while not board.is_over and board.ply < stones:
            board.push(rng.choice(board.legal_moves))
        for _ in range(rng.randint(1, 3) if board.is_over else 0):
            board.pop()
        boards.append(board)
    return boards


def assert_line_proves(board: Board, column: ColumnAnalysis) -> None:
    """Check that the line of a proven win or loss ends the game for the right side in the stated number of plies."""
    assert len(column.pv) == column.distance, (board.notation, column, column.pv)
    end = board.copy()
    for move in column.pv:
        end.push(move)
    outcome = end.outcome()
    assert outcome is not None
    assert outcome.winner == (board.turn if column.proof == "win" else 1 - board.turn)


def assert_complete(board: Board, analysis: Analysis) -> None:
    """Check that every legal column has a score and a legal line, and that the result agrees with its column."""
    assert [column.column for column in analysis.columns] == board.legal_moves
    for column in analysis.columns:
        assert column.has_score, (board.notation, column)
        assert column.pv[0] == column.column
        after = board.copy()
        for move in column.pv:
            after.push(move)
        if column.proof in ("win", "loss"):
            assert_line_proves(board, column)
    (chosen,) = (column for column in analysis.columns if column.column == analysis.move)
    assert (analysis.score, analysis.pv) == (chosen.score, chosen.pv)
    visits = sum(column.visits for column in analysis.columns)
    # A simulation that finds the position proven visits no column, and neither does the second search of a lost one.
    assert visits <= analysis.simulations + analysis.reused_visits
    assert analysis.stopped_by == "proof" or visits == analysis.simulations + analysis.reused_visits


@pytest.mark.parametrize("name", ALL)
def test_every_column_has_a_score_and_a_line(name: str) -> None:
    """On official boards, in every phase of the game, each column has a score; proven results come with their line."""
    engine = Engine(name, seed=1, memory_mb=16)
    for board in sample_positions():
        assert_complete(board, engine.analyse(board, ONE_SECOND))


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("limit", [Limit(simulations=1), Limit(time=0)], ids=["simulations", "time"])
def test_shortest_limit_gives_every_column_a_score(name: str, limit: Limit) -> None:
    """Every column is visited before a limit ends the analysis."""
    engine = Engine(name, seed=1, memory_mb=16)
    for board in sample_positions()[:8]:
        analysis = engine.analyse(board, limit)
        assert all(column.has_score for column in analysis.columns), board.notation


@pytest.mark.parametrize("name", [*GRAPHS, "fourfall", "seed-004-v8", "seed-004-v11", "seed-004-v12", "seed-003"])
def test_proofs_agree_with_the_solver(name: str) -> None:
    """A proven result is right, its distance is at least the exact one, and the winner's moves keep the proof."""
    engine, solver = Engine(name, seed=1, memory_mb=16), Solver()
    proven = 0
    for shape, free, number in product(SMALL_SHAPES, (8, 10, 11), range(3)):
        board = sample_quiet_positions(shape, free, 3, seed=free)[number]
        analysis = engine.analyse(board, Limit(simulations=2000))
        assert_complete(board, analysis)
        solved = {column.column: column.score for column in solver.solve(board, columns=True).columns}
        for column in analysis.columns:
            exact = solved[column.column]
            assert exact is not None
            assert column.proof in (None, exact.proof)
            if column.proof in ("win", "loss"):
                proven += 1
                assert column.distance is not None
                assert exact.distance is not None
                assert column.distance >= exact.distance
                assert_winner_keeps_the_proof(board, column, solver)
    assert proven > 10


def assert_winner_keeps_the_proof(board: Board, column: ColumnAnalysis, solver: Solver) -> None:
    """Check that after each move of the line the winner still wins within the remaining plies."""
    winner = board.turn if column.proof == "win" else 1 - board.turn
    after = board.copy()
    for played, move in enumerate(column.pv, 1):
        after.push(move)
        if after.is_over:
            break
        score = solver.solve(after).score
        assert score is not None
        assert score.distance is not None
        assert score.proof == ("win" if after.turn == winner else "loss")
        assert score.distance <= len(column.pv) - played


@pytest.mark.parametrize("position", ["6x7:2322657144", "6x7:722627546132751371774", "6x7:547142363476125177553"])
def test_line_that_leaves_the_proof_is_replaced(position: str) -> None:
    """A line of the search can leave a proven win; its continuation is then not a win, and the line is solved anew."""
    board = Board.parse(position)
    for column in Engine("fourfall", threads=1).analyse(board, Limit(simulations=60)).columns:
        end = board.copy()
        for move in column.pv:
            end.push(move)
        assert column.pv[0] == column.column


@pytest.mark.parametrize("name", ALL)
def test_moves_that_lose_at_once_have_their_refutation(name: str) -> None:
    """Every engine, with or without proofs, names the reply that wins after a move that ignores a threat."""
    board = Board.parse("6x7:11223")
    columns = Engine(name, seed=1, memory_mb=16).analyse(board, ONE_SECOND).columns
    for column in columns:
        if column.column != 3:
            assert (column.proof, column.distance, column.pv) == ("loss", 2, [column.column, 3])
            assert str(column.score) == "loses in 1"
    assert columns[3].proof != "loss" or columns[3].distance != 2


@pytest.mark.parametrize("name", [name for name in TREES if load_tree_config(name).root_win])
def test_columns_are_searched_after_a_rule_chose_the_move(name: str) -> None:
    """The search ends with the rule; the analysis goes on with the columns that the rule did not choose."""
    board = Board.parse("9x9@4,4:112233")
    analysis = Engine(name, seed=1, memory_mb=16).analyse(board, Limit(simulations=20_000))
    assert (analysis.stopped_by, analysis.move) == ("win", 3)
    assert all(column.proof or column.visits >= 512 for column in analysis.columns)
    assert_complete(board, analysis)


@pytest.mark.parametrize("name", [*GRAPHS, "seed-004-v12"])
def test_columns_are_searched_after_a_proof(name: str) -> None:
    """When the best move is proven, the other columns still get their simulations."""
    board = Board.parse("10x11@4,7:6655")
    analysis = Engine(name, seed=1, memory_mb=16).analyse(board, Limit(simulations=50_000))
    assert (analysis.stopped_by, str(analysis.score)) == ("proof", "wins in 2")
    assert all(column.proof or column.visits >= 512 for column in analysis.columns)
    assert analysis.simulations < 50_000


def test_neglected_columns_get_their_share() -> None:
    """The columns that the search hardly visits get a share of the simulations, and the best move keeps most."""
    board, limit = Board.parse("9x9@4,4:5"), Limit(simulations=1500)
    searched = Engine("fourfall", seed=1, memory_mb=16).search(board, limit)
    analysis = Engine("fourfall", seed=1, memory_mb=16).analyse(board, limit)
    assert min(column.visits for column in searched.columns) < 8 <= min(column.visits for column in analysis.columns)
    assert analysis.move == searched.move
    assert analysis.columns[analysis.move].visits > 0.8 * searched.columns[analysis.move].visits
    assert analysis.simulations == limit.simulations


@pytest.mark.parametrize("name", ["fourfall-classic", "seed-002"])
def test_snapshots_have_every_column(name: str) -> None:
    """A snapshot of a running analysis has a score and a line for every column."""
    board = Board.parse("12x12@3,3:667")
    engine = Engine(name, seed=1, memory_mb=16)
    results: list[Analysis] = []
    thread = threading.Thread(target=lambda: results.append(engine.analyse(board, Limit(simulations=10**12))))
    thread.start()
    try:
        while (snapshot := engine.snapshot()) is None:
            pass
    finally:
        while thread.is_alive():
            engine.stop()
            thread.join(0.01)
    assert snapshot.simulations > 0
    assert_complete(board, snapshot)
    assert results[0].stopped_by == "stop"
    assert_complete(board, results[0])


def test_analysis_of_the_same_position_continues() -> None:
    """A second analysis of a position adds to the simulations of the first."""
    board, engine = Board.parse("9x9@4,4:5"), Engine("fourfall-classic", seed=1, memory_mb=16)
    first = engine.analyse(board, Limit(simulations=3000))
    second = engine.analyse(board, Limit(simulations=3000))
    assert second.reused_visits == first.simulations
    assert_complete(board, second)
    engine.clear()
    assert engine.analyse(board, Limit(simulations=3000)).reused_visits == 0


def test_same_seed_gives_the_same_analysis() -> None:
    """Two engines with the same seed analyse a position alike."""
    board = Board.parse("10x11@4,7:463334857a51a267bb")
    first, second = (Engine("fourfall-classic", seed=3, memory_mb=16).analyse(board, ONE_SECOND) for _ in range(2))
    assert str(first) == str(second)


def test_analysis_as_text() -> None:
    """The text has a line for each column, with its name, visits, score and moves; the best one is marked."""
    analysis = Engine("seed-004-v12", seed=1, memory_mb=16).analyse(Board.parse("6x7:11223"), ONE_SECOND)
    lines = str(analysis).splitlines()
    assert [line[2] for line in lines] == list("1234567")
    assert [line[0] for line in lines] == [" ", " ", " ", ">", " ", " ", " "]
    assert lines[0].split() == ["1", "0", "loses", "in", "1", "1", "4"]
