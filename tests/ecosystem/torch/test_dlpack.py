"""Tests that PyTorch and JAX read the arrays of a batch without a copy, and that their arrays are actions."""

from typing import Any

import numpy as np
import pytest

from fourfall import BoardBatch

torch = pytest.importorskip("torch")
jax = pytest.importorskip("jax")

ARRAYS = ("planes", "masks", "rewards", "terminated", "winners", "turns", "plies")


@pytest.fixture(params=["float32", "uint8"])
def batch(request: pytest.FixtureRequest) -> BoardBatch:
    """Make a batch in the middle of the games."""
    batch = BoardBatch(256, 9, 10, hole=(3, 3), dtype=request.param)
    for _ in range(20):
        batch.step(batch.random_actions())
    return batch


@pytest.mark.parametrize("name", ARRAYS)
def test_torch_shares_the_memory(batch: BoardBatch, name: str) -> None:
    """A tensor made once shows every later step."""
    array: Any = getattr(batch, name)
    for tensor in (torch.from_dlpack(array), torch.from_numpy(array)):
        assert tensor.data_ptr() == array.ctypes.data
        batch.step(batch.random_actions())
        assert np.array_equal(tensor.numpy(), array)


@pytest.mark.parametrize("name", ARRAYS)
def test_jax_shares_the_memory(batch: BoardBatch, name: str) -> None:
    """An array of JAX points to the memory of the batch, of the same type."""
    array: Any = getattr(batch, name)
    shared = jax.dlpack.from_dlpack(array)
    assert shared.unsafe_buffer_pointer() == array.ctypes.data
    assert shared.dtype == array.dtype
    assert np.array_equal(np.asarray(shared), array)


def test_actions_of_other_libraries(batch: BoardBatch) -> None:
    """A tensor of PyTorch and an array of JAX are actions; a tensor of another type is rejected with its type."""
    legal = torch.from_dlpack(batch.masks).float()
    batch.step(torch.multinomial(legal, 1)[:, 0])
    batch.step(jax.numpy.argmax(jax.numpy.asarray(batch.masks), axis=1))
    batch.reset(torch.from_dlpack(batch.terminated))
    with pytest.raises(TypeError, match=r"actions must be 256 integers, not float32 of shape \(256,\)"):
        batch.step(torch.zeros(256))
    with pytest.raises(ValueError, match=r"actions must be 256 integers, not int64 of shape \(256, 1\)"):
        batch.step(torch.multinomial(legal, 1))
