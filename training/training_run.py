"""A training run in a folder: self-play and learning in turn, with matches, checkpoints and exports in between."""

import math
import time
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jax import Array

from training import schedules
from training.checkpoint import Counters, RunState, Snapshot, restore_checkpoint, save_checkpoint
from training.compilation_cache import CompilationCache
from training.config import RunConfig
from training.export import export_network
from training.learner import LOSSES
from training.metrics import MetricsLog
from training.steps import Steps
from training.time_budget import TimeBudget
from training.warm_start import load_learners

CHECKPOINT_FILE = "checkpoint.npz"
METRICS_FILE = "metrics.jsonl"
STATUS_INTERVAL_S = 10.0


class TrainingRun:
    """A run that resumes from the checkpoint in its folder; all randomness comes from the seed and the iteration."""

    def __init__(self, config: RunConfig, folder: Path, started: float, source: Path | None = None) -> None:
        """Create or resume a run.

        `started` is the `time.monotonic()` at which the process started, `source` a checkpoint or weights file whose
        networks a new run starts with.
        """
        self.config = config
        self.folder = folder
        self._started = started
        folder.mkdir(parents=True, exist_ok=True)
        self._compilation_cache = CompilationCache(folder)
        self._metrics = MetricsLog(folder / METRICS_FILE)
        self._seed = jax.random.key(config.seed)
        self._steps = Steps(config)
        self.state = self._create_state()
        path = folder / CHECKPOINT_FILE
        if path.exists():
            self.state = restore_checkpoint(path, self.state, config.networks)
        elif source is not None:
            self.state.learners = load_learners(source, self.state.learners, config.networks)
        self._seconds_before = self.state.counters.seconds

    def _create_state(self) -> RunState:
        keys = [jax.random.fold_in(self._seed, 1_000_000 + index) for index in range(len(self.config.networks))]
        learners = tuple(
            self._steps.create_learner(key, size) for key, size in zip(keys, self.config.networks, strict=True)
        )
        games = self._steps.start_games(jax.random.fold_in(self._seed, 999_999))
        return RunState(Counters(), learners, games, self._steps.create_buffer(learners[0].average, games, self._seed))

    def measure_seconds(self) -> float:
        """Return the duration of the run so far, including all resumptions."""
        return self._seconds_before + time.monotonic() - self._started

    def compute_fraction(self) -> float:
        """Return the fraction of the run that is done, at most 1."""
        if self.config.total_iterations:
            return min(1.0, self.state.counters.iterations / self.config.total_iterations)
        return min(1.0, self.measure_seconds() / self.config.total_s)

    def iterate(self) -> None:
        """Play on all boards, store the moves in the replay buffer, and learn."""
        fraction, counters = self.compute_fraction(), self.state.counters
        self_play_key, learning_key = jax.random.split(jax.random.fold_in(self._seed, counters.iterations))
        start = time.monotonic()
        metrics: dict[str, Any] = {}
        if fraction < self.config.play_until or not self._can_learn():
            metrics = self._play(self_play_key, fraction)
        played_at = time.monotonic()
        if self._can_learn():
            metrics |= self._learn(learning_key, fraction)
        counters.iterations += 1
        self._metrics.write(
            "iteration",
            iteration=counters.iterations,
            seconds=self.measure_seconds(),
            self_play_s=played_at - start,
            learning_s=time.monotonic() - played_at,
            games=counters.games,
            positions=counters.positions,
            **metrics,
        )

    def _can_learn(self) -> bool:
        """Return whether the replay buffer has enough moves."""
        needed = self.config.learner.min_buffer_iterations * self.config.self_play.moves_per_iteration
        return int(self.state.replay_buffer.filled) >= needed

    def _play(self, key: Array, fraction: float) -> dict[str, Any]:
        """Play on all boards and store the moves; return the metrics."""
        start, counters, config = time.monotonic(), self.state.counters, self.config.self_play
        simulations = round(schedules.look_up_schedule(self.config.simulations, fraction))
        self.state.games, transitions, summary = self._steps.play_iteration(
            self.state.learners[0].average, self.state.games, key, simulations
        )
        self.state.replay_buffer = self._steps.append(self.state.replay_buffer, transitions)
        sums = {name: float(number) for name, number in summary.items()}  # waits for the accelerator
        positions = config.parallel_games * config.moves_per_iteration
        evaluations = positions * (simulations + 1)
        counters.games += int(sums["games"])
        counters.positions += positions
        counters.evaluations += evaluations
        finished = max(sums["games"], 1)
        return {
            "simulations": simulations,
            "evaluations_per_s": evaluations / (time.monotonic() - start),
            "plies": sums["plies"] / finished,
            "draws": sums["draws"] / finished,
            "first_player_result": sums["first_player_result"] / finished,
            "sideline_positions": sums["sideline_positions"],
            "mean_abs_value": sums["mean_abs_value"],
            "policy_entropy": sums["policy_entropy"],
        }

    def _learn(self, key: Array, fraction: float) -> dict[str, Any]:
        """Update all networks for one iteration; return the metrics."""
        config, counters = self.config.learner, self.state.counters
        rate = schedules.compute_learning_rate(config, fraction, counters.learning_iterations)
        td_lambda = schedules.interpolate_schedule(config.td_lambda, fraction)
        if config.prepare_units and counters.learning_iterations == 0:
            self._prepare_units(key)
        self.state.learners, losses = self._steps.learn(
            self.state.learners, self.state.replay_buffer, key, rate, td_lambda
        )
        counters.learning_iterations += 1
        counters.samples += self._steps.updates_per_iteration * config.batch_size
        metrics: dict[str, Any] = {"learning_rate": rate, "td_lambda": td_lambda}
        for size, parts in zip(self.config.networks, np.asarray(losses), strict=True):
            metrics[size.name] = {name: round(float(part), 5) for name, part in zip(LOSSES, parts, strict=True)}
        if not np.isfinite(np.asarray(losses)).all():
            raise FloatingPointError("the loss is not finite; lower learner.learning_rate")
        return metrics

    def _prepare_units(self, key: Array) -> None:
        """Restart units that are never positive in the replay buffer, balance the heads, and record the numbers."""
        self.state.learners, counts = self._steps.prepare_units(
            self.state.learners, self.state.replay_buffer, jax.random.fold_in(key, 1)
        )
        for size, layers in zip(self.config.networks, counts, strict=True):
            self._metrics.write("restart", network=size.name, **layers)
            restarted = ", ".join(f"{count} in {name}" for name, count in layers.items() if count)
            self._print(f"restarted inactive units of {size.name}: {restarted or 'none'}")

    def play_matches(self) -> None:
        """Play the averaged weights against the snapshots, then store them as a snapshot."""
        counters, weights = self.state.counters, self.state.learners[0].average
        for number, snapshot in enumerate(self.state.snapshots):
            key = jax.random.fold_in(jax.random.fold_in(self._seed, 2_000_000 + counters.iterations), number)
            for simulations in sorted({0, self.config.match.simulations}):
                result = self._steps.match(weights, snapshot.to_weights(), key, simulations)
                score, standard_error, draws = (float(number) for number in result)
                self._metrics.write(
                    "match",
                    iteration=counters.iterations,
                    seconds=self.measure_seconds(),
                    opponent_iteration=snapshot.iteration,
                    opponent_seconds=snapshot.seconds,
                    simulations=simulations,
                    games=2 * self.config.match.pairs,
                    score=score,
                    standard_error=standard_error,
                    draws=draws,
                )
                self._print(
                    f"match against the snapshot of {snapshot.seconds:.0f} s with {simulations} simulations: "
                    f"{score:.3f} ± {1.96 * standard_error:.3f}"
                )
        tensors = {name: np.asarray(tensor, np.float16) for name, tensor in weights.items()}
        self.state.snapshots.append(Snapshot(counters.iterations, self.measure_seconds(), tensors))
        while len(self.state.snapshots) > max(self.config.match.max_snapshots, 1):
            del self.state.snapshots[min(1, len(self.state.snapshots) - 1)]
        interval = self.config.match.interval
        counters.next_match = interval * (math.floor(self.compute_fraction() / interval + 1e-9) + 1)

    def save(self) -> None:
        """Write the checkpoint and the compilation cache."""
        self.state.counters.seconds = self.measure_seconds()
        save_checkpoint(
            self.folder / CHECKPOINT_FILE,
            self.state,
            self.config.networks,
            with_replay_buffer=self.config.checkpoint_replay_buffer,
        )
        self._compilation_cache.save()

    def export(self) -> None:
        """Write the weights file and the check file of every network."""
        for size, learner in zip(self.config.networks, self.state.learners, strict=True):
            export_network(self.folder, self.config, size, learner.average, self.state.counters)

    def run(self, seconds: float) -> None:
        """Iterate until the run is complete, or until saving would no longer end within `seconds`."""
        counters = self.state.counters
        sizes = ", ".join(size.name for size in self.config.networks)
        action = f"resumed at iteration {counters.iterations}" if counters.iterations else "started"
        self._print(f"{action} on {jax.devices()[0].device_kind}; networks {sizes}")
        budget = TimeBudget(seconds - (time.monotonic() - self._started))
        while self.compute_fraction() < 1 and budget.has_time_for("iteration", "save"):
            with budget.measure("iteration"):
                self.iterate()
            if self.compute_fraction() >= counters.next_match and budget.has_time_for("match", "save"):
                with budget.measure("match"):
                    self.play_matches()
            if budget.is_due("status", STATUS_INTERVAL_S):
                self._print(self._metrics.format_latest())
            if budget.is_due("save", self.config.checkpoint_interval_s):
                with budget.measure("save"):
                    self.save()
                    self.export()
        self.save()
        self.export()
        if self.compute_fraction() >= 1 and self._has_new_weights() and budget.has_time_for("match", "save"):
            self.play_matches()
            self.save()
        self._print(
            f"{'complete' if self.compute_fraction() >= 1 else 'paused'}: {counters.iterations} iterations, "
            f"{counters.games} games, {counters.positions} positions, {counters.evaluations} evaluations, "
            f"{counters.samples} samples"
        )

    def _has_new_weights(self) -> bool:
        """Return whether the networks have learned since the last snapshot."""
        return not self.state.snapshots or self.state.snapshots[-1].iteration < self.state.counters.iterations

    def _print(self, text: str) -> None:
        self._metrics.print_status(self.measure_seconds(), text)
