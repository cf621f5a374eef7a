"""Tests of solve_many: equal to solve for each board, with any number of threads; progress and interruption."""

import subprocess
import sys

import pytest

from fourfall import Board, BoardBatch, EngineError, Solution, solve, solve_many
from tests.search.perfect_play import sample_quiet_positions
from tests.strategies import Shape

SHAPES = (Shape(4, 5), Shape(5, 5, (2, 2)), Shape(6, 7))
BOARDS = [board for shape in SHAPES for board in sample_quiet_positions(shape, 12, 5, seed=1)]
INTERRUPTED = """
import _thread, threading
from fourfall import Board, solve_many

boards, solved = [Board(4, 4), Board.parse("4x5:1"), Board(12, 12), Board(4, 4), Board(9, 9)], []
have_all_small_boards = threading.Event()

def interrupt():
    have_all_small_boards.wait()
    _thread.interrupt_main()

def keep(index, solution):
    solved.append(index)
    if len(solved) == 3:
        have_all_small_boards.set()

threading.Thread(target=interrupt).start()
try:
    solve_many(boards, threads=2, progress=keep)
except KeyboardInterrupt:
    print(sorted(solved))
"""


def summarise(solution: Solution) -> tuple[object, ...]:
    """Return everything but the time."""
    columns = [(column.column, column.lower, column.upper) for column in solution.columns]
    return solution.board, solution.lower, solution.upper, solution.pv, columns, solution.positions


@pytest.mark.parametrize("threads", [None, 1, 3])
@pytest.mark.parametrize("options", [{}, {"columns": True}, {"positions": 200}], ids=str)
def test_solutions_equal_solve(threads: int | None, options: dict[str, int]) -> None:
    """Scores, principal variations, columns and numbers of positions are those of solve(), in order."""
    solutions = solve_many(BOARDS, threads=threads, memory_mb=4, **options)  # type: ignore[arg-type]
    expected = [solve(board, memory_mb=4, **options) for board in BOARDS]  # type: ignore[arg-type]
    assert list(map(summarise, solutions)) == list(map(summarise, expected))


def test_tables_are_empty_for_each_board() -> None:
    """A thread reuses its memory for boards of other sizes, after searches that used little or nearly all of it."""
    boards = [Board.parse(text) for text in ("6x7:4", "12x12:6", "6x7:4", "4x5:1", "12x12:6", "9x9@4,4:5", "6x7:4")]
    for positions in (1000, 50_000):
        solutions = solve_many(boards, threads=1, memory_mb=4, positions=positions)
        expected = [solve(board, memory_mb=4, positions=positions) for board in boards]
        assert list(map(summarise, solutions)) == list(map(summarise, expected))


def test_limit_leaves_bounds() -> None:
    """A board that is not solved at its limit has bounds; the others are solved."""
    first, second = solve_many([Board(9, 9), Board(4, 4)], time=0.05)
    assert first.score is None
    assert first.lower < first.upper
    assert str(second.score) == "draws"


def test_progress_is_called_once_for_each_board() -> None:
    """The callback gets every index with the solution that is returned."""
    reported: dict[int, Solution] = {}
    solutions = solve_many(BOARDS, progress=reported.__setitem__)
    assert sorted(reported) == list(range(len(BOARDS)))
    assert [summarise(reported[i]) for i in range(len(BOARDS))] == [summarise(solution) for solution in solutions]


def test_every_one_of_many_short_boards_is_reported() -> None:
    """Boards that are solved faster than the calling thread is woken are all reported, in order with one thread."""
    boards = [Board.parse("6x7:4455")] * 3 + [Board.parse("4x4:112233")] * 2000
    reported: list[int] = []
    solve_many(boards, threads=1, positions=1000, progress=lambda index, _: reported.append(index))
    assert reported == list(range(len(boards)))


def test_exception_of_the_callback_ends_the_call() -> None:
    """The exception is raised to the caller, long before the large boards are solved."""

    def fail(index: int, _: Solution) -> None:
        raise OSError(f"no space for board {index}")

    with pytest.raises(OSError, match="no space for board 1"):
        solve_many([Board(12, 12), Board(4, 4), Board(9, 9)], threads=2, progress=fail)


def test_interruption_keeps_what_was_reported() -> None:
    """Ctrl-C ends the call; the boards that were solved before it have been reported."""
    command = [sys.executable, "-c", INTERRUPTED]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (result.returncode, result.stdout) == (0, "[0, 1, 3]\n"), result.stderr


def test_batch_and_empty_list() -> None:
    """A BoardBatch is solved like its boards; no boards give no solutions."""
    batch = BoardBatch.from_boards(BOARDS)
    assert list(map(summarise, solve_many(batch))) == list(map(summarise, solve_many(BOARDS)))
    assert solve_many([]) == []


def test_invalid_arguments() -> None:
    """A finished game is named by its index; the limits are those of solve()."""
    with pytest.raises(EngineError, match="board 1: the game is over: there is nothing to solve"):
        solve_many([Board(4, 4), Board.parse("6x7:1212121")])
    with pytest.raises(TypeError, match="board 0 must be a Board, not <class 'int'>"):
        solve_many([4])  # type: ignore[list-item]
    with pytest.raises(EngineError, match="the solver needs at least 4 MiB of memory"):
        solve_many([Board(4, 4)], memory_mb=0)
    with pytest.raises(ValueError, match="threads must be 1 to 1024, not -1"):
        solve_many([Board(4, 4)], threads=-1)
    with pytest.raises(ValueError, match="time must be a finite number of seconds, at least 0"):
        solve_many([Board(4, 4)], time=-1)
