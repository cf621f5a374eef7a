"""Exports a network: the weights file for play, and the check file with its reference outputs."""

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from training.check_file import write_check_file
from training.checkpoint import Counters
from training.config import RunConfig
from training.network import Size, Weights
from training.policy_offset import remove_policy_offset
from training.weights_file import write_weights


def export_network(folder: Path, config: RunConfig, size: Size, weights: Weights, counters: Counters) -> Path:
    """Write `<run>-<size>.f4w` and its check file; return the path of the weights file."""
    path = folder / f"{config.name}-{size.name}.f4w"
    note = (
        f"{counters.seconds:.0f} s, {counters.games} games, {counters.positions} positions, {counters.samples} samples"
    )
    with jax.default_device(jax.devices("cpu")[0]):  # accelerators may round float32 products
        weights = remove_policy_offset({name: jnp.asarray(np.asarray(tensor)) for name, tensor in weights.items()})
        tensors = {name: np.asarray(tensor) for name, tensor in weights.items()}
        write_weights(path, size, tensors, dtype=config.export_precision, run=config.name, note=note)
        write_check_file(path.with_name(path.name + ".check.json"), path)
    return path
