"""Owns the weights file and its check file: what is written is read, and whatever is wrong is one clear line."""

import json
import struct
from pathlib import Path

import pytest

pytest.importorskip("jax", reason="needs the extra: pip install 'fourfall[train]'")

import jax
import jax.numpy as jnp
import numpy as np

from fourfall import Board
from training import network, weights_file
from training.check_file import write_check
from training.weights_file import Tensors, WeightsError

SIZE = network.Size(8, 2)


@pytest.fixture(scope="module")
def tensors() -> Tensors:
    """Return random weights."""
    drawn = jax.jit(network.start, static_argnums=1)(jax.random.key(3), SIZE)
    return {name: np.asarray(tensor) for name, tensor in drawn.items()}


@pytest.fixture
def path(tmp_path: Path, tensors: Tensors) -> Path:
    """Write them to a file."""
    weights_file.write(tmp_path / "net.f4w", SIZE, tensors, dtype="bf16", run="test", note="random")
    return tmp_path / "net.f4w"


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_what_is_written_is_read(tmp_path: Path, tensors: Tensors, dtype: str) -> None:
    """All tensors come back, convolutions rounded to the file's precision; learning aids are left out."""
    path = tmp_path / "net.f4w"
    weights_file.write(path, SIZE, tensors, dtype=dtype, run="test", note="random")
    header, size, back = weights_file.read(path)
    assert (size, header["run"], header["dtype"]) == (SIZE, "test", dtype)
    assert list(back) == list(SIZE.shapes())
    for name, tensor in back.items():
        rounded = tensors[name].astype(jnp.bfloat16) if dtype == "bf16" and tensor.ndim == 4 else tensors[name]
        np.testing.assert_array_equal(tensor, rounded.astype(np.float32))


def test_tensors_lie_on_boundaries(path: Path, tensors: Tensors) -> None:
    """The first tensor follows the padded header; the stem's first bias stands where the format puts it."""
    data = path.read_bytes()
    magic, version, length = data[:4], *struct.unpack("<II", data[4:12])
    assert (magic, version) == (b"F4W1", 1)
    start = (12 + length + 63) // 64 * 64
    bias = start + 3 * 3 * 16 * 8 * 2
    np.testing.assert_array_equal(np.frombuffer(data, "<f4", 8, bias), tensors["stem_bias"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: b"PNG!" + data[4:], "not a weights file"),
        (lambda data: data[:20], "truncated"),
        (lambda data: data[:-1], "checksum"),
        (lambda data: data[:500] + bytes([data[500] ^ 1]) + data[501:], "checksum"),
        (lambda data: data[:4] + struct.pack("<I", 2) + data[8:], "version 2"),
    ],
)
def test_a_bad_file_is_one_line(path: Path, change: "object", words: str) -> None:
    """A foreign, truncated, corrupt or newer file is refused in a line that names it."""
    assert callable(change)
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(WeightsError, match=words) as refused:
        weights_file.read(path)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_check_file_holds_positions_and_answers(path: Path) -> None:
    """Positions are undecided games the core can read; both precisions agree roughly, full columns have no logit."""
    check = path.with_name("net.f4w.check.json")
    write_check(check, path)
    content = json.loads(check.read_text())
    assert content["weights"] == "net.f4w"
    assert len(content["positions"]) == 64
    boards = [Board.parse(entry["position"]) for entry in content["positions"]]
    assert {board.hole is None for board in boards} == {True, False}
    assert len({(board.rows, board.cols) for board in boards}) > 10
    for board, entry in zip(boards, content["positions"], strict=True):
        assert not board.winning_moves
        assert entry["safe"] == board.safe_moves
        logits = entry["f32"]["logits"]
        assert [column for column in range(board.cols) if logits[column] is not None] == board.legal_moves
        assert entry["f32"]["value"] == pytest.approx(entry["bf16"]["value"], abs=0.05)


def test_a_board_alone_and_in_a_corner_are_the_same(tensors: Tensors) -> None:
    """What lies beside the board does not matter: shifted planes give the same value and a shifted policy."""
    chance = np.random.default_rng(0)
    planes = np.zeros((4, 12, 12, 16), np.float32)
    planes[:, :6, :7] = chance.random((4, 6, 7, 16)) < 0.3
    planes[:, :6, :7, 2] = 1
    judge = jax.jit(network.judge)
    here, there = judge(tensors, jnp.asarray(planes)), judge(tensors, jnp.asarray(np.roll(planes, 5, axis=2)))
    np.testing.assert_allclose(here.value, there.value, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(here.policy[:, :7], there.policy[:, 5:], rtol=1e-4, atol=1e-5)
