"""Engine: the native engine with presets, memory in megabytes and a number of threads."""

import operator
from pathlib import Path

from fourfall import _core, census, presets, weights
from fourfall.presets import MAX_THREADS, EngineConfig


class Engine(_core.Engine):
    """An engine with the search and the parameters of a preset.

    `preset` is a name, the path of a preset file, or a loaded preset. With one thread, the same seed and the same limit
    in simulations give the same result. `memory_mb` limits the memory of the search. `threads` replaces the number of
    threads of the preset; tree searches have one thread.

    Presets that use the solver also know the census of solved boards (`fourfall.census`): `analyse` of such an empty
    board returns the exact result of every column at once, with `stopped_by` "census". `use_census=False` makes them
    search. `play` and `search` do not use it.

    The attribute `evaluator` is "network" or "rollouts"; `network` is the network or None. If the package has no
    weights file, an engine with a network uses rollouts instead.

    >>> from fourfall import Board, Limit
    >>> engine = Engine("seed-002", seed=1)
    >>> engine
    Engine('seed-002', seed=1)
    >>> engine.play(Board.parse("6x7:112233"), Limit(simulations=500))
    3
    >>> analysis = Engine("fourfall").analyse(Board(6, 6))
    >>> str(analysis.score), analysis.simulations, analysis.stopped_by
    ('loses in 18', 0, 'census')
    """

    def __init__(
        self,
        preset: str | Path | presets.Preset,
        *,
        seed: int = 0,
        memory_mb: int = 256,
        threads: int | None = None,
        use_census: bool = True,
    ) -> None:
        memory_mb, seed = operator.index(memory_mb), operator.index(seed)
        self.preset = preset if isinstance(preset, presets.Preset) else presets.load(preset)
        self.seed = seed
        self.threads = None if threads is None else operator.index(threads)
        config = _load_network(_set_threads(self.preset, self.threads))
        self.network: _core.Network | None = config.network if isinstance(config, _core.GraphConfig) else None
        self.evaluator = "network" if self.network else "rollouts"
        self._use_census = use_census
        super().__init__(config, seed % 2**64, max(memory_mb, 0) << 20)

    def analyse(
        self, board: _core.Board, limit: _core.Limit | None = None, *, stop_token: _core.StopToken | None = None
    ) -> _core.Analysis:
        """Analyse a position as the base class does; an empty board of the census needs no search."""
        known = find_known_analysis(self.preset, board) if self._use_census else None
        if known is not None:
            return known
        return super().analyse(board, limit, stop_token=stop_token)

    def __repr__(self) -> str:
        threads = "" if self.threads is None else f", threads={self.threads}"
        return f"Engine({self.preset.name!r}, seed={self.seed}{threads})"


def find_known_analysis(preset: presets.Preset, board: _core.Board) -> _core.Analysis | None:
    """Return the exact analysis of an empty board from the census; None if it is not there or the preset has no solver.

    >>> from fourfall import Board
    >>> find_known_analysis(presets.load("seed-002"), Board(6, 6)) is None
    True
    """
    if not (isinstance(preset.config, _core.GraphConfig) and preset.config.solver):
        return None
    solved = census.find_solved(board)
    return solved.to_analysis() if solved is not None and solved.has_all_columns else None


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
    config.exploration, config.prior, config.first_play_urgency, config.lower_confidence_bound = (
        default.exploration,
        default.prior,
        default.first_play_urgency,
        default.lower_confidence_bound,
    )
    return config
