"""Owns the checkpoint: one file that a run goes on from, written beside the old one and then put in its place."""

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

from training.learner import Learner
from training.network import Size, Weights
from training.replay import Replay
from training.selfplay import Games

T = TypeVar("T")

FORMAT = 1


class CheckpointError(ValueError):
    """A checkpoint that cannot be gone on from; the message is one line that names the file and the reason."""


@dataclass
class Tally:
    """What a run has done so far, over all its resumptions."""

    iteration: int = 0
    learned: int = 0
    seconds: float = 0.0
    games: int = 0
    positions: int = 0
    evaluations: int = 0
    samples: int = 0
    next_match: float = 0.0
    """The share of the run at which the next match is due."""


@dataclass
class Snapshot:
    """Earlier averaged weights of the playing network, in half precision."""

    iteration: int
    seconds: float
    weights: dict[str, NDArray[np.float16]]

    def restored(self) -> Weights:
        """Return the weights as they play."""
        return {name: jnp.asarray(tensor, jnp.float32) for name, tensor in self.weights.items()}


@dataclass
class State:
    """All that a run is."""

    tally: Tally
    learners: tuple[Learner, ...]
    games: Games
    replay: Replay | None = None
    snapshots: list[Snapshot] = field(default_factory=list)


def save(path: Path, state: State, sizes: tuple[Size, ...], keep_memory: bool) -> None:
    """Write a state; at any instant the path holds a whole checkpoint, the old or the new one."""
    arrays: dict[str, NDArray[Any]] = {}
    kept = {"learners": state.learners, "games": state.games, "replay": state.replay if keep_memory else None}
    for name, tree in kept.items():
        for where, leaf in jax.tree.flatten_with_path(tree)[0]:
            arrays[name + jax.tree_util.keystr(where)] = np.asarray(leaf)
    for index, snapshot in enumerate(state.snapshots):
        arrays |= {f"snapshot {index} {name}": tensor for name, tensor in snapshot.weights.items()}
    about = {
        "format": FORMAT,
        "sizes": [size.name for size in sizes],
        "tally": asdict(state.tally),
        "snapshots": [[snapshot.iteration, snapshot.seconds] for snapshot in state.snapshots],
        "replay": keep_memory and state.replay is not None,
    }
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    partial = path.with_name(path.name + ".partial")
    with partial.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def restore(path: Path, fresh: State, sizes: tuple[Size, ...]) -> State:
    """Read a state; `fresh` is one of the same settings and says what shapes to expect (its replay, an empty one)."""
    arrays, about = opened(path)
    if about["sizes"] != [size.name for size in sizes]:
        raise CheckpointError(f"{path}: made for networks {', '.join(about['sizes'])}, not these settings")

    def read(name: str, like: T) -> T:
        leaves, shape = jax.tree.flatten_with_path(like)
        return jax.tree.unflatten(
            shape, [fitting(path, arrays, name + jax.tree_util.keystr(where), leaf) for where, leaf in leaves]
        )

    snapshots = []
    for index, (iteration, seconds) in enumerate(about["snapshots"]):
        prefix = f"snapshot {index} "
        weights = {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
        snapshots.append(Snapshot(iteration, seconds, weights))
    return State(
        tally=Tally(**about["tally"]),
        learners=read("learners", fresh.learners),
        games=read("games", fresh.games),
        replay=read("replay", fresh.replay) if about["replay"] else fresh.replay,
        snapshots=snapshots,
    )


def opened(path: Path) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Read a checkpoint's arrays, named by their places in the state, and what it says about itself."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as content:
            arrays = {name: content[name] for name in content.files}
        about = json.loads(arrays["about"].tobytes())
    except FileNotFoundError as error:
        raise CheckpointError(f"{path}: {error.strerror}") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise CheckpointError(f"{path}: not a whole checkpoint") from None
    if about.get("format") != FORMAT:
        raise CheckpointError(f"{path}: checkpoint format {about.get('format')}; this program reads {FORMAT}")
    return arrays, about


def fitting(path: Path, arrays: dict[str, NDArray[Any]], name: str, like: jax.Array) -> jax.Array:
    """Return an array of a checkpoint, of the same shape and type as another."""
    array = arrays.get(name)
    if array is None or array.shape != like.shape or array.dtype != like.dtype:
        raise CheckpointError(f"{path}: {name} does not fit these settings")
    return jnp.asarray(array)
