"""Owns the engine that people use: the native one, with presets and memory in plain units."""

import operator
from pathlib import Path

from fourfall import _core, presets


class Engine(_core.Engine):
    """An engine made from a preset, a preset file, or a loaded preset.

    The same seed and the same limit in nodes give the same move and the same counts. `memory_mb` bounds what the
    search keeps in memory.

    >>> from fourfall import Board, Limit
    >>> engine = Engine("seed-002", seed=1)
    >>> engine
    Engine('seed-002', seed=1)
    >>> engine.play(Board.parse("6x7:112233"), Limit(nodes=500))
    3
    """

    def __init__(self, preset: str | Path | presets.Preset, *, seed: int = 0, memory_mb: int = 256) -> None:
        memory_mb, seed = operator.index(memory_mb), operator.index(seed)
        if memory_mb < 1:
            raise _core.EngineError("an engine needs at least 1 MiB of memory")
        self.preset = preset if isinstance(preset, presets.Preset) else presets.load(preset)
        self.seed = seed
        super().__init__(self.preset.config, seed % 2**64, memory_mb << 20)

    def __repr__(self) -> str:
        return f"Engine({self.preset.name!r}, seed={self.seed})"
