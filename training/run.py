"""Owns a run: play, remember, learn; now and then a match, a checkpoint, an export; goes on from any checkpoint."""

import math
import time
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from training import checkpoint, course, export, learner, matches, origin, replay, selfplay
from training.boards import OFFICIAL
from training.checkpoint import Snapshot, State, Tally
from training.compiled import Compiled
from training.network import Weights
from training.pace import Pace
from training.progress import Progress
from training.replay import Replay
from training.search import Searcher, halving_table
from training.selfplay import Games, Move
from training.settings import Settings

CHECKPOINT = "checkpoint.npz"
CURVES = "curves.jsonl"
LINE_S = 10.0
"""Seconds between two lines of progress."""
SPREAD = 40
"""At the very start games begin after up to so many random moves."""


_new_learner = jax.jit(learner.new_learner, static_argnums=1)


class Run:
    """A run in a folder. Everything random comes from the seed and the iteration's number."""

    def __init__(self, settings: Settings, out: Path, started: float, source: Path | None = None) -> None:
        self.settings = settings
        self.out = out
        self._started = started
        out.mkdir(parents=True, exist_ok=True)
        self._compiled = Compiled(out)
        self._progress = Progress(out / CURVES)
        self._dtype = jnp.dtype(jnp.bfloat16 if settings.precision == "bf16" else jnp.float32)
        self._seed = jax.random.key(settings.seed)
        self._play = jax.jit(self._played)
        self._store = jax.jit(replay.stored, donate_argnums=0)
        self._learn = jax.jit(self._learned, donate_argnums=0)
        self._match = jax.jit(self._matched)
        self.state = self._fresh()
        path = out / CHECKPOINT
        if path.exists():
            self.state = checkpoint.restore(path, self.state, settings.networks)
        elif source is not None:
            self.state.learners = origin.adopt(source, self.state.learners, settings.networks)
        self._before = self.state.tally.seconds

    def _fresh(self) -> State:
        keys = [jax.random.fold_in(self._seed, 1_000_000 + index) for index in range(len(self.settings.networks))]
        learners = tuple(_new_learner(key, size) for key, size in zip(keys, self.settings.networks, strict=True))
        games = jax.jit(self._begun)(jax.random.fold_in(self._seed, 999_999))
        example = jax.eval_shape(self._play, learners[0].average, games, self._seed, *self._searching(1))[1]
        return State(Tally(), learners, games, replay.empty(example, self.settings.learn.memory))

    def _begun(self, key: Array) -> Games:
        return selfplay.begin(key, self.settings.play, self.settings.boards, SPREAD)

    def _searching(self, simulations: int) -> tuple[Array, Array]:
        search = self.settings.search
        table = halving_table(search.considered, simulations, search.most_simulations)
        return jnp.int32(simulations), jnp.asarray(table)

    def _searcher(self, simulations: Array, table: Array, chance: float) -> Searcher:
        return Searcher(self.settings.search, self._dtype, simulations, table, jnp.float32(chance))

    def _played(
        self, weights: Weights, games: Games, key: Array, simulations: Array, table: Array
    ) -> tuple[Games, Move, dict[str, Array]]:
        searcher = self._searcher(simulations, table, 1)
        step = partial(selfplay.step, weights, searcher, self.settings.play, self.settings.boards)
        games, moves = jax.lax.scan(step, games, jax.random.split(key, self.settings.play.moves))
        return games, moves, selfplay.summary(moves)

    def _learned(
        self, learners: tuple[learner.Learner, ...], memory: Replay, key: Array, rate: Array, trace: Array
    ) -> tuple[tuple[learner.Learner, ...], Array]:
        learn = self.settings.learn
        goals = replay.targets(memory, trace)

        def step(learners: tuple[learner.Learner, ...], key: Array) -> tuple[tuple[learner.Learner, ...], Array]:
            batch = learner.sample(memory, goals, key, learn.batch, self._dtype)
            return learner.improved_all(learners, batch, learn.weights, rate, learn.decay, learn.averaging)

        learners, losses = jax.lax.scan(step, learners, jax.random.split(key, self._steps))
        return learners, losses.mean(0)

    @property
    def _steps(self) -> int:
        """Steps of learning in one iteration."""
        play, learn = self.settings.play, self.settings.learn
        return max(1, round(learn.passes * play.boards * play.moves / learn.batch))

    def _matched(self, first: Weights, second: Weights, key: Array, simulations: Array, table: Array) -> matches.Score:
        searcher = self._searcher(simulations, table, 0)
        return matches.match(first, second, key, searcher, (OFFICIAL,), self.settings.match.pairs)

    def seconds(self) -> float:
        """Return the time this run has taken so far, over all its resumptions."""
        return self._before + time.monotonic() - self._started

    def share(self) -> float:
        """Return how much of the run is over, at most 1."""
        if self.settings.total_iterations:
            return min(1.0, self.state.tally.iteration / self.settings.total_iterations)
        return min(1.0, self.seconds() / self.settings.total_s)

    def iterate(self) -> None:
        """Play on all boards, remember it, and learn."""
        began, share, tally = time.monotonic(), self.share(), self.state.tally
        key = jax.random.fold_in(self._seed, tally.iteration)
        for_play, for_learning = jax.random.split(key)
        simulations = round(course.stepped(self.settings.simulations, share))
        games, moves, summary = self._play(
            self.state.learners[0].average, self.state.games, for_play, *self._searching(simulations)
        )
        memory = self._store(self.state.replay, moves)
        counts = {name: float(number) for name, number in summary.items()}  # waits for the games
        played_at = time.monotonic()
        self.state.games, self.state.replay = games, memory
        values: dict[str, Any] = {}
        if int(memory.filled) >= self.settings.learn.first * self.settings.play.moves:
            values = self._learn_once(for_learning, share)
        done = time.monotonic()
        self._count(counts, simulations)
        finished = max(counts["games"], 1)
        self._progress.record(
            "iteration",
            iteration=tally.iteration,
            seconds=self.seconds(),
            simulations=simulations,
            play_s=played_at - began,
            learn_s=done - played_at,
            evaluations_per_s=self._evaluations(simulations) / (played_at - began),
            games=tally.games,
            positions=tally.positions,
            plies=counts["plies"] / finished,
            draws=counts["draws"] / finished,
            first_mover=counts["first"] / finished,
            certainty=counts["certainty"],
            entropy=counts["entropy"],
            **values,
        )

    def _learn_once(self, key: Array, share: float) -> dict[str, Any]:
        learn, tally = self.settings.learn, self.state.tally
        rate = course.learning_rate(learn, share, tally.learned)
        trace = course.sloped(learn.trace, share)
        learners, losses = self._learn(
            self.state.learners, self.state.replay, key, jnp.float32(rate), jnp.float32(trace)
        )
        self.state.learners = learners
        tally.learned += 1
        tally.samples += self._steps * learn.batch
        values: dict[str, Any] = {"rate": rate, "trace": trace}
        for size, parts in zip(self.settings.networks, np.asarray(losses), strict=True):
            values[size.name] = {name: round(float(part), 5) for name, part in zip(learner.LOSSES, parts, strict=True)}
        if not np.isfinite(np.asarray(losses)).all():
            raise FloatingPointError("the loss is no longer a number; lower learn.rate")
        return values

    def _evaluations(self, simulations: int) -> int:
        return self.settings.play.boards * self.settings.play.moves * (simulations + 1)

    def _count(self, counts: dict[str, float], simulations: int) -> None:
        tally = self.state.tally
        tally.iteration += 1
        tally.games += int(counts["games"])
        tally.positions += self.settings.play.boards * self.settings.play.moves
        tally.evaluations += self._evaluations(simulations)

    def matches(self) -> None:
        """Let the averaged weights play the snapshots, then keep them as a snapshot."""
        tally, now = self.state.tally, self.state.learners[0].average
        for number, past in enumerate(self.state.snapshots):
            key = jax.random.fold_in(jax.random.fold_in(self._seed, 2_000_000 + tally.iteration), number)
            for simulations in sorted({0, self.settings.match.simulations}):
                score = self._match(now, past.restored(), key, *self._searching(simulations))
                share, error, draws = (float(number) for number in score)
                self._progress.record(
                    "match",
                    iteration=tally.iteration,
                    seconds=self.seconds(),
                    opponent_iteration=past.iteration,
                    opponent_seconds=past.seconds,
                    simulations=simulations,
                    games=2 * self.settings.match.pairs,
                    score=share,
                    error=error,
                    draws=draws,
                )
                how = f"{simulations} simulations" if simulations else "first impressions"
                self._say(f"match against {past.seconds:.0f} s ({how}): {share:.3f} ± {1.96 * error:.3f}")
        kept = {name: np.asarray(tensor, np.float16) for name, tensor in now.items()}
        self.state.snapshots.append(Snapshot(tally.iteration, self.seconds(), kept))
        while len(self.state.snapshots) > max(self.settings.match.opponents, 1):
            del self.state.snapshots[min(1, len(self.state.snapshots) - 1)]
        every = self.settings.match.every
        tally.next_match = every * (math.floor(self.share() / every + 1e-9) + 1)

    def save(self) -> None:
        """Write the checkpoint, and what was compiled."""
        self.state.tally.seconds = self.seconds()
        checkpoint.save(self.out / CHECKPOINT, self.state, self.settings.networks, self.settings.keep_memory)
        self._compiled.pack()

    def export(self) -> None:
        """Write the weights file and the check file of every network."""
        for size, own in zip(self.settings.networks, self.state.learners, strict=True):
            export.export(self.out, self.settings, size, own.average, self.state.tally)

    def drive(self, seconds: float) -> None:
        """Iterate until the run is complete, or until stopping in good order would outlast the given seconds."""
        tally = self.state.tally
        sizes = ", ".join(size.name for size in self.settings.networks)
        self._say(f"{'resumed' if tally.iteration else 'begun'} at iteration {tally.iteration} on {_device()}; {sizes}")
        pace = Pace(seconds - (time.monotonic() - self._started))
        while self.share() < 1 and pace.allows("iteration", "close"):
            with pace.timed("iteration"):
                self.iterate()
            if self.share() >= tally.next_match and pace.allows("match", "close"):
                with pace.timed("match"):
                    self.matches()
            if pace.due("line", LINE_S):
                self._say(self._progress.latest())
            if pace.due("close", self.settings.checkpoint_s):
                with pace.timed("close"):
                    self._close()
        if self.share() >= 1 and self._unmatched() and pace.allows("match", "close"):
            self.matches()
        self._close()
        self._say(
            f"{'complete' if self.share() >= 1 else 'paused'}: {tally.iteration} iterations, {tally.games} games, "
            f"{tally.positions} positions, {tally.evaluations} evaluations, {tally.samples} samples"
        )

    def _unmatched(self) -> bool:
        """Say whether anything was learned since the last snapshot."""
        return not self.state.snapshots or self.state.snapshots[-1].iteration < self.state.tally.iteration

    def _close(self) -> None:
        self.save()
        self.export()

    def _say(self, text: str) -> None:
        self._progress.say(self.seconds(), text)


def _device() -> str:
    return str(jax.devices()[0].device_kind)
