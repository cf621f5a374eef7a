"""Owns the check file beside exported weights: positions, and what the training framework says about them."""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from training.boards import empty_boards
from training.network import Weights, judge
from training.rules import Position, choose, look, planes, play
from training.weights_file import Tensors, read

COLUMN_NAMES = "123456789abc"
PER_KIND = 16
KINDS = (((9, 12), (9, 12), True), ((9, 12), (9, 12), False), ((6, 6), (7, 7), False), ((4, 12), (4, 12), True))

look_at = jax.jit(look)
judge_all = jax.jit(judge)


@cache
def random_positions(seed: int) -> tuple[list[str], Position]:
    """Play random games while the rules alone do not decide them; return positions as notation and as arrays."""
    chance = np.random.default_rng(seed)
    rows = np.concatenate([chance.integers(low, high + 1, PER_KIND) for (low, high), _, _ in KINDS])
    cols = np.concatenate([chance.integers(low, high + 1, PER_KIND) for _, (low, high), _ in KINDS])
    hole_row, hole_col = chance.integers(rows), chance.integers(cols)
    has_hole = np.repeat([kind[2] for kind in KINDS], PER_KIND)
    height = np.where(has_hole, rows - 1 - hole_row, -1)
    position = empty_boards(*(jnp.asarray(numbers, jnp.int32) for numbers in (rows, cols, height, hole_col)))
    moves = [""] * len(rows)
    plies = chance.integers(rows * cols * 3 // 4)
    for ply in range(int(plies.max())):
        safe = np.asarray(look_at(position).safe)
        column = np.where(safe, chance.random(safe.shape), -1).argmax(-1)
        after, over = _move(position, jnp.asarray(column))
        goes_on = (ply < plies) & ~np.asarray(over)
        plies = np.where(goes_on, plies, 0)
        position = choose(jnp.asarray(goes_on), after, position)
        moves = [text + COLUMN_NAMES[column[i]] * bool(goes_on[i]) for i, text in enumerate(moves)]
    texts = []
    for i, text in enumerate(moves):
        hole = f"@{hole_row[i]},{hole_col[i]}" if has_hole[i] else ""
        texts.append(f"{rows[i]}x{cols[i]}{hole}" + (f":{text}" if text else ""))
    return texts, position


@jax.jit
def _move(position: Position, column: Array) -> tuple[Position, Array]:
    after = play(position, look(position).landing, column)
    return after, look(after).over


def write_check(path: Path, weights_path: Path, seed: int = 0) -> None:
    """Evaluate the weights as they stand in their file, in float32 and in bfloat16, and write down the answers."""
    tensors = read(weights_path).tensors
    texts, position = random_positions(seed)
    exact, short = _answers(tensors, position, jnp.float32), _answers(tensors, position, jnp.bfloat16)
    safe = np.asarray(look_at(position).safe)
    entries = [
        {"position": text, "safe": np.flatnonzero(safe[index]).tolist(), "f32": exact[index], "bf16": short[index]}
        for index, text in enumerate(texts)
    ]
    content = {
        "about": "value in [-1, 1] for the side to move; policy logits by column, null where the column is full",
        "weights": weights_path.name,
        "sha256": hashlib.sha256(weights_path.read_bytes()).hexdigest(),
        "positions": entries,
    }
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _answers(tensors: Tensors, position: Position, dtype: jnp.dtype) -> list[dict[str, Any]]:
    weights: Weights = {name: jnp.asarray(tensor) for name, tensor in tensors.items()}
    outlook = look_at(position)
    judgement = judge_all(weights, planes(position, outlook, dtype))
    values = np.tanh(np.asarray(judgement.value, np.float64) / 2)
    logits, is_open = np.asarray(judgement.policy, np.float64), np.asarray(outlook.landing) != 0
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
