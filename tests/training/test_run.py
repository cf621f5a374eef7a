"""Owns whole runs at toy size: they learn, go on exactly where they stopped, and refuse what they cannot do."""

import dataclasses
import json
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jax", reason="needs the extra: pip install 'fourfall[train]'")

import jax
import jax.numpy as jnp
import numpy as np

from training import __main__ as command
from training import learner, replay, weights_file
from training.boards import BoardKind
from training.check_file import random_positions
from training.checkpoint import CheckpointError, restore
from training.network import Size, Weights, judge
from training.rules import Outlook, Position, look, planes
from training.run import Run
from training.settings import Settings, SettingsError, load

SETTINGS = Path(__file__).parents[2] / "training" / "settings"
ITERATIONS = 10


def toy() -> Settings:
    """Return the toy settings made smaller still: one network, one size of board."""
    settings = load(SETTINGS / "toy.toml")
    return dataclasses.replace(
        settings,
        networks=(Size(8, 1),),
        boards=(BoardKind(1.0, (5, 5), (5, 5), 0.0),),
        total_iterations=ITERATIONS,
        match=dataclasses.replace(settings.match, pairs=128, every=1.0),
    )


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run it to its end, with a copy of the folder half way."""
    out = tmp_path_factory.mktemp("toy")
    run = Run(toy(), out, time.monotonic())
    run.matches()  # keeps the untrained network
    for _ in range(ITERATIONS - 1):
        run.iterate()
    run.save()
    shutil.copytree(out, out.with_name("earlier"))
    run.drive(1e6)
    return run


def curves(run: Run, kind: str) -> list[dict[str, Any]]:
    """Read a run's records of one kind."""
    lines = (run.out / "curves.jsonl").read_text().splitlines()
    return [record for line in lines if (record := json.loads(line))["kind"] == kind]


def test_losses_fall(finished: Run) -> None:
    """On what is remembered at the end, every part of the trained network's loss is below the untrained one's."""
    memory = finished.state.replay
    assert memory is not None

    @jax.jit
    def parts(weights: Weights) -> jax.Array:
        batch = learner.sample(memory, replay.targets(memory, 0.9), jax.random.key(5), 1024, jnp.dtype(jnp.float32))
        return learner.loss(weights, batch, toy().learn.weights)[1]

    trained, untrained = parts(finished.state.learners[0].average), parts(finished.state.snapshots[0].restored())
    for name, after, before in zip(learner.LOSSES, trained, untrained, strict=True):
        assert float(after) < float(before), name


def test_the_trained_network_beats_the_untrained(finished: Run) -> None:
    """With search, after ten short iterations, it wins clearly more than half of the points."""
    with_search = [record for record in curves(finished, "match") if record["simulations"]]
    assert len(with_search) == 1
    assert with_search[0]["score"] - 2 * with_search[0]["error"] > 0.5


def test_curves_tell_what_happened(finished: Run) -> None:
    """Game lengths, draws, the first mover's score and speed are there and possible."""
    records = curves(finished, "iteration")
    assert [record["iteration"] for record in records] == list(range(1, ITERATIONS + 1))
    for record in records:
        assert 7 <= record["plies"] <= 25
        assert 0 <= record["draws"] <= 1
        assert -1 <= record["first_mover"] <= 1
        assert record["evaluations_per_s"] > 0
    assert finished.state.tally.games > 100


def test_a_resumed_run_goes_on_exactly(finished: Run) -> None:
    """From the checkpoint before the last iteration, all weights and moments end up the same to the last bit."""
    resumed = Run(toy(), finished.out.with_name("earlier"), time.monotonic())
    assert resumed.state.tally.iteration == ITERATIONS - 1
    resumed.iterate()
    for one, other in zip(
        jax.tree.leaves(finished.state.learners), jax.tree.leaves(resumed.state.learners), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_the_averaged_weights_are_exported(finished: Run) -> None:
    """The weights file holds the averaged weights and says which run made them."""
    header, _, tensors = weights_file.read(finished.out / "toy-8x1.f4w")
    assert header["run"] == "toy"
    assert f"{finished.state.tally.games} games" in header["note"]
    for name, tensor in tensors.items():
        np.testing.assert_array_equal(tensor, finished.state.learners[0].average[name])
    assert (finished.out / "toy-8x1.f4w.check.json").exists()


def test_a_checkpoint_of_other_networks_or_half_of_one_is_refused(finished: Run, tmp_path: Path) -> None:
    """Settings that do not fit the checkpoint, and a broken file, are one line."""
    whole, half = finished.out / "checkpoint.npz", tmp_path / "half.npz"
    with pytest.raises(CheckpointError, match="made for networks 8x1"):
        restore(whole, finished.state, (Size(4, 1),))
    half.write_bytes(whole.read_bytes()[:1000])
    with pytest.raises(CheckpointError, match=r"half.npz: not a whole checkpoint"):
        restore(half, finished.state, (Size(8, 1),))


def test_a_run_begins_with_the_networks_of_another(finished: Run, tmp_path: Path) -> None:
    """A network of the same size goes on as it was; a deeper one says at first what the one it grew from says."""
    origin = finished.out / "checkpoint.npz"
    settings = dataclasses.replace(toy(), networks=(Size(8, 1), Size(8, 3), Size(4, 1)))
    run = Run(settings, tmp_path / "further", time.monotonic(), origin)
    assert run.state.tally.iteration == 0
    same, deeper, _ = (own.average for own in run.state.learners)
    trained = finished.state.learners[0]
    for one, other in zip(jax.tree.leaves(trained), jax.tree.leaves(run.state.learners[0]), strict=True):
        np.testing.assert_array_equal(one, other)
    seen = planes(*_looked(random_positions(3)[1]), jnp.dtype(jnp.float32))
    for one, other in zip(judge(same, seen), judge(deeper, seen), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)
    with pytest.raises(CheckpointError, match="has networks 8x1, none that these settings can use"):
        Run(dataclasses.replace(toy(), networks=(Size(4, 1),)), tmp_path / "other", time.monotonic(), origin)


def test_a_run_begins_with_a_weights_file(finished: Run, tmp_path: Path) -> None:
    """The exported network says what it said; what was not exported begins anew; a broken file is one line."""
    exported = finished.out / "toy-8x1.f4w"
    run = Run(toy(), tmp_path / "further", time.monotonic(), exported)
    own = run.state.learners[0]
    for name, tensor in weights_file.read(exported).tensors.items():
        np.testing.assert_array_equal(own.average[name], tensor)
        np.testing.assert_array_equal(own.weights[name], tensor)
    assert float(own.steps) == 0
    assert all(not moment.any() for moment in jax.tree.leaves((own.first, own.second)))
    run.iterate()
    (tmp_path / "half.f4w").write_bytes(exported.read_bytes()[:1000])
    with pytest.raises(CheckpointError, match=r"half\.f4w: checksum does not match"):
        Run(toy(), tmp_path / "broken", time.monotonic(), tmp_path / "half.f4w")


def _looked(position: Position) -> tuple[Position, Outlook]:
    return position, look(position)


@pytest.mark.parametrize("name", ["toy.toml", "full.toml", "further.toml", "sharpen.toml"])
def test_the_settings_that_come_along_are_sound(name: str) -> None:
    """The files are read without complaint."""
    assert load(SETTINGS / name).networks


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("batch = 128", "batsch = 128", "unknown key learn.batsch"),
        ("batch = 128", "", "learn.batch is missing"),
        ("batch = 128", 'batch = "128"', "learn.batch must be of type int"),
        ("batch = 128", "batch = 0", "learn.batch must be between 1 and"),
        ('precision = "f32"', 'precision = "f64"', "precision must be one of bf16, f32"),
        ('networks = ["16x2", "8x1"]', 'networks = ["16"]', r"networks\[0\] must be channels and blocks"),
        ("rows = [4, 6]", "rows = [4, 13]", "ranges within 4 to 12"),
        ("rows = [4, 6]", "rows = [4]", r"boards\[0\].rows must have 2 entries"),
        ("total_s = 0", "total_s = 9", "total_s or total_iterations"),
        ("simulations = [[0.0, 8]]", "simulations = [[0.5, 8]]", "from 0 to at most 1"),
        ("most_simulations = 8", "most_simulations = 7", "no room for 8 simulations"),
        ("seed = 1", "seed = ", "Invalid value"),
    ],
)
def test_bad_settings_are_one_line(tmp_path: Path, old: str, new: str, words: str) -> None:
    """An unknown, missing, mistyped or impossible key is named with its file."""
    path = tmp_path / "bad.toml"
    text = (SETTINGS / "toy.toml").read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(SettingsError, match=words) as refused:
        load(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert "\n" not in str(refused.value)


def test_the_command_reports_bad_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing settings file is one line on standard error and exit code 2."""
    missing = str(tmp_path / "none.toml")
    monkeypatch.setattr("sys.argv", ["training", "run", missing, "--out", str(tmp_path)])
    assert command.main() == 2
    assert capsys.readouterr().err == f"{missing}: No such file or directory\n"
