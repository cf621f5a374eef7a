"""Owns the engine that people use: the native one, with presets, memory and threads in plain units."""

import operator
from pathlib import Path

from fourfall import _core, presets, weights
from fourfall.presets.keys import RANGES, Config


class Engine(_core.Engine):
    """An engine made from a preset, a preset file, or a loaded preset.

    In one thread the same seed and the same limit in nodes give the same move and the same counts. `memory_mb` bounds
    what the search keeps in memory. `threads` replaces the preset's own number; a tree search runs in one.
    `evaluator` says what evaluates positions: a "network", or "rollouts", which also take the place of a network whose
    weights file the package lacks.

    >>> from fourfall import Board, Limit
    >>> engine = Engine("seed-002", seed=1)
    >>> engine
    Engine('seed-002', seed=1)
    >>> engine.play(Board.parse("6x7:112233"), Limit(simulations=500))
    3
    """

    def __init__(
        self,
        preset: str | Path | presets.Preset,
        *,
        seed: int = 0,
        memory_mb: int = 256,
        threads: int | None = None,
    ) -> None:
        memory_mb, seed = operator.index(memory_mb), operator.index(seed)
        self.preset = preset if isinstance(preset, presets.Preset) else presets.load(preset)
        self.seed = seed
        self.threads = None if threads is None else operator.index(threads)
        config = _with_network(_threaded(self.preset, self.threads))
        self.evaluator = "network" if isinstance(config, _core.GraphConfig) and config.network else "rollouts"
        super().__init__(config, seed % 2**64, max(memory_mb, 0) << 20)

    def __repr__(self) -> str:
        threads = "" if self.threads is None else f", threads={self.threads}"
        return f"Engine({self.preset.name!r}, seed={self.seed}{threads})"


def _threaded(preset: presets.Preset, threads: int | None) -> Config:
    """Return the preset's configuration with another number of threads; the preset itself stays as it is."""
    if threads is None:
        return preset.config
    least, most = RANGES["threads"]
    if not least <= threads <= most:
        raise _core.EngineError(f"an engine runs in {least} to {most} threads, not in {threads}")
    if isinstance(preset.config, _core.TreeConfig):
        if threads != 1:
            raise _core.EngineError(f"{preset.name} is a tree search, which runs in one thread, not in {threads}")
        return preset.config
    config = _core.GraphConfig(preset.config)
    config.threads = threads
    return config


def _with_network(config: Config) -> Config:
    """Return a configuration with the network that it names, or without one where the package has no such weights."""
    if isinstance(config, _core.TreeConfig) or config.evaluator != _core.EvaluatorKind.NETWORK:
        return config
    network = weights.load(config.weights)
    if network is None:
        return classic(config)
    config = _core.GraphConfig(config)
    config.network = network
    return config


def classic(config: _core.GraphConfig) -> _core.GraphConfig:
    """Return a configuration that evaluates by rollouts: where a network did, with the constants that go with them.

    >>> config = presets.load("fourfall").config
    >>> isinstance(config, _core.GraphConfig) and classic(config).exploration
    2.0
    """
    if config.evaluator == _core.EvaluatorKind.ROLLOUTS:
        return config
    plain, config = _core.GraphConfig(), _core.GraphConfig(config)
    config.evaluator, config.weights, config.network = plain.evaluator, plain.weights, None
    config.exploration, config.prior, config.first_play_urgency = (
        plain.exploration,
        plain.prior,
        plain.first_play_urgency,
    )
    return config
