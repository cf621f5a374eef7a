"""Initializes the networks of a new run from another run's checkpoint or from an exported weights file."""

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from numpy.typing import NDArray

from training.checkpoint import CheckpointError, load_array, read_checkpoint
from training.learner import LearnerState
from training.network import Size
from training.weights_file import WeightsError, read_weights


def load_learners(path: Path, untrained: tuple[LearnerState, ...], sizes: tuple[Size, ...]) -> tuple[LearnerState, ...]:
    """Replace untrained networks by those of a file with the same size, or with the same width and fewer blocks.

    A network for which the file has none stays untrained. A weights file has neither Adam's moments nor the auxiliary
    head: these keep their initial values.
    """
    arrays, names = _read_weights_file(path) if path.suffix == ".f4w" else _read_checkpoint(path)
    learners = []
    for size, state in zip(sizes, untrained, strict=True):
        candidates = [Size(size.channels, blocks).name for blocks in range(size.blocks, 0, -1)]
        source = next((name for name in candidates if name in names), None)
        learners.append(state if source is None else _load_learner(path, arrays, names.index(source), state))
    if all(new is old for new, old in zip(learners, untrained, strict=True)):
        wanted = ", ".join(size.name for size in sizes)
        raise CheckpointError(
            f"{path}: has networks {', '.join(names)}; the configuration has {wanted}, which can start only from "
            "networks with as many channels and at most as many blocks"
        )
    return tuple(learners)


def _read_checkpoint(path: Path) -> tuple[dict[str, NDArray[Any]], list[str]]:
    arrays, header = read_checkpoint(path)
    return arrays, header["sizes"]


def _read_weights_file(path: Path) -> tuple[dict[str, NDArray[Any]], list[str]]:
    """Read a weights file in the form of a checkpoint with one network."""
    try:
        file = read_weights(path)
    except WeightsError as error:
        raise CheckpointError(str(error)) from None
    fields = ("weights", "average")
    arrays = {f"learners[0].{field}['{name}']": tensor for field in fields for name, tensor in file.tensors.items()}
    return arrays, [file.size.name]


def _load_learner(path: Path, arrays: dict[str, NDArray[Any]], index: int, untrained: LearnerState) -> LearnerState:
    """Read a network; the last layers of blocks that it lacks are zero, so that these blocks start as the identity."""

    def load(path_in_tree: Any, leaf: jax.Array) -> jax.Array:  # noqa: ANN401 - JAX has no public type for it
        key = jax.tree_util.keystr(path_in_tree)
        name = f"learners[{index}]{key}"
        if name in arrays:
            return load_array(path, arrays, name, leaf)
        return jnp.zeros_like(leaf) if key.partition("['")[2].startswith(("c", "pool")) else leaf

    learner: LearnerState = jax.tree.map_with_path(load, untrained)
    return learner
