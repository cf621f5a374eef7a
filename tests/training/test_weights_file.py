"""Tests of weights files and check files: content, format, and errors for invalid files."""

import json
import struct
from pathlib import Path

import pytest

pytest.importorskip("jax", reason="needs JAX: pip install '.[train]'")

import jax
import jax.numpy as jnp
import numpy as np

from fourfall import Board
from training import network
from training.check_file import write_check_file
from training.weights_file import Tensors, WeightsError, read_weights, write_weights


@pytest.fixture(scope="module")
def tensors(weights: network.Weights) -> Tensors:
    """Return random weights as NumPy arrays."""
    return {name: np.asarray(tensor) for name, tensor in weights.items()}


@pytest.fixture
def path(tmp_path: Path, size: network.Size, tensors: Tensors) -> Path:
    """Write them to a file and return its path."""
    write_weights(tmp_path / "net.f4w", size, tensors, dtype="bf16", run="test", note="random")
    return tmp_path / "net.f4w"


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_reading_returns_what_was_written(tmp_path: Path, size: network.Size, tensors: Tensors, dtype: str) -> None:
    """All tensors are read back, convolutions rounded to the file's precision; the auxiliary head is not stored."""
    path = tmp_path / "net.f4w"
    write_weights(path, size, tensors, dtype=dtype, run="test", note="random")
    header, read_size, read = read_weights(path)
    assert (read_size, header["run"], header["dtype"]) == (size, "test", dtype)
    assert list(read) == list(size.list_shapes())
    for name, tensor in read.items():
        rounded = tensors[name].astype(jnp.bfloat16) if dtype == "bf16" and tensor.ndim == 4 else tensors[name]
        np.testing.assert_array_equal(tensor, rounded.astype(np.float32))


def test_tensors_are_aligned_to_64_bytes(path: Path, tensors: Tensors) -> None:
    """The first tensor follows the padded header, and the first bias is at the offset that the format defines."""
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
def test_invalid_file_is_rejected(path: Path, change: "object", words: str) -> None:
    """A file of another type, a truncated, corrupt or newer file raises an error of one line that names it."""
    assert callable(change)
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(WeightsError, match=words) as caught:
        read_weights(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_check_file_has_positions_and_outputs(path: Path) -> None:
    """Positions are undecided and readable by the core, both precisions agree roughly, full columns have no logit."""
    check = path.with_name("net.f4w.check.json")
    write_check_file(check, path)
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


def test_outputs_do_not_depend_on_the_place_in_the_array(tensors: Tensors) -> None:
    """Planes shifted inside the 12 x 12 array give the same value and a shifted policy."""
    rng = np.random.default_rng(0)
    planes = np.zeros((4, 12, 12, 16), np.float32)
    planes[:, :6, :7] = rng.random((4, 6, 7, 16)) < 0.3
    planes[:, :6, :7, 2] = 1
    apply = jax.jit(network.apply_network)
    left, right = apply(tensors, jnp.asarray(planes)), apply(tensors, jnp.asarray(np.roll(planes, 5, axis=2)))
    np.testing.assert_allclose(left.value, right.value, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(left.policy[:, :7], right.policy[:, 5:], rtol=1e-4, atol=1e-5)
