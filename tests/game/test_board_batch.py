"""Tests of BoardBatch: every step agrees with Board; arrays, resets, threads and errors."""

import gc
import multiprocessing
import sys
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from fourfall import Board, BoardBatch, Geometry, IllegalMove, InvalidBoard
from tests.strategies import Shape, shapes

ARRAYS = ("planes", "masks", "rewards", "terminated", "winners", "turns", "plies")
LAYOUTS = [Shape(6, 7), Shape(9, 12, (3, 4)), Shape(10, 11, (9, 0)), Shape(11, 10), Shape(12, 9, (0, 0)), Shape(12, 12)]


def pad_planes(board: Board, rows: int, cols: int) -> NDArray[np.float32]:
    """Return the planes of a board in the top-left corner, with 1 on the other cells of the last plane."""
    planes = np.zeros((4, rows, cols), np.float32)
    planes[3] = 1
    planes[:, : board.rows, : board.cols] = board.planes()
    return planes


def assert_equal_to_boards(batch: BoardBatch, boards: list[Board]) -> None:
    """Check the boards of a batch and all arrays of the current position."""
    assert [board.moves for board in batch] == [board.moves for board in boards]
    assert batch.boards == boards
    expected = np.array([pad_planes(board, batch.rows, batch.cols) for board in boards])
    assert np.array_equal(batch.planes, expected)
    masks = [[board.is_legal(col) for col in range(batch.cols)] for board in boards]
    assert batch.masks.tolist() == masks
    assert batch.turns.tolist() == [board.turn for board in boards]
    assert batch.plies.tolist() == [board.ply for board in boards]


def get_winner(board: Board) -> int:
    """Return the winner, -1 if there is none."""
    outcome = board.outcome()
    return -1 if outcome is None or outcome.winner is None else outcome.winner


def play_and_compare(batch: BoardBatch, steps: int) -> int:
    """Play random moves with auto-reset on a batch and on boards; return the number of finished games."""
    boards, games = batch.boards, 0
    for _ in range(steps):
        actions = batch.random_actions()
        for board, column in zip(boards, actions.tolist(), strict=True):
            board.push(column)
        rewards, terminated = batch.step(actions)
        assert terminated.tolist() == [board.is_over for board in boards]
        assert batch.winners.tolist() == [get_winner(board) for board in boards]
        assert rewards.tolist() == [float(winner >= 0) for winner in batch.winners]
        games += int(terminated.sum())
        for i in np.flatnonzero(terminated).tolist():
            boards[i] = batch[i]
            assert boards[i].ply == 0
        assert_equal_to_boards(batch, boards)
    return games


@pytest.mark.parametrize("shape", LAYOUTS, ids=str)
def test_steps_agree_with_board(shape: Shape) -> None:
    """Random games with auto-reset have the boards, arrays, winners and rewards of Board, in every layout."""
    assert play_and_compare(BoardBatch(100, *shape, seed=shape.rows), 80) > 100


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_steps_on_official_boards_agree_with_board(dtype: str) -> None:
    """The same with official boards, which are drawn anew for every game."""
    batch = BoardBatch.random(32, seed=3, dtype=dtype)
    before = {board.geometry for board in batch}
    assert play_and_compare(batch, 60) > 16
    after = {board.geometry for board in batch}
    assert batch.planes.dtype == dtype
    assert len(before) > 16
    assert before != after
    assert all(g.hole is not None and 9 <= g.rows <= 12 and 9 <= g.cols <= 12 for g in before | after)


def test_official_boards_have_the_official_distribution() -> None:
    """Sizes are uniform within five standard errors, and the same seed gives the same boards."""
    boards = BoardBatch.random(4096, seed=1).boards
    counts = np.zeros((4, 4))
    for board in boards:
        counts[board.rows - 9, board.cols - 9] += 1
    assert abs(counts - 256).max() < 5 * np.sqrt(256 * 15 / 16)
    assert boards == BoardBatch.random(4096, seed=1).boards
    assert boards != BoardBatch.random(4096, seed=2).boards


@settings(max_examples=40)
@given(shapes(), st.integers(0, 2**64 - 1), st.booleans())
def test_any_size_agrees_with_board(shape: Shape, seed: int, is_byte: bool) -> None:
    """Whole games on all sizes, with and without a hole, agree with Board."""
    play_and_compare(BoardBatch(3, *shape, seed=seed, dtype="uint8" if is_byte else "float32"), shape.cells + 1)


def play_whole_games(batch: BoardBatch, steps: int) -> list[NDArray[Any]]:
    """Return copies of all arrays after each step."""
    out = []
    for _ in range(steps):
        batch.step(batch.random_actions())
        out += [getattr(batch, name).copy() for name in ARRAYS]
    return out


@pytest.mark.parametrize(
    ("kind", "boards", "threads", "steps"),
    [("6x7", 2048 * 5, 5, 12), ("official", 2048 * 2, 2, 12), ("6x7", 16384 * 2, 2, 2)],
)
def test_threads_give_the_same_result(kind: str, boards: int, threads: int, steps: int) -> None:
    """Arrays are identical. A step uses one thread for every 2048 boards, `random_actions` one for every 16384."""

    def make(threads: int) -> BoardBatch:
        if kind == "6x7":
            return BoardBatch(boards, 6, 7, seed=5, threads=threads, dtype="uint8")
        return BoardBatch.random(boards, seed=5, threads=threads, dtype="uint8")

    assert all(map(np.array_equal, play_whole_games(make(1), steps), play_whole_games(make(threads), steps)))


def test_random_actions_are_uniform_among_legal_columns() -> None:
    """With one column full, the six others are drawn equally often."""
    batch = BoardBatch.from_boards([Board.parse("6x7:444444")] * 60_000, seed=9)
    counts = np.bincount(batch.random_actions(), minlength=7)
    assert counts[3] == 0
    assert abs(np.delete(counts, 3) - 10_000).max() < 5 * np.sqrt(10_000)
    assert not np.array_equal(batch.random_actions(), batch.random_actions())


def test_without_auto_reset_finished_games_stay() -> None:
    """A finished game keeps its position, winner and flag, ignores actions, has no reward; reset(mask) replaces it."""
    boards = [Board.parse("6x7:112233"), Board.parse("6x7:1"), Board.parse("4x4:432131114423423")]
    batch = BoardBatch.from_boards(boards, auto_reset=False)
    rewards, terminated = batch.step([3, 3, 1])
    assert (rewards.tolist(), terminated.tolist(), batch.winners.tolist()) == (
        [1, 0, 0],
        [True, False, True],
        [0, -1, -1],
    )
    for board, column in zip(boards, [3, 3, 1], strict=True):
        board.push(column)
    assert boards[2].is_over
    assert not batch.masks[0].any()
    assert_equal_to_boards(batch, boards)
    rewards, terminated = batch.step([3, 3, 99])
    boards[1].push(3)
    assert (rewards.tolist(), terminated.tolist(), batch.winners.tolist()) == (
        [0, 0, 0],
        [True, False, True],
        [0, -1, -1],
    )
    assert_equal_to_boards(batch, boards)
    assert batch.random_actions()[[0, 2]].tolist() == [0, 0]
    batch.reset(batch.terminated)
    assert [board.notation for board in batch] == ["6x7:112233", "6x7:144", "4x4:432131114423423"]
    assert not batch.terminated.any()
    assert batch.winners.tolist() == [-1, -1, -1]


def test_reset_starts_all_games_again() -> None:
    """Without a mask every board returns to its start, and the arrays show it."""
    starts = [Board.parse("6x7:44"), Board.parse("9x9@4,4:1")]
    batch = BoardBatch.from_boards(starts)
    for _ in range(30):
        batch.step(batch.random_actions())
    batch[0] = Board.parse("5x5:12345")
    batch.reset()
    assert_equal_to_boards(batch, starts)
    assert not batch.rewards.any()
    assert not batch.terminated.any()


def test_boards_can_be_replaced() -> None:
    """`batch[i] = board` changes one board and its arrays; indices count from the end if negative."""
    batch = BoardBatch(3, 6, 7)
    batch[-1] = Board.parse("6x7:4455")
    assert_equal_to_boards(batch, [Board(6, 7), Board(6, 7), Board.parse("6x7:4455")])
    assert batch[-1] == batch[2] == Board.parse("6x7:4455")
    batch[0].push(0)
    assert batch[0].ply == 0, "batch[i] is a copy"
    for index in (3, -4):
        with pytest.raises(IndexError, match=f"board {index} is not in a batch of 3 boards"):
            batch[index]
    with pytest.raises(InvalidBoard, match="board 1: its geometry is 9x9, but the boards of this batch have 6x7"):
        batch[1] = Board(9, 9)
    with pytest.raises(InvalidBoard, match="board 1: the game is over"):
        batch[1] = Board.parse("6x7:1212121")


def test_properties() -> None:
    """Size, geometry and text of batches of one and of several geometries."""
    batch = BoardBatch(5, 9, 10, hole=(2, 3))
    assert (len(batch), batch.rows, batch.cols, batch.geometry) == (5, 9, 10, Geometry(9, 10, hole=(2, 3)))
    assert repr(batch) == "<BoardBatch: 5 boards 9x10@2,3>"
    assert repr(BoardBatch(1, 6, 7)) == "<BoardBatch: 1 board 6x7>"
    mixed = BoardBatch.from_boards([Board(4, 4), Board(5, 5)])
    assert (len(mixed), mixed.rows, mixed.cols, mixed.geometry) == (2, 12, 12, None)
    assert repr(mixed) == "<BoardBatch: 2 boards of several geometries>"
    assert repr(BoardBatch.random(7)) == "<BoardBatch: 7 boards of several geometries>"


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_actions_of_any_integer_type(dtype: type[np.generic]) -> None:
    """Arrays of all integer types, also with strides and read-only, and lists are accepted."""
    columns = np.array([6, 0, 3, 9, 2, 9], dtype)
    columns.flags.writeable = False
    batch = BoardBatch(3, 6, 7)
    batch.step(columns[::2])
    batch.step(columns[[0, 2, 4]].tolist())
    assert [board.moves for board in batch] == [[6, 6], [3, 3], [2, 2]]


def test_actions_that_dlpack_cannot_describe() -> None:
    """Integers of the other byte order and fields of records, whose strides are not whole integers, are copied."""
    records = np.array([(0, 6), (0, 3), (0, 2)], [("score", "i1"), ("column", "i4")])
    batch = BoardBatch(3, 6, 7)
    batch.step(records["column"])
    batch.step(np.array([6, 3, 2], np.dtype(np.int32).newbyteorder("S")))
    assert [board.moves for board in batch] == [[6, 6], [3, 3], [2, 2]]


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        ([0, 3], ValueError, r"actions must be 3 integers, not int64 of shape \(2,\)"),
        ([[0, 3, 1]], ValueError, r"actions must be 3 integers, not int64 of shape \(1, 3\)"),
        (2, ValueError, r"actions must be 3 integers, not int64 of shape \(\)"),
        ([0.0, 1.0, 2.0], TypeError, r"actions must be 3 integers, not float64 of shape \(3,\)"),
        ([True, False, True], TypeError, r"actions must be 3 integers, not bool of shape \(3,\)"),
        (["0", "1", "2"], TypeError, r"actions must be 3 integers, not <U1 of shape \(3,\)"),
        ([None, 1, 2], TypeError, r"actions must be 3 integers, not object of shape \(3,\)"),
        ([[1], [2, 3], 4], TypeError, "actions must be 3 integers, not <class 'list'>"),
        ([0, 7, 1], IllegalMove, r"board 1: column 7 is off the board: columns are 0\.\.6"),
        ([0, 1, -1], IllegalMove, r"board 2: column -1 is off the board: columns are 0\.\.6"),
        ([0, 1, 2**40], IllegalMove, r"board 2: column 1099511627776 is off the board: columns are 0\.\.6"),
        ([3, 3, 3], IllegalMove, "board 1: column 3 is full"),
    ],
)
def test_invalid_actions_change_nothing(actions: object, error: type[Exception], message: str) -> None:
    """The message says what is wrong, with the board and the column; no board and no array has changed."""
    boards = [Board(6, 7), Board.parse("6x7:444444"), Board(6, 7)]
    batch = BoardBatch.from_boards(boards)
    with pytest.raises(error, match=message):
        batch.step(actions)  # type: ignore[arg-type]
    assert_equal_to_boards(batch, boards)


@pytest.mark.parametrize(
    ("mask", "error", "message"),
    [
        ([True], ValueError, r"mask must be 3 booleans, not bool of shape \(1,\)"),
        ([0, 1, 1], TypeError, r"mask must be 3 booleans, not int64 of shape \(3,\)"),
    ],
)
def test_invalid_mask(mask: object, error: type[Exception], message: str) -> None:
    """A mask must be as many booleans as there are boards."""
    with pytest.raises(error, match=message):
        BoardBatch(3, 6, 7).reset(mask)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"count": 0}, "count must be 1 to 16777216, not 0"),
        ({"count": -5}, "count must be 1 to 16777216, not -5"),
        ({"rows": 3}, "a board has 4 to 12 rows, not 3"),
        ({"hole": (6, 0)}, r"hole \(6, 0\) is off the 6x7 board"),
        ({"threads": 0}, "threads must be 1 to 64, not 0"),
        ({"buffers": 0}, "buffers must be 1 to 4096, not 0"),
        ({"dtype": "float64"}, "dtype must be float32 or uint8, not float64"),
        ({"dtype": "many"}, "dtype must be float32 or uint8, not many"),
    ],
)
def test_invalid_options(options: dict[str, Any], message: str) -> None:
    """Each invalid option is named with its range."""
    with pytest.raises(ValueError, match=message):
        BoardBatch(**({"count": 2, "rows": 6, "cols": 7} | options))


def test_invalid_boards() -> None:
    """from_boards() names the index of what is not a board of an unfinished game."""
    with pytest.raises(ValueError, match="the number of boards must be 1 to 16777216, not 0"):
        BoardBatch.from_boards([])
    with pytest.raises(TypeError, match="board 1 must be a Board, not <class 'str'>"):
        BoardBatch.from_boards([Board(6, 7), "6x7"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="boards must be a BoardBatch or a sequence of boards"):
        BoardBatch.from_boards(3)  # type: ignore[arg-type]
    with pytest.raises(InvalidBoard, match="board 1: the game is over"):
        BoardBatch.from_boards([Board(6, 7), Board.parse("6x7:1212121")])


def test_arrays_share_the_memory_of_the_batch() -> None:
    """An array shows the next step without being fetched again, is aligned for JAX, and outlives the batch."""
    batch = BoardBatch(64, 6, 7)
    arrays = {name: getattr(batch, name) for name in ARRAYS}
    for name, array in arrays.items():
        assert getattr(batch, name) is array
        assert array.ctypes.data % 64 == 0
        assert array.flags.c_contiguous
        assert array.flags.writeable
    rewards, terminated = batch.step([3] * 64)
    assert (rewards is arrays["rewards"], terminated is arrays["terminated"]) == (True, True)
    assert arrays["planes"][:, 1, 5, 3].all()
    del batch, rewards, terminated
    gc.collect()
    assert arrays["plies"].tolist() == [1] * 64
    assert arrays["planes"][:, 1, 5, 3].all()


def test_values_written_by_the_user_do_not_change_the_games() -> None:
    """The boards are not in the arrays: the next step writes all values anew."""
    batch, other = BoardBatch(16, 6, 7, seed=1), BoardBatch(16, 6, 7, seed=1)
    for _ in range(20):
        for name in ARRAYS:
            getattr(batch, name)[:] = 1
        batch.step(batch.random_actions())
        other.step(other.random_actions())
        assert all(np.array_equal(getattr(batch, name), getattr(other, name)) for name in ARRAYS)


def test_buffers_are_used_in_turn() -> None:
    """With three buffers, the arrays of the last two steps before the current one are unchanged."""
    batch = BoardBatch(8, 6, 7, buffers=3)
    history = [(batch.planes, batch.planes.copy())]
    for _ in range(50):
        batch.step(batch.random_actions())
        history.append((batch.planes, batch.planes.copy()))
        assert all(np.array_equal(view, copy) for view, copy in history[-3:])
    assert history[0][0] is history[3][0]
    assert history[0][0] is not history[1][0]


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_numpy_reads_the_arrays_with_dlpack(name: str, dtype: str) -> None:
    """from_dlpack() makes an array of the same type that shares the memory."""
    batch = BoardBatch(4, 6, 7, dtype=dtype)
    array = getattr(batch, name)
    copy = np.from_dlpack(array)
    batch.step([0, 1, 2, 3])
    assert np.shares_memory(copy, array)
    assert copy.dtype == array.dtype
    assert np.array_equal(copy, array)


def test_two_threads_cannot_use_a_batch_at_the_same_time() -> None:
    """Concurrent calls either succeed or raise RuntimeError; the batch stays consistent."""
    batch = BoardBatch(4096, 9, 9, threads=2, auto_reset=False)
    errors: list[str] = []

    def play() -> None:
        for _ in range(30):
            try:
                batch.step(np.zeros(4096, np.int64) + 4)
            except RuntimeError as error:
                errors.append(str(error))
            except IllegalMove:
                return

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(errors) <= {"the batch is in use by another thread"}
    assert len({board.notation for board in batch}) == 1


def step_in_child(batch: BoardBatch, connection: Any) -> None:  # noqa: ANN401
    """Play in a forked process and send the sum of the stones."""
    batch.step(batch.random_actions())
    connection.send(int(batch.plies.sum()))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs fork()")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_batch_works_after_fork() -> None:
    """A forked process has no threads of the pool; it starts its own. The parent is not affected."""
    batch = BoardBatch(4096, 6, 7, threads=2)
    batch.step(batch.random_actions())
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    process = context.Process(target=step_in_child, args=(batch, there))
    process.start()
    assert here.poll(60), "the child process did not answer"
    assert here.recv() == 2 * 4096
    process.join()
    assert process.exitcode == 0
    batch.step(batch.random_actions())
    assert batch.plies.sum() == 2 * 4096
