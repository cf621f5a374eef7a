"""Tests of the run configuration: the supplied files are valid, and invalid values are reported precisely."""

from pathlib import Path

import pytest

pytest.importorskip("jax", reason="needs JAX: pip install '.[train]'")

from fourfall.validation import InputError
from training import __main__ as command
from training.config import load_config

CONFIGS = Path(__file__).parents[2] / "training" / "configs"


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.toml")), ids=lambda path: path.name)
def test_supplied_configurations_are_valid(path: Path) -> None:
    """Every file in training/configs can be read."""
    assert load_config(path).networks


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("batch_size = 128", "batsch_size = 128", "unknown key learner.batsch_size; similar: batch_size"),
        ("batch_size = 128", "", "learner.batch_size is missing"),
        ("batch_size = 128", 'batch_size = "128"', "learner.batch_size must be a whole number from 1 to 1048576"),
        ("batch_size = 128", "batch_size = 0", "learner.batch_size must be a whole number from 1 to 1048576, not 0"),
        ('precision = "f32"', 'precision = "f64"', 'precision must be one of "bf16", "f32", not \'f64\''),
        ('networks = ["16x2", "8x1"]', 'networks = ["16"]', r"networks\[1\]: expected channels x blocks, .* not '16'"),
        ('networks = ["16x2", "8x1"]', "networks = []", "networks must be a list of network sizes"),
        ("rows = [4, 6]", "rows = [4, 13]", r"boards\[1\]\.rows\[2\] must be a whole number from 4 to 12, not 13"),
        ("rows = [4, 6]", "rows = [6, 4]", r"boards\[1\]\.rows: the minimum 6 is above the maximum 4"),
        ("rows = [4, 6]", "rows = [4]", r"boards\[1\]\.rows\[2\] is missing"),
        ("rows = [4, 6]", "rows = [4, 5, 6]", r"boards\[1\]\.rows must be a list of 2 values"),
        ("total_s = 0", "total_s = 9", "exactly one of total_s and total_iterations must be above 0"),
        (
            "simulations = [[0.0, 8]]",
            "simulations = [[0.5, 8]]",
            "simulations: expected a list of .* from 0 to at most",
        ),
        ("simulations = [[0.0, 8]]", "simulations = 8", "simulations must be a list of .* not 8"),
        ("max_simulations = 8", "max_simulations = 7", "search.max_simulations is 7, but the run needs 8 simulations"),
        (
            "td_lambda = [[0.0, 0.9]]",
            "td_lambda = [[0.0, nan]]",
            r"learner\.td_lambda\[1\]\[2\] must be a number, not nan",
        ),
        ("seed = 1", "seed = ", "Invalid value"),
    ],
)
def test_invalid_configuration_is_rejected(tmp_path: Path, old: str, new: str, words: str) -> None:
    """An unknown, missing, mistyped or impossible value is one line with the file, the key and what is allowed."""
    path = tmp_path / "bad.toml"
    text = (CONFIGS / "toy.toml").read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(InputError, match=words) as caught:
        load_config(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_command_reports_missing_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing configuration is one line on standard error and exit code 2."""
    missing = str(tmp_path / "none.toml")
    monkeypatch.setattr("sys.argv", ["training", "run", missing, "--out", str(tmp_path)])
    assert command.main() == 2
    assert capsys.readouterr().err == f"{missing}: No such file or directory\n"


@pytest.mark.parametrize("option", ["--seconds", "--total"])
def test_command_rejects_durations_that_are_not_positive(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A duration of 0 is one line on standard error and exit code 2."""
    words = ["training", "run", str(CONFIGS / "toy.toml"), "--out", str(tmp_path), option, "0"]
    monkeypatch.setattr("sys.argv", words)
    assert command.main() == 2
    assert capsys.readouterr().err == f"{option} must be above 0, not 0\n"
