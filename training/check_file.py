"""Writes the check file of exported weights: positions with the network's outputs as JAX computes them."""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from fourfall.render import COLUMN_NAMES
from training.boards import make_empty_boards
from training.network import Weights, apply_network
from training.rules import Position, compute_features, make_input_planes, play, select_boards
from training.weights_file import Tensors, read_weights

BOARDS_PER_RANGE = 16
RANGES = (((9, 12), (9, 12), True), ((9, 12), (9, 12), False), ((6, 6), (7, 7), False), ((4, 12), (4, 12), True))
"""Range of rows, range of columns, whether there is a hole."""

compute_features_jit = jax.jit(compute_features)
input_planes_jit = jax.jit(make_input_planes, static_argnums=2)
apply_network_jit = jax.jit(apply_network)


@cache
def sample_positions(seed: int) -> tuple[list[str], Position]:
    """Play random games of safe moves and return undecided positions, as notation and as arrays."""
    rng = np.random.default_rng(seed)
    rows = np.concatenate([rng.integers(low, high + 1, BOARDS_PER_RANGE) for (low, high), _, _ in RANGES])
    cols = np.concatenate([rng.integers(low, high + 1, BOARDS_PER_RANGE) for _, (low, high), _ in RANGES])
    hole_row, hole_col = rng.integers(rows), rng.integers(cols)
    has_hole = np.repeat([hole for _, _, hole in RANGES], BOARDS_PER_RANGE)
    height = np.where(has_hole, rows - 1 - hole_row, -1)
    position = make_empty_boards(*(jnp.asarray(numbers, jnp.int32) for numbers in (rows, cols, height, hole_col)))
    moves = [""] * len(rows)
    plies = rng.integers(rows * cols * 3 // 4)
    for ply in range(int(plies.max())):
        safe = np.asarray(compute_features_jit(position).safe)
        column = np.where(safe, rng.random(safe.shape), -1).argmax(-1)
        after, over = _play_move(position, jnp.asarray(column))
        continues = (ply < plies) & ~np.asarray(over)
        plies = np.where(continues, plies, 0)
        position = select_boards(jnp.asarray(continues), after, position)
        moves = [text + COLUMN_NAMES[column[i]] * bool(continues[i]) for i, text in enumerate(moves)]
    texts = []
    for i, text in enumerate(moves):
        hole = f"@{hole_row[i]},{hole_col[i]}" if has_hole[i] else ""
        texts.append(f"{rows[i]}x{cols[i]}{hole}" + (f":{text}" if text else ""))
    return texts, position


@jax.jit
def _play_move(position: Position, column: Array) -> tuple[Position, Array]:
    after = play(position, compute_features(position).landing, column)
    return after, compute_features(after).over


def write_check_file(path: Path, weights_path: Path, seed: int = 0) -> None:
    """Evaluate random positions with the weights of a file, in float32 and in bfloat16, and write the outputs."""
    tensors = read_weights(weights_path).tensors
    texts, position = sample_positions(seed)
    f32, bf16 = _evaluate(tensors, position, jnp.float32), _evaluate(tensors, position, jnp.bfloat16)
    safe = np.asarray(compute_features_jit(position).safe)
    entries = [
        {"position": text, "safe": np.flatnonzero(safe[index]).tolist(), "f32": f32[index], "bf16": bf16[index]}
        for index, text in enumerate(texts)
    ]
    content = {
        "about": "value in [-1, 1] for the side to move; policy logits by column, null where the column is full",
        "weights": weights_path.name,
        "sha256": hashlib.sha256(weights_path.read_bytes()).hexdigest(),
        "positions": entries,
    }
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _evaluate(tensors: Tensors, position: Position, dtype: jnp.dtype) -> list[dict[str, Any]]:
    """Return the value and the policy logits of each position."""
    weights: Weights = {name: jnp.asarray(tensor) for name, tensor in tensors.items()}
    features = compute_features_jit(position)
    output = apply_network_jit(weights, input_planes_jit(position, features, dtype))
    values = np.tanh(np.asarray(output.value, np.float64) / 2)
    logits, is_open = np.asarray(output.policy, np.float64), np.asarray(features.landing) != 0
    cols = (np.asarray(position.board) != 0).sum(-1)
    return [
        {
            "value": round(float(values[index]), 7),
            "logits": [
                round(float(logits[index, column]), 6) if is_open[index, column] else None
                for column in range(cols[index])
            ],
        }
        for index in range(len(values))
    ]
