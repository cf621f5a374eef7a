"""The solver in several threads: the same scores, sound bounds, limits, observation and interruption."""

import subprocess
import sys
import threading

import pytest

from fourfall import Board, Solution, Solver, solve
from tests.search.perfect_play import PerfectPlay, make_reference, sample_quiet_positions
from tests.search.test_solver import to_perfect_result
from tests.strategies import Shape

# Each takes more positions than a solver searches before it starts its threads (2**14).
LONG = ["5x5", "4x6", "5x6@2,2", "6x5:3", "6x6@0,0:333", "7x4", "6x7:4444443", "9x5@4,2:33333333"]
INTERRUPTED = """
import _thread, threading, time
from fourfall import Board, Solver

solver = Solver(threads=2)

def interrupt():
    while (snapshot := solver.snapshot()) is None or snapshot.positions < 100_000:
        time.sleep(0.001)
    _thread.interrupt_main()

threading.Thread(target=interrupt).start()
try:
    solver.solve(Board(9, 9))
except KeyboardInterrupt:
    print(solver.solve(Board(4, 4)).score)
"""


@pytest.mark.parametrize("position", LONG)
def test_score_does_not_depend_on_threads(position: str) -> None:
    """One, two and four threads find the same score, and a principal variation of its length."""
    board = Board.parse(position)
    expected = solve(board)
    assert expected.positions > 2**14
    for threads in (2, 4):
        solution = solve(board, threads=threads, memory_mb=4)
        assert solution.score == expected.score
        assert solution.score is not None
        assert len(solution.pv) == solution.score.distance
        for column in solution.pv:
            board.push(column)
        assert board.is_over
        board = Board.parse(position)


def test_columns_have_the_same_scores() -> None:
    """Every column is solved as in one thread."""
    board = Board.parse("5x6@2,2")
    one, two = solve(board, columns=True), solve(board, columns=True, threads=2)
    assert [column.score for column in two.columns] == [column.score for column in one.columns]


@pytest.mark.parametrize("shape", [Shape(4, 5), Shape(5, 5, (2, 2))], ids=str)
def test_short_searches_agree_with_perfect_play(shape: Shape) -> None:
    """Positions that one thread solves alone agree with brute force."""
    solver, perfect = Solver(memory_mb=4, threads=3), PerfectPlay()
    for board in sample_quiet_positions(shape, 9, 5, seed=3):
        assert to_perfect_result(solver.solve(board).score) == perfect.solve(make_reference(board))


def test_bounds_are_sound_at_every_limit() -> None:
    """A stopped search has bounds that contain the exact score, and keeps to the limit of all threads together."""
    board = Board.parse("6x6@0,0:333")
    exact = solve(board).score
    assert exact is not None
    for positions in (1000, 20_000, 50_000, 100_000):
        solution = solve(board, positions=positions, threads=3)
        assert solution.lower <= exact <= solution.upper
        assert solution.positions <= positions + 100


def test_running_threads_are_stopped() -> None:
    """stop() ends all threads of a long search."""
    solver = Solver(threads=2)
    solutions: list[Solution] = []
    thread = threading.Thread(target=lambda: solutions.append(solver.solve(Board(9, 9))), daemon=True)
    thread.start()
    while (snapshot := solver.snapshot()) is None or snapshot.positions < 100_000:
        thread.join(0.001)
    solver.stop()
    thread.join(10)
    assert solutions[0].score is None


def test_interruption_ends_all_threads() -> None:
    """Ctrl-C ends the threads, and the solver can be used again."""
    command = [sys.executable, "-c", INTERRUPTED]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (result.returncode, result.stdout) == (0, "draws\n"), result.stderr


def test_time_limit_ends_all_threads() -> None:
    """A limit in seconds stops a search in several threads."""
    solution = solve(Board(9, 9), time=0.2, threads=2)
    assert solution.score is None
    assert solution.positions > 2**14
