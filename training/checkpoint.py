"""Saves and restores the state of a run as one file, which is replaced atomically."""

import json
import os
import zipfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from training.learner import LearnerState
from training.network import Size, Weights
from training.replay_buffer import ReplayBuffer
from training.self_play import Games

T = TypeVar("T")

FORMAT = 2


class CheckpointError(ValueError):
    """Unusable checkpoint; the message is one line that names the file and the reason."""


@dataclass
class Counters:
    """Work done by a run so far, including all resumptions."""

    iterations: int = 0
    learning_iterations: int = 0
    """Iterations in which the networks learned; the replay buffer must be filled first."""
    seconds: float = 0.0
    games: int = 0
    positions: int = 0
    evaluations: int = 0
    samples: int = 0
    next_match: float = 0.0
    """Fraction of the run at which the next match is due."""


@dataclass
class Snapshot:
    """Earlier averaged weights of the self-play network, in half precision."""

    iteration: int
    seconds: float
    tensors: dict[str, NDArray[np.float16]]

    def to_weights(self) -> Weights:
        """Convert the tensors to float32 for play."""
        return {name: jnp.asarray(tensor, jnp.float32) for name, tensor in self.tensors.items()}


@dataclass
class RunState:
    """Complete state of a run."""

    counters: Counters
    learners: tuple[LearnerState, ...]
    games: Games
    replay_buffer: ReplayBuffer
    snapshots: list[Snapshot] = field(default_factory=list)


def save_checkpoint(path: Path, state: RunState, sizes: tuple[Size, ...], *, with_replay_buffer: bool) -> None:
    """Write a state; at any time the path holds a complete checkpoint, the old or the new one."""
    arrays: dict[str, NDArray[Any]] = {}
    trees = {"learners": state.learners, "games": state.games}
    if with_replay_buffer:
        trees["replay_buffer"] = state.replay_buffer
    for name, tree in trees.items():
        for path_in_tree, leaf in jax.tree.flatten_with_path(tree)[0]:
            arrays[name + jax.tree_util.keystr(path_in_tree)] = np.asarray(leaf)
    for index, snapshot in enumerate(state.snapshots):
        arrays |= {f"snapshot {index} {name}": tensor for name, tensor in snapshot.tensors.items()}
    header = {
        "format": FORMAT,
        "sizes": [size.name for size in sizes],
        "counters": asdict(state.counters),
        "snapshots": [[snapshot.iteration, snapshot.seconds] for snapshot in state.snapshots],
        "has_replay_buffer": with_replay_buffer,
    }
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    partial = path.with_name(path.name + ".partial")
    with partial.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def restore_checkpoint(path: Path, initial: RunState, sizes: tuple[Size, ...]) -> RunState:
    """Read a state.

    `initial` is a new state of the same configuration: it has the expected shapes, and its empty replay buffer is used
    if the checkpoint has none.
    """
    arrays, header = read_checkpoint(path)
    if header["sizes"] != [size.name for size in sizes]:
        raise CheckpointError(
            f"{path}: the checkpoint has networks {', '.join(header['sizes'])}, "
            f"the configuration has {', '.join(size.name for size in sizes)}"
        )

    def restore(name: str, like: T) -> T:
        leaves, structure = jax.tree.flatten_with_path(like)
        return jax.tree.unflatten(
            structure,
            [
                load_array(path, arrays, name + jax.tree_util.keystr(path_in_tree), leaf)
                for path_in_tree, leaf in leaves
            ],
        )

    snapshots = []
    for index, (iteration, seconds) in enumerate(header["snapshots"]):
        prefix = f"snapshot {index} "
        tensors = {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
        snapshots.append(Snapshot(iteration, seconds, tensors))
    buffer = initial.replay_buffer
    return RunState(
        counters=Counters(**header["counters"]),
        learners=restore("learners", initial.learners),
        games=restore("games", initial.games),
        replay_buffer=restore("replay_buffer", buffer) if header["has_replay_buffer"] else buffer,
        snapshots=snapshots,
    )


def read_checkpoint(path: Path) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Read the arrays of a checkpoint, named by their path in the state, and its header."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as content:
            arrays = {name: content[name] for name in content.files}
        header = json.loads(arrays["header"].tobytes())
    except FileNotFoundError as error:
        raise CheckpointError(f"{path}: {error.strerror}") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise CheckpointError(f"{path}: not a complete checkpoint") from None
    if header.get("format") != FORMAT:
        raise CheckpointError(f"{path}: checkpoint format {header.get('format')}; this program reads format {FORMAT}")
    return arrays, header


def load_array(path: Path, arrays: dict[str, NDArray[Any]], name: str, like: jax.Array) -> jax.Array:
    """Return an array of a checkpoint, which must have the shape and type of `like`."""
    array = arrays.get(name)
    if array is None or array.shape != like.shape or array.dtype != like.dtype:
        raise CheckpointError(f"{path}: array {name} is missing or does not fit the configuration")
    return jnp.asarray(array)
