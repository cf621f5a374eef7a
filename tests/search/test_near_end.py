"""Near ends of games, which are solved without the solver, agree with the solver and with brute force."""

import random
from collections import Counter
from functools import cache

import pytest

from fourfall import Board, Solution, Solver, solve, solve_many
from tests.search.perfect_play import PerfectPlay, PerfectResult, make_reference, sample_quiet_positions
from tests.strategies import Shape

LONGEST = 5  # plies
SMALL = 49  # cells; random games on larger boards are rarely drawn
SOLVER_ONLY = 500  # positions; with so small a limit the search for a near end is left out
SHAPES = [
    *(Shape(4, 4, hole) for hole in [None, (0, 0), (3, 0), (2, 1)]),
    *(Shape(4, 12, hole) for hole in [None, (1, 5)]),
    *(Shape(12, 4, hole) for hole in [None, (6, 2)]),
    *(Shape(6, 7, hole) for hole in [None, (5, 3), (2, 2)]),
    *(Shape(9, 9, hole) for hole in [None, (4, 4)]),
    Shape(10, 11, (5, 2)),
    Shape(11, 10, (10, 9)),
    Shape(12, 12, (0, 3)),
]


def play_randomly(shape: Shape, generator: random.Random) -> Board:
    """Return an unfinished position of a random game in which half of the moves are safe ones, if there are any."""
    while True:
        board = Board(*shape)
        for _ in range(generator.randrange(shape.rows * shape.cols - 1)):
            is_careful = generator.random() < 0.5
            board.push(generator.choice((is_careful and board.safe_moves) or board.legal_moves))
            if board.is_over:
                break
        if not board.is_over:
            return board


def to_result(solution: Solution) -> PerfectResult:
    """Convert an exact score to the type of the reference."""
    assert solution.score is not None
    assert solution.score.distance is not None
    return PerfectResult(int(solution.score.value), solution.score.distance)


@cache
def sample_near_ends(shape: Shape, count: int, seed: int = 1) -> list[tuple[Board, Solution]]:
    """Return random positions whose game ends within five plies, with their solutions."""
    generator = random.Random(seed)  # noqa: S311
    found: list[tuple[Board, Solution]] = []
    while len(found) < count:
        board = play_randomly(shape, generator)
        # The limit is small because a position without a near end may take for ever.
        solution = solve(board, positions=1000)
        if solution.score is not None and to_result(solution).distance <= LONGEST:
            found.append((board, solution))
    return found


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_near_ends_agree_with_the_solver(shape: Shape) -> None:
    """Score and every move of the principal variation agree with the solver."""
    compared = 0
    for board, solution in sample_near_ends(shape, 200):
        assert solution.lower == solution.upper == solution.score
        game, expected = board.copy(), to_result(solution)
        for column in solution.pv:
            full = solve(game, positions=SOLVER_ONLY)
            if full.score is not None:
                assert to_result(full) == expected
                compared += 1
            game.push(column)
            expected = PerfectResult(-expected.result, expected.distance - 1)
        assert game.is_over
        assert expected.distance == 0
    assert compared > 300


def test_all_kinds_of_near_ends_are_compared() -> None:
    """The samples have wins in 1, 3 and 5 plies, losses in 2 and 4, and draws."""
    kinds = Counter(to_result(solution) for shape in SHAPES for _, solution in sample_near_ends(shape, 200))
    for kind in [(1, 1), (-1, 2), (1, 3), (-1, 4), (1, 5), *((0, plies) for plies in range(1, LONGEST + 1))]:
        assert kinds[PerfectResult(*kind)] >= 5, kind


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape.cells < SMALL], ids=str)
def test_late_positions_agree_with_perfect_play(shape: Shape) -> None:
    """Result and distance of quiet positions with few free cells agree with brute force."""
    perfect = PerfectPlay()
    for free in range(1, 8):
        for board in sample_quiet_positions(shape, free, 3, seed=free):
            assert to_result(solve(board)) == perfect.solve(make_reference(board))


def test_solve_many_and_solver_solve_near_ends_as_solve() -> None:
    """The three ways to call the solver return the same score, principal variation and number of positions."""
    near = [pair for shape in SHAPES for pair in sample_near_ends(shape, 20, seed=2)]
    boards = [board for board, _ in near]
    solver = Solver(memory_mb=4)
    for (board, expected), one_of_many in zip(near, solve_many(boards, threads=2), strict=True):
        alone = solver.solve(board)
        for solution in (alone, one_of_many, solver.snapshot()):
            assert solution is not None
            assert solution.board == board
            assert (solution.score, solution.pv, solution.positions) == (
                expected.score,
                expected.pv,
                expected.positions,
            )
            assert 0 <= solution.seconds < 1


def test_small_limit_of_positions_holds() -> None:
    """A search for a near end does not exceed a limit of positions."""
    for board, _ in sample_near_ends(Shape(12, 12), 50):
        for limit in (1, 10, 100, 576):
            assert solve(board, positions=limit).positions <= limit + 1
