"""Owns the export of a network: the weights file for play, and the check file that proves the player right."""

from pathlib import Path

import jax
import numpy as np

from training import check_file, weights_file
from training.checkpoint import Tally
from training.network import Size, Weights
from training.settings import Settings


def export(out: Path, settings: Settings, size: Size, weights: Weights, tally: Tally) -> Path:
    """Write `<run>-<size>.f4w` and the check file beside it; return the weights file's path."""
    path = out / f"{settings.name}-{size.name}.f4w"
    note = f"{tally.seconds:.0f} s, {tally.games} games, {tally.positions} positions, {tally.samples} samples"
    tensors = {name: np.asarray(tensor) for name, tensor in weights.items()}
    weights_file.write(path, size, tensors, dtype=settings.export, run=settings.name, note=note)
    with jax.default_device(jax.devices("cpu")[0]):  # the processor's float32 is exact
        check_file.write_check(path.with_name(path.name + ".check.json"), path)
    return path
