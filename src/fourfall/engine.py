"""Engine: the native engine with presets, memory in megabytes and a number of threads."""

import operator
from pathlib import Path

from fourfall import _core, presets, weights
from fourfall.presets import MAX_THREADS, EngineConfig


class Engine(_core.Engine):
    """An engine with the search and the parameters of a preset.

    `preset` is a name, the path of a preset file, or a loaded preset. With one thread, the same seed and the same limit
    in simulations give the same result. `memory_mb` limits the memory of the search. `threads` replaces the number of
    threads of the preset; tree searches have one thread.

    The attribute `evaluator` is "network" or "rollouts"; `network` is the network or None. If the package has no
    weights file, an engine with a network uses rollouts instead.

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
        config = _load_network(_set_threads(self.preset, self.threads))
        self.network: _core.Network | None = config.network if isinstance(config, _core.GraphConfig) else None
        self.evaluator = "network" if self.network else "rollouts"
        super().__init__(config, seed % 2**64, max(memory_mb, 0) << 20)

    def __repr__(self) -> str:
        threads = "" if self.threads is None else f", threads={self.threads}"
        return f"Engine({self.preset.name!r}, seed={self.seed}{threads})"


def _set_threads(preset: presets.Preset, threads: int | None) -> EngineConfig:
    """Return the configuration of a preset with another number of threads, without changing the preset."""
    if threads is None:
        return preset.config
    if not 1 <= threads <= MAX_THREADS:
        raise _core.EngineError(f"threads must be 1 to {MAX_THREADS}, not {threads}")
    if isinstance(preset.config, _core.TreeConfig):
        if threads != 1:
            raise _core.EngineError(f"{preset.name} is a tree search, which runs in one thread, not in {threads}")
        return preset.config
    config = _core.GraphConfig(preset.config)
    config.threads = threads
    return config


def _load_network(config: EngineConfig) -> EngineConfig:
    """Load the network of a configuration; switch to rollouts if the package has no weights file."""
    if isinstance(config, _core.TreeConfig) or config.evaluator != _core.EvaluatorKind.NETWORK:
        return config
    is_float32 = config.arithmetic == _core.Arithmetic.FLOAT32
    network = weights.load(config.weights, "float32" if is_float32 else "")
    if network is None:
        return use_rollouts(config)
    config = _core.GraphConfig(config)
    config.network = network
    return config


def use_rollouts(config: _core.GraphConfig) -> _core.GraphConfig:
    """Return a configuration that evaluates by rollouts, with the selection constants for rollouts.

    >>> config = presets.load("fourfall").config
    >>> isinstance(config, _core.GraphConfig) and use_rollouts(config).exploration
    2.0
    """
    if config.evaluator == _core.EvaluatorKind.ROLLOUTS:
        return config
    default, config = _core.GraphConfig(), _core.GraphConfig(config)
    config.evaluator, config.weights, config.network = default.evaluator, default.weights, None
    config.arithmetic = default.arithmetic
    config.exploration, config.prior, config.first_play_urgency = (
        default.exploration,
        default.prior,
        default.first_play_urgency,
    )
    return config
