"""Tests of complete training runs at toy size: learning, resuming, exporting, starting from other networks."""

import json
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jax", reason="needs JAX: pip install '.[train]'")

import jax
import jax.numpy as jnp
import numpy as np

from training import learner
from training.check_file import apply_network_jit, compute_features_jit, input_planes_jit, sample_positions
from training.checkpoint import CheckpointError, restore_checkpoint
from training.compilation_cache import FILE_NAME as COMPILATION_CACHE
from training.config import BoardRange, RunConfig, load_config
from training.network import Size, Weights
from training.replay_buffer import compute_targets
from training.training_run import TrainingRun
from training.weights_file import read_weights

CONFIGS = Path(__file__).parents[2] / "training" / "configs"
ITERATIONS = 10


def load_toy_config(*networks: Size) -> RunConfig:
    """Return the toy configuration with one board size and the given networks (default: 8x1)."""
    config = load_config(CONFIGS / "toy.toml")
    return config.model_copy(
        update={
            "networks": networks or (Size(8, 1),),
            "boards": (BoardRange(weight=1.0, rows=(5, 5), cols=(5, 5), hole_probability=0.0),),
            "total_iterations": ITERATIONS,
            "match": config.match.model_copy(update={"pairs": 32, "interval": 1.0}),
        }
    )


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> TrainingRun:
    """Complete a run, with a copy of its folder before the last iteration."""
    folder = tmp_path_factory.mktemp("toy")
    run = TrainingRun(load_toy_config(), folder, time.monotonic())
    run.play_matches()  # stores the untrained network as a snapshot
    for _ in range(ITERATIONS - 1):
        run.iterate()
    run.save()
    shutil.copytree(folder, folder.with_name("earlier"))
    run.run(1e6)
    return run


def read_metrics(run: TrainingRun, kind: str) -> list[dict[str, Any]]:
    """Read a run's records of one kind."""
    lines = (run.folder / "metrics.jsonl").read_text().splitlines()
    return [record for line in lines if (record := json.loads(line))["kind"] == kind]


def create_run(finished: TrainingRun, folder: Path, source: Path, config: RunConfig | None = None) -> TrainingRun:
    """Create a run that starts with other networks, and reuse the compiled functions of the finished run."""
    folder.mkdir()
    shutil.copy(finished.folder / COMPILATION_CACHE, folder)
    return TrainingRun(config or load_toy_config(), folder, time.monotonic(), source)


def test_losses_decrease(finished: TrainingRun) -> None:
    """On the final replay buffer, every part of the trained network's loss is below the untrained network's."""
    buffer = finished.state.replay_buffer

    @jax.jit
    def compute_parts(weights: Weights) -> jax.Array:
        targets = compute_targets(buffer, 0.9)
        batch = learner.sample_batch(buffer, targets, jax.random.key(5), 1024, jnp.dtype(jnp.float32))
        return learner.compute_loss(weights, batch, load_toy_config().learner.loss_weights)[1]

    trained = compute_parts(finished.state.learners[0].average)
    untrained = compute_parts(finished.state.snapshots[0].to_weights())
    for name, after, before in zip(learner.LOSSES, trained, untrained, strict=True):
        assert float(after) < float(before), name


def test_common_part_of_the_logits_is_penalized(finished: TrainingRun) -> None:
    """With `policy_offset`, the loss grows by the mean square of the mean logit of the safe moves."""
    buffer = finished.state.replay_buffer
    batch = learner.sample_batch(buffer, compute_targets(buffer, 0.9), jax.random.key(6), 64, jnp.dtype(jnp.float32))
    weights, plain = finished.state.learners[0].average, load_toy_config().learner.loss_weights
    penalized = plain.model_copy(update={"policy_offset": 0.5})
    totals = [float(learner.compute_loss(weights, batch, parts)[0]) for parts in (plain, penalized)]
    logits, safe = np.asarray(apply_network_jit(weights, batch.planes).policy), np.asarray(batch.safe)
    offsets = [row[is_safe].mean() for row, is_safe in zip(logits, safe, strict=True)]
    assert totals[1] - totals[0] == pytest.approx(0.5 * np.mean(np.square(offsets)), rel=1e-3)


def test_units_are_prepared_once(finished: TrainingRun, tmp_path: Path) -> None:
    """With `prepare_units`, the restarted units are counted before the first update, and not again later."""
    config = load_toy_config()
    config = config.model_copy(update={"learner": config.learner.model_copy(update={"prepare_units": True})})
    run = create_run(finished, tmp_path / "prepared", finished.folder / "toy-8x1.f4w", config)
    for _ in range(config.learner.min_buffer_iterations + 1):
        run.iterate()
    assert run.state.counters.learning_iterations >= 2
    (record,) = read_metrics(run, "restart")
    assert record["network"] == "8x1"
    assert {"a0", "c0", "value_1", "policy_1"} < record.keys()


def test_trained_network_beats_untrained_network(finished: TrainingRun) -> None:
    """With search, after ten short iterations, its score is above one half by more than two standard errors."""
    with_search = [record for record in read_metrics(finished, "match") if record["simulations"]]
    assert len(with_search) == 1
    assert with_search[0]["score"] - 2 * with_search[0]["standard_error"] > 0.5


def test_metrics_are_plausible(finished: TrainingRun) -> None:
    """Game lengths, draws, the first player's result and speed are recorded and in their possible ranges."""
    records = read_metrics(finished, "iteration")
    assert [record["iteration"] for record in records] == list(range(1, ITERATIONS + 1))
    for record in records:
        assert 7 <= record["plies"] <= 25
        assert 0 <= record["draws"] <= 1
        assert -1 <= record["first_player_result"] <= 1
        assert record["evaluations_per_s"] > 0
    assert finished.state.counters.games > 100


def test_resumed_run_is_identical(finished: TrainingRun) -> None:
    """From the checkpoint before the last iteration, all weights and moments become identical to the last bit."""
    resumed = TrainingRun(load_toy_config(), finished.folder.with_name("earlier"), time.monotonic())
    assert resumed.state.counters.iterations == ITERATIONS - 1
    resumed.iterate()
    for expected, actual in zip(
        jax.tree.leaves(finished.state.learners), jax.tree.leaves(resumed.state.learners), strict=True
    ):
        np.testing.assert_array_equal(expected, actual)


def test_averaged_weights_are_exported(finished: TrainingRun) -> None:
    """The weights file has the averaged weights and the name of the run."""
    header, _, tensors = read_weights(finished.folder / "toy-8x1.f4w")
    assert header["run"] == "toy"
    assert f"{finished.state.counters.games} games" in header["note"]
    for name, tensor in tensors.items():
        np.testing.assert_array_equal(tensor, finished.state.learners[0].average[name])
    assert (finished.folder / "toy-8x1.f4w.check.json").exists()


def test_unusable_checkpoint_is_rejected(finished: TrainingRun, tmp_path: Path) -> None:
    """A checkpoint of other networks and a truncated one raise an error of one line."""
    complete, truncated = finished.folder / "checkpoint.npz", tmp_path / "truncated.npz"
    with pytest.raises(CheckpointError, match="has networks 8x1, the configuration has 4x1"):
        restore_checkpoint(complete, finished.state, (Size(4, 1),))
    truncated.write_bytes(complete.read_bytes()[:1000])
    with pytest.raises(CheckpointError, match=r"truncated.npz: not a complete checkpoint"):
        restore_checkpoint(truncated, finished.state, (Size(8, 1),))


def test_run_starts_with_networks_of_a_checkpoint(finished: TrainingRun, tmp_path: Path) -> None:
    """A network of the same size continues unchanged; a deeper one has the same outputs as the one it grew from."""
    source = finished.folder / "checkpoint.npz"
    run = create_run(finished, tmp_path / "continued", source, load_toy_config(Size(8, 1), Size(8, 3), Size(4, 1)))
    assert run.state.counters.iterations == 0
    same, deeper, _ = (state.average for state in run.state.learners)
    trained = finished.state.learners[0]
    for expected, actual in zip(jax.tree.leaves(trained), jax.tree.leaves(run.state.learners[0]), strict=True):
        np.testing.assert_array_equal(expected, actual)
    position = sample_positions(3)[1]
    planes = input_planes_jit(position, compute_features_jit(position), jnp.dtype(jnp.float32))
    for expected, actual in zip(apply_network_jit(same, planes), apply_network_jit(deeper, planes), strict=True):
        np.testing.assert_allclose(expected, actual, rtol=1e-5, atol=1e-5)
    with pytest.raises(CheckpointError, match="has networks 8x1; the configuration has 4x1, which can start only from"):
        create_run(finished, tmp_path / "other", source, load_toy_config(Size(4, 1)))


def test_run_starts_with_a_weights_file(finished: TrainingRun, tmp_path: Path) -> None:
    """The exported weights are used, Adam starts from zero, and a truncated file is an error of one line."""
    exported = finished.folder / "toy-8x1.f4w"
    run = create_run(finished, tmp_path / "continued", exported)
    state = run.state.learners[0]
    for name, tensor in read_weights(exported).tensors.items():
        np.testing.assert_array_equal(state.average[name], tensor)
        np.testing.assert_array_equal(state.weights[name], tensor)
    assert float(state.steps) == 0
    assert all(not moment.any() for moment in jax.tree.leaves((state.first_moment, state.second_moment)))
    run.iterate()
    (tmp_path / "truncated.f4w").write_bytes(exported.read_bytes()[:1000])
    with pytest.raises(CheckpointError, match=r"truncated\.f4w: wrong checksum"):
        create_run(finished, tmp_path / "invalid", tmp_path / "truncated.f4w")
