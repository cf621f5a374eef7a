"""Tests of the evaluation of many positions: equal to the evaluation of one, with any number of threads."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from fourfall import Board, BoardBatch, Engine, EngineError, Network

Array = NDArray[np.float32]
INTERRUPTED = """
import _thread, sys, threading
from fourfall import Board, Engine

engine = Engine(sys.argv[1])
boards = [Board(12, 12)] * 60_000
threading.Timer(0.1, _thread.interrupt_main).start()
try:
    engine.evaluate(boards)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.fixture(scope="module")
def network(network_preset: Path) -> Network:
    """Load the small network with random weights."""
    return Network.load(network_preset.with_name("random.f4w"))


@pytest.fixture(scope="module")
def engine(network_preset: Path) -> Engine:
    """Make an engine with the small network."""
    return Engine(network_preset, memory_mb=16)


def make_boards(count: int) -> list[Board]:
    """Return positions of many sizes, with full columns in some."""
    boards = [Board.parse("6x7:444444"), Board.parse("4x4:12345678"[:7]), Board.parse("12x12@0,0:1"), Board(9, 9)]
    batch = BoardBatch.random(count - len(boards), seed=2, auto_reset=False)
    for _ in range(20):
        batch.step(batch.random_actions())
        batch.reset(batch.terminated)
    return boards + batch.boards


def assert_equal_to_single(network: Network, boards: list[Board], values: Array, logits: Array) -> None:
    """Check that each row has the bits of the evaluation of one board."""
    assert values.dtype == logits.dtype == np.float32
    for board, value, row in zip(boards, values, logits, strict=True):
        expected, columns = network.evaluate(board)
        assert value == expected
        assert [None if np.isneginf(logit) else logit for logit in row[: board.cols].tolist()] == columns
        assert np.isneginf(row[board.cols :]).all()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_evaluations_equal_the_evaluation_of_one_board(network: Network, engine: Engine, threads: int) -> None:
    """Values and logits of boards of many sizes have the same bits as with Network.evaluate, in the same order."""
    boards = make_boards(60)
    for values, logits in (
        network.evaluate_many(boards, threads=threads),
        engine.evaluate(boards, threads=threads),
        engine.evaluate(iter(boards)),
    ):
        assert (values.shape, logits.shape) == ((60,), (60, 12))
        assert_equal_to_single(network, boards, values, logits)


@pytest.mark.parametrize("batch", [BoardBatch(20, 6, 9, (5, 2)), BoardBatch.random(20)], ids=["6x9", "official"])
def test_batch_is_evaluated(network: Network, engine: Engine, batch: BoardBatch) -> None:
    """A batch gives as many logits per board as its masks have columns; its arrays and boards are unchanged."""
    for _ in range(5):
        batch.step(batch.random_actions())
    before = batch.planes.copy()
    values, logits = engine.evaluate(batch)
    assert logits.shape == batch.masks.shape
    assert np.array_equal(np.isfinite(logits), batch.masks)
    assert_equal_to_single(network, batch.boards, values, logits)
    assert np.array_equal(before, batch.planes)


def test_finished_game_has_its_result(engine: Engine) -> None:
    """The value of a lost game is -1 for the side to move, that of a draw 0; no column is legal."""
    values, logits = engine.evaluate([Board.parse("6x7:1212121"), Board.parse("4x4:4321311144234232"), Board(6, 7)])
    assert values[:2].tolist() == [-1, 0]
    assert np.isneginf(logits[:2]).all()
    assert np.isfinite(logits[2]).all()


def test_no_boards(engine: Engine) -> None:
    """An empty list gives empty arrays."""
    values, logits = engine.evaluate([])
    assert (values.shape, logits.shape) == ((0,), (0, 0))


@pytest.mark.parametrize("preset", ["seed-002", "fourfall-classic"])
def test_engine_without_network_is_rejected(preset: str) -> None:
    """Engines that evaluate by rollouts raise EngineError, which says what to use."""
    with pytest.raises(EngineError, match=r"this engine has no network.*for example Engine\('fourfall'\)"):
        Engine(preset, memory_mb=16).evaluate([Board(6, 7)])


def test_invalid_arguments(engine: Engine) -> None:
    """A number of threads out of range and an object that is no board are named."""
    with pytest.raises(ValueError, match="threads must be 1 to 1024, not 0"):
        engine.evaluate([Board(6, 7)], threads=0)
    with pytest.raises(TypeError, match="board 1 must be a Board, not <class 'NoneType'>"):
        engine.evaluate([Board(6, 7), None])  # type: ignore[list-item]


def test_evaluation_can_be_interrupted(network_preset: Path) -> None:
    """Ctrl-C ends an evaluation that would take seconds."""
    command = [sys.executable, "-c", INTERRUPTED, str(network_preset)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (result.returncode, result.stdout) == (0, "interrupted\n"), result.stderr
