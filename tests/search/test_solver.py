"""The exact solver: scores, principal variations and bounds agree with perfect play."""

import random
import threading

import pytest

from fourfall import Board, EngineError, Score, Solution, Solver, solve
from tests.reference import ReferenceGame
from tests.search.perfect_play import PerfectPlay, PerfectResult, make_reference, sample_quiet_positions
from tests.strategies import Shape, choose_preferred_moves

SHAPES = [
    *(Shape(4, 4, hole) for hole in [None, (0, 0), (3, 0), (2, 1), (3, 3)]),
    *(Shape(4, 5, hole) for hole in [None, (3, 2), (1, 4)]),
    *(Shape(5, 4, hole) for hole in [None, (2, 1), (4, 3)]),
    *(Shape(5, 5, hole) for hole in [None, (2, 2), (4, 0)]),
]
LARGE = [
    Shape(6, 7),
    Shape(6, 9),
    Shape(9, 9, (4, 4)),
    Shape(10, 11, (5, 2)),
    Shape(11, 10, (10, 9)),
    Shape(12, 12, (0, 3)),
]


def sample_patterned(shape: Shape, free: int, count: int) -> list[Board]:
    """Return late positions of a large board from random games whose players avoid fours by a pattern."""
    generator = random.Random(free)  # noqa: S311
    boards: list[Board] = []
    while len(boards) < count:
        game = ReferenceGame(*shape)
        while len(game.free_cells()) > free and not game.is_over():
            game.push(generator.choice(choose_preferred_moves(game, "patterned")))
        if not game.is_over():
            boards.append(Board(*shape))
            for column in game.moves:
                boards[-1].push(column)
    return boards


def to_perfect_result(score: Score | None) -> PerfectResult:
    """Convert an exact score to the type of the reference."""
    assert score is not None
    assert score.distance is not None
    return PerfectResult(int(score.value), score.distance)


@pytest.mark.parametrize("shape", [*SHAPES, *LARGE], ids=str)
def test_scores_agree_with_perfect_play(shape: Shape) -> None:
    """Result and distance of the position and of every column agree with brute force, with and without a hole."""
    solver, perfect = Solver(memory_mb=4), PerfectPlay()
    for free in (4, 8):
        for board in (
            sample_quiet_positions(shape, free, 3, free) if shape in SHAPES else sample_patterned(shape, free, 3)
        ):
            game = make_reference(board)
            solution = solver.solve(board, columns=True)
            assert to_perfect_result(solution.score) == perfect.solve(game)
            assert [to_perfect_result(column.score) for column in solution.columns] == [
                perfect.solve_move(game, column) for column in board.legal_moves
            ]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_pv_is_perfect_play(shape: Shape) -> None:
    """Every move of the principal variation keeps the value, and its length is the distance of the score."""
    perfect = PerfectPlay()
    for board in sample_quiet_positions(shape, 9, 2, seed=1):
        solution = solve(board)
        expected = to_perfect_result(solution.score)
        for column in solution.pv:
            game = make_reference(board)
            assert perfect.solve_move(game, column) == perfect.solve(game)
            board.push(column)
        assert board.is_over
        assert len(solution.pv) == expected.distance


@pytest.mark.parametrize(
    ("rows", "cols", "score"),
    [(5, 5, Score.draw(25)), (4, 6, Score.loss(24)), (6, 6, Score.loss(36)), (5, 7, Score.draw(35))],
)
def test_small_empty_boards_have_the_published_scores(rows: int, cols: int, score: Score) -> None:
    """Four sizes agree with John Tromp's table of solved boards."""
    assert solve(Board(rows, cols)).score == score


def test_games_decided_by_the_next_two_stones_are_solved() -> None:
    """An immediate win and an unstoppable double threat are solved on a board that is too large for a search."""
    assert solve(Board.parse("12x12@3,3:112233")).score == Score.win(1)
    assert solve(Board.parse("12x12@3,3:66887")).score == Score.loss(2)


@pytest.fixture
def interrupted() -> Solution:
    """Run a solver that stops at a limit of 50,000 positions."""
    return solve(Board.parse("9x9@4,4:5"), positions=50_000, columns=True)


def test_solver_returns_bounds_at_the_limit(interrupted: Solution) -> None:
    """At the limit, the solution has bounds for the position and for every column, and no principal variation."""
    assert interrupted.score is None
    assert interrupted.pv == []
    assert interrupted.lower < interrupted.upper
    assert len(interrupted.columns) == 9
    assert all(column.lower <= column.upper for column in interrupted.columns)


def test_bounds_contain_the_exact_score_at_every_limit() -> None:
    """The exact score is within the bounds, at small and large limits."""
    board = Board.parse("5x5:33")
    exact = solve(board).score
    assert exact is not None
    for positions in (1, 10, 100, 1000, 5000, 20_000):
        solution = solve(board, positions=positions, columns=True)
        assert solution.lower <= exact <= solution.upper
        assert solution.positions <= positions + 100


def test_running_solver_is_observed_and_stopped_from_another_thread() -> None:
    """snapshot() returns the bounds of a running solver, and stop() ends it."""
    solver = Solver()
    assert solver.snapshot() is None
    solutions: list[Solution] = []
    thread = threading.Thread(target=lambda: solutions.append(solver.solve(Board(9, 9))), daemon=True)
    thread.start()
    while (snapshot := solver.snapshot()) is None or snapshot.positions == 0:
        thread.join(0.001)
    with pytest.raises(EngineError, match="the solver is running"):
        solver.solve(Board(4, 4))
    solver.stop()
    thread.join(10)
    assert solutions[0].score is None


def test_invalid_arguments_raise_engine_error() -> None:
    """A finished game and too little memory raise an error that names the problem."""
    with pytest.raises(EngineError, match="nothing to solve"):
        solve(Board.parse("6x7:1212121"))
    with pytest.raises(EngineError, match="at least 4 MiB"):
        Solver(memory_mb=3)


def test_one_solver_solves_several_boards() -> None:
    """The transposition table of one board does not affect the results on another."""
    solver = Solver(memory_mb=4)
    for rows, cols, hole in [(4, 4, None), (4, 4, (3, 0)), (4, 5, None), (4, 4, None)]:
        board = Board(rows, cols, hole)
        assert solver.solve(board).score == solve(board).score


@pytest.mark.parametrize(
    ("position", "least", "most"),
    [
        # The table lists the lines that it uses, has too many for that, or grows.
        ("6x7:544544414515227621572661521", 100, 512),
        ("6x7:64666276572242765", 2000, 8192),
        ("6x7:66353134733566", 32_768, 100_000),
    ],
)
def test_table_is_empty_for_each_call(position: str, least: int, most: int) -> None:
    """A repeated call searches as many positions as the first one, also after calls for other boards."""
    board = Board.parse(position)
    first = solve(board)
    assert least < first.positions < most
    for other in ("6x7@2,3:444455", "5x5:33", position):
        solve(Board.parse(other), positions=100_000)
        again = solve(board)
        assert (again.positions, again.score, again.pv) == (first.positions, first.score, first.pv)


def test_call_after_an_interrupted_one_starts_afresh() -> None:
    """Limits, memory and threads of the previous call have no effect on the next one."""
    board = Board.parse("6x7:64666276572242765")
    first = solve(board)
    for options in ({"positions": 100}, {"memory_mb": 4}, {"threads": 2}, {"columns": True}, {"time": 0.0}):
        solve(Board.parse("6x7:4"), **({"positions": 30_000} | options))
        again = solve(board)
        assert (again.positions, again.score, again.pv) == (first.positions, first.score, first.pv)
        assert again.columns == []
