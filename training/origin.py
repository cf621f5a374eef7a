"""Owns where the networks of a new run come from: another run's checkpoint, or a weights file that was exported."""

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from numpy.typing import NDArray

from training import weights_file
from training.checkpoint import CheckpointError, fitting, opened
from training.learner import Learner
from training.network import Size
from training.weights_file import WeightsError


def adopt(path: Path, fresh: tuple[Learner, ...], sizes: tuple[Size, ...]) -> tuple[Learner, ...]:
    """Take other networks: of the same size, or shallower ones to grow from; what there is none for stays fresh.

    A weights file has neither Adam's moments nor the learning aids: these begin anew.
    """
    arrays, names = _exported(path) if path.suffix == ".f4w" else _checkpointed(path)
    adopted = []
    for size, own in zip(sizes, fresh, strict=True):
        shallower = [Size(size.channels, blocks).name for blocks in range(size.blocks, 0, -1)]
        origin = next((name for name in shallower if name in names), None)
        adopted.append(own if origin is None else _grown(path, arrays, names.index(origin), own))
    if all(new is old for new, old in zip(adopted, fresh, strict=True)):
        raise CheckpointError(f"{path}: has networks {', '.join(names)}, none that these settings can use")
    return tuple(adopted)


def _checkpointed(path: Path) -> tuple[dict[str, NDArray[Any]], list[str]]:
    arrays, about = opened(path)
    return arrays, about["sizes"]


def _exported(path: Path) -> tuple[dict[str, NDArray[Any]], list[str]]:
    """Read a weights file as if it were a checkpoint of that one network."""
    try:
        loaded = weights_file.read(path)
    except WeightsError as error:
        raise CheckpointError(str(error)) from None
    places = ("weights", "average")
    arrays = {f"learners[0].{place}['{name}']": tensor for place in places for name, tensor in loaded.tensors.items()}
    return arrays, [loaded.size.name]


def _grown(path: Path, arrays: dict[str, NDArray[Any]], number: int, own: Learner) -> Learner:
    """Read a network; blocks that it lacks end in zeros, so that at first they hand on what they get."""

    def part(where: Any, leaf: jax.Array) -> jax.Array:  # noqa: ANN401 - a path in the tree, as JAX has it
        key = jax.tree_util.keystr(where)
        name = f"learners[{number}]{key}"
        if name in arrays:
            return fitting(path, arrays, name, leaf)
        return jnp.zeros_like(leaf) if key.partition("['")[2].startswith(("c", "pool")) else leaf

    grown: Learner = jax.tree.map_with_path(part, own)
    return grown
