"""Owns the truth of the solver: values, distances, lines and bounds."""

import random
import threading

import pytest

from fourfall import Board, EngineError, Score, Solution, Solver, solve
from tests.reference import ReferenceGame
from tests.search.perfect_play import PerfectPlay, Truth, quiet_positions, reference_of
from tests.strategies import Shape, preferred_moves

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


def patterned_positions(shape: Shape, free: int, count: int) -> list[Board]:
    """Return late positions of a large board, reached by play that avoids fours by a pattern."""
    dice = random.Random(free)  # noqa: S311
    boards: list[Board] = []
    while len(boards) < count:
        game = ReferenceGame(*shape)
        while len(game.free_cells()) > free and not game.is_over():
            game.push(dice.choice(preferred_moves(game, "patterned")))
        if not game.is_over():
            boards.append(Board(*shape))
            for column in game.moves:
                boards[-1].push(column)
    return boards


def truth_of(score: Score | None) -> Truth:
    """Return what an exact score says, in the reference's words."""
    assert score is not None
    assert score.distance is not None
    return Truth(int(score.value), score.distance)


@pytest.mark.parametrize("shape", [*SHAPES, *LARGE], ids=str)
def test_values_and_distances_are_the_truth(shape: Shape) -> None:
    """The position and every column are worth what brute force says, to the ply, with and without a hole."""
    solver, truth = Solver(memory_mb=4), PerfectPlay()
    for free in (4, 8):
        for board in quiet_positions(shape, free, 3, free) if shape in SHAPES else patterned_positions(shape, free, 3):
            game = reference_of(board)
            solution = solver.solve(board, columns=True)
            assert truth_of(solution.score) == truth.solve(game)
            assert [truth_of(column.score) for column in solution.columns] == [
                truth.after(game, column) for column in board.legal_moves
            ]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_line_is_perfect_play(shape: Shape) -> None:
    """Every move of the line keeps the value, and the game ends when the score says."""
    truth = PerfectPlay()
    for board in quiet_positions(shape, 9, 2, seed=1):
        solution = solve(board)
        expected = truth_of(solution.score)
        for column in solution.pv:
            game = reference_of(board)
            assert truth.after(game, column) == truth.solve(game)
            board.push(column)
        assert board.is_over
        assert len(solution.pv) == expected.distance


@pytest.mark.parametrize(
    ("rows", "cols", "score"),
    [(5, 5, Score.draw(25)), (4, 6, Score.loss(24)), (6, 6, Score.loss(36)), (5, 7, Score.draw(35))],
)
def test_small_empty_boards_have_their_published_values(rows: int, cols: int, score: Score) -> None:
    """Four sizes agree with John Tromp's table of solved boards."""
    assert solve(Board(rows, cols)).score == score


def test_a_win_at_hand_and_two_threats_need_no_search() -> None:
    """What the next two stones decide is known at once, on any board."""
    assert solve(Board.parse("12x12@3,3:112233")).score == Score.win(1)
    assert solve(Board.parse("12x12@3,3:66887")).score == Score.loss(2)


@pytest.fixture
def interrupted() -> Solution:
    """Solve something far too hard for a moment."""
    return solve(Board.parse("9x9@4,4:5"), positions=50_000, columns=True)


def test_an_interrupted_solve_has_bounds_that_hold(interrupted: Solution) -> None:
    """At the limit the answer is an interval, of the position and of every column, and no line."""
    assert interrupted.score is None
    assert interrupted.pv == []
    assert interrupted.lower < interrupted.upper
    assert len(interrupted.columns) == 9
    assert all(column.lower <= column.upper for column in interrupted.columns)


def test_bounds_enclose_the_truth_at_every_limit() -> None:
    """However early a solve is stopped, the true score lies inside its bounds."""
    board = Board.parse("5x5:33")
    truth = solve(board).score
    assert truth is not None
    for nodes in (1, 10, 100, 1000, 5000, 20_000):
        solution = solve(board, positions=nodes, columns=True)
        assert solution.lower <= truth <= solution.upper
        assert solution.positions <= nodes + 100


def test_a_solve_is_watched_and_stopped_from_another_thread() -> None:
    """The bounds of a running solve can be read, and it ends when told."""
    solver = Solver()
    assert solver.snapshot() is None
    answers: list[Solution] = []
    thread = threading.Thread(target=lambda: answers.append(solver.solve(Board(9, 9))))
    thread.start()
    while (snapshot := solver.snapshot()) is None or snapshot.positions == 0:
        thread.join(0.001)
    with pytest.raises(EngineError, match="busy"):
        solver.solve(Board(4, 4))
    solver.stop()
    thread.join(10)
    assert answers[0].score is None


def test_bad_questions_are_refused() -> None:
    """A finished game and too little memory are named."""
    with pytest.raises(EngineError, match="nothing to solve"):
        solve(Board.parse("6x7:1212121"))
    with pytest.raises(EngineError, match="at least 4 MiB"):
        Solver(memory_mb=3)


def test_one_solver_answers_for_several_boards() -> None:
    """What was learned on one board does not leak into another."""
    solver = Solver(memory_mb=4)
    for rows, cols, hole in [(4, 4, None), (4, 4, (3, 0)), (4, 5, None), (4, 4, None)]:
        board = Board(rows, cols, hole)
        assert solver.solve(board).score == solve(board).score
