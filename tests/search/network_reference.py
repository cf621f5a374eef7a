"""Reference implementation of the network in NumPy: input planes, layers and weights file."""

import hashlib
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.reference import DIRECTIONS, Cell, ReferenceGame

Array = NDArray[np.float64]
PLANES = 16


def planes(game: ReferenceGame) -> Array:
    """Return the input planes, [plane][row][col] with the bottom row first."""
    out = np.zeros((PLANES, game.rows, game.cols))
    me = game.turn
    free = game.free_cells()
    landing = game.landing_cells()
    safe = game.safe_moves()

    def mark(plane: int, cells: list[Cell]) -> None:
        for row, col in cells:
            out[plane, game.rows - 1 - row, col] = 1

    mark(0, [cell for cell, owner in game.stones.items() if owner == me])
    mark(1, [cell for cell, owner in game.stones.items() if owner != me])
    out[2] = 1
    mark(3, [game.hole] if game.hole else [])
    mark(4, landing)
    mark(5, game.threats(me))
    mark(6, game.threats(1 - me))
    mark(7, threes(game, me))
    mark(8, threes(game, 1 - me))
    for col in range(game.cols):
        below = 0
        for row in reversed(range(game.rows)):
            out[9, game.rows - 1 - row, col] = below % 2
            below += (row, col) != game.hole
    out[10] = len(free) % 2
    mark(11, [cell for cell in landing if cell[1] in safe])
    out[12] = len(game.stones) % 2
    mark(13, [above for cell in landing if (above := next_cell(game, cell)) is not None])
    out[14] = len(free) / 144
    return out


def threes(game: ReferenceGame, player: int) -> list[Cell]:
    """Return the free cells of windows of four cells with two stones of a player and two free cells."""
    found = set()
    for row in range(game.rows):
        for col in range(game.cols):
            for down, right in DIRECTIONS:
                window = [(row + i * down, col + i * right) for i in range(4)]
                open_cells = [cell for cell in window if game.is_free(cell)]
                if len(open_cells) == 2 and sum(game.stones.get(cell) == player for cell in window) == 2:
                    found.update(open_cells)
    return sorted(found)


def next_cell(game: ReferenceGame, cell: Cell) -> Cell | None:
    """Return the cell on which the next stone lands after a stone on this cell."""
    above = [(row, cell[1]) for row in reversed(range(cell[0])) if (row, cell[1]) != game.hole]
    return above[0] if above else None


@dataclass
class ReferenceNetwork:
    """A network given by its tensors, in the order of the file; convolutions are [3][3][input][output]."""

    channels: int
    blocks: int
    tensors: dict[str, Array]
    value_hidden: int = 64
    policy_hidden: int = 32

    @classmethod
    def random(cls, seed: int, channels: int = 32, blocks: int = 2) -> "ReferenceNetwork":
        """Draw random weights, scaled so that activations neither explode nor vanish."""
        rng = np.random.default_rng(seed)
        wide, value, policy = 2 * channels, 64, 32
        tensors: dict[str, Array] = {}

        def draw(name: str, *shape: int, fan: int = 0) -> None:
            scale = np.sqrt(2 / fan) if fan else 0.1
            # Representable in bf16, so that the file stores them exactly.
            tensors[name] = truncate_to_bf16(rng.normal(0, scale, shape))

        def convolution(name: str, planes: int, fan: int) -> None:
            draw(name, 3, 3, planes, channels, fan=fan)
            draw(f"{name} bias", channels)

        convolution("stem", PLANES, 9 * 4)
        for block in range(blocks):
            convolution(f"a{block}", channels, 9 * channels)
            convolution(f"c{block}", channels, 9 * channels * 4)
            if block % 2 == 1:
                draw(f"g{block}", wide, channels, fan=wide * 4)
        for name, shape, fan in (
            ("value in", (wide, value), wide), ("value bias", (value,), 0), ("value out", (value,), value),
            ("value base", (1,), 0), ("policy cell", (channels, policy), channels),
            ("policy in", (wide, policy), wide), ("policy bias", (policy,), 0), ("policy out", (policy,), 4),
        ):  # fmt: skip
            draw(name, *shape, fan=fan)
        network = cls(channels, blocks, tensors)
        # Values around 0, where tanh is steep, show differences best.
        tensors["value base"] -= network.value_sum(network.trunk(ReferenceGame(9, 9, (4, 4))))
        return network

    def trunk(self, game: ReferenceGame) -> Array:
        """Return the activations after the last block, [row][col][channel] with the bottom row first."""
        t = self.tensors
        x = relu(convolve(np.moveaxis(planes(game), 0, -1), t["stem"]) + t["stem bias"])
        for block in range(self.blocks):
            h = relu(self.convolve(x, f"a{block}") + t[f"a{block} bias"])
            y = self.convolve(h, f"c{block}") + t[f"c{block} bias"]
            if block % 2 == 1:
                y = y + pool(h) @ t[f"g{block}"]
            x = relu(x + y)
        return x

    def convolve(self, x: Array, name: str) -> Array:
        """Return a convolution of a block without its bias."""
        return convolve(x, self.tensors[name])

    def value_sum(self, x: Array) -> float:
        """Return the output of the value head before the tanh."""
        t = self.tensors
        return float(relu(pool(x) @ t["value in"] + t["value bias"]) @ t["value out"] + t["value base"][0])

    def evaluate(self, game: ReferenceGame) -> tuple[float, list[float | None]]:
        """Return the value for the side to move and the logit of each column, None for full columns."""
        t = self.tensors
        x = self.trunk(game)
        logits: list[float | None] = [None] * game.cols
        for row, col in game.landing_cells():
            cell = x[game.rows - 1 - row, col]
            hidden = relu(cell @ t["policy cell"] + pool(x) @ t["policy in"] + t["policy bias"])
            logits[col] = float(hidden @ t["policy out"])
        return float(np.tanh(self.value_sum(x) / 2)), logits

    def write(self, path: Path, dtype: str = "bf16", changes: Mapping[str, object] | None = None) -> Path:
        """Write a weights file; `changes` replaces entries of the header."""
        header = {
            "channels": self.channels, "blocks": self.blocks, "planes": PLANES, "value_hidden": self.value_hidden,
            "policy_hidden": self.policy_hidden, "dtype": dtype, "run": "random", "note": 'with "quotes"',
        } | dict(changes or {})  # fmt: skip
        text = json.dumps(header, sort_keys=True).encode()
        data = pad(b"F4W1" + struct.pack("<II", 1, len(text)) + text)
        for tensor in self.tensors.values():
            single = np.ascontiguousarray(tensor, "<f4")
            is_half = tensor.ndim == 4 and dtype == "bf16"
            data += pad((single.view("<u4") >> 16).astype("<u2").tobytes() if is_half else single.tobytes())
        path.write_bytes(data + hashlib.sha256(data).digest())
        return path


def pad(data: bytes) -> bytes:
    """Add zeros up to a multiple of 64 bytes."""
    return data + bytes(-len(data) % 64)


def truncate_to_bf16(x: Array) -> Array:
    """Set the lower 16 bits of single-precision numbers to zero."""
    return (x.astype("<f4").view("<u4") & 0xFFFF0000).view("<f4").astype(np.float64)


def relu(x: Array) -> Array:
    """Set negative values to zero."""
    return np.maximum(x, 0)


def pool(x: Array) -> Array:
    """Return mean and maximum of each channel over the board."""
    return np.concatenate([x.mean((0, 1)), x.max((0, 1))])


def convolve(x: Array, weights: Array) -> Array:
    """Apply a 3x3 convolution with zero padding."""
    rows, cols, _ = x.shape
    out = np.zeros((rows, cols, weights.shape[3]))
    bordered = np.pad(x, ((1, 1), (1, 1), (0, 0)))
    for up in range(3):
        for right in range(3):
            out += bordered[up : up + rows, right : right + cols] @ weights[up, right]
    return out
