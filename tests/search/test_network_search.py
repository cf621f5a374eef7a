"""Tests of the graph search with a network: evaluation, cache, mirror images, and missing weights files."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fourfall import Analysis, Board, Engine, Limit, Network, WeightsError, weights
from tests.cli.conftest import Fourfall
from tests.cli.conftest import fourfall as run_fourfall
from tests.search.network_reference import ReferenceNetwork

fourfall = run_fourfall  # makes the fixture available in this file
SYMMETRIC = ["6x7", "6x7:3352", "9x9@3,4:44258", "12x12:6612"]
OTHER = ["9x9@3,3:44258", "10x11@4,7:6619", "12x12@0,0:7"]


def load_network(preset: Path) -> Network:
    """Load the network of the test preset."""
    return Network.load(preset.with_name("random.f4w"))


def evaluate_root(preset: Path, board: Board) -> tuple[float, int]:
    """Return the evaluation of the root and the column of the first simulation."""
    engine = Engine(preset, seed=1, memory_mb=16)
    analysis = engine.search(board, Limit(simulations=1))
    root = engine.tree(1)
    (child,) = root.children
    assert analysis.evaluations == 2
    return 2 * root.score.value - child.score.value, child.column


@pytest.mark.parametrize("text", [*SYMMETRIC, *OTHER])
def test_root_has_value_and_prior_of_the_network(network_preset: Path, text: str) -> None:
    """The evaluation is the network's, of the position or its mirror image; the move with the best prior is first."""
    board = Board.parse(text)
    value, column = evaluate_root(network_preset, board)
    network = load_network(network_preset)
    expected = [network.evaluate(board)[0]]
    if text in SYMMETRIC:
        expected.append(network.evaluate(board.mirror())[0])
    assert min(abs(value - each) for each in expected) < 1e-5
    if text in OTHER:
        logits = [logit for logit in network.evaluate(board)[1] if logit is not None]
        assert len(logits) == board.cols
        assert logits[column] > max(logits) - 0.1, "the difference is larger than the noise of the seed"


@pytest.mark.parametrize("text", SYMMETRIC)
def test_mirror_images_have_equal_evaluations(network_preset: Path, text: str) -> None:
    """On a symmetric board, a position and its mirror image share one evaluation; the network itself is asymmetric."""
    board = Board.parse(text)
    value, _ = evaluate_root(network_preset, board)
    assert evaluate_root(network_preset, board.mirror())[0] == pytest.approx(value, abs=1e-6)
    if board.mirror() != board:
        network = load_network(network_preset)
        assert network.evaluate(board)[0] != network.evaluate(board.mirror())[0]


def test_evaluations_are_cached(network_preset: Path) -> None:
    """On a symmetric board, the search after the mirrored first move takes most evaluations from the cache."""
    engine = Engine(network_preset, seed=1, memory_mb=32)
    first = engine.search(Board.parse("6x7:1"), Limit(simulations=300))
    mirrored = engine.search(Board.parse("6x7:7"), Limit(simulations=300))
    assert mirrored.reused_visits == 0
    assert mirrored.evaluations < first.evaluations / 2


def test_position_with_only_move_is_not_evaluated(network_preset: Path) -> None:
    """If a threat leaves a single move, the simulation continues below it."""
    engine = Engine(network_preset, seed=1, memory_mb=16)
    analysis = engine.search(Board.parse("9x9@3,4:11223"), Limit(simulations=1))
    assert (analysis.move, analysis.evaluations) == (3, 1)


def move_and_visits(analysis: Analysis) -> list[object]:
    """Return move, score and visits of an analysis."""
    return [analysis.move, str(analysis.score), [(column.column, column.visits) for column in analysis.columns]]


def test_missing_weights_file_falls_back_to_rollouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the package has no weights file, fourfall searches like fourfall-classic."""
    monkeypatch.setattr(weights, "load", lambda *_: None)
    board = Board.parse("9x9@3,4:44")
    engine, classic = (Engine(name, seed=1, memory_mb=16) for name in ("fourfall", "fourfall-classic"))
    assert (engine.evaluator, classic.evaluator) == ("rollouts", "rollouts")
    assert move_and_visits(engine.search(board, Limit(simulations=500))) == move_and_visits(
        classic.search(board, Limit(simulations=500))
    )


def test_command_line_reports_missing_weights_file(tmp_path: Path) -> None:
    """If the package has no weights file, `fourfall analyse` works without it and prints one line about it."""
    package = Path(weights.__file__).parents[1]
    shutil.copytree(package, tmp_path / "fourfall", ignore=shutil.ignore_patterns("*.f4w", "static", "__pycache__"))
    arguments = ["analyse", "6x7:44", "--engine", "fourfall", "--simulations", "200"]
    command = [sys.executable, "-P", "-c", "from fourfall.cli import main; main()", *arguments]
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0
    assert result.stderr == (
        "fourfall: the weights file fourfall.f4w is missing: playing without a network, as fourfall-classic\n"
    )


def test_missing_or_invalid_weights_file_of_a_preset_file(fourfall: Fourfall, tmp_path: Path) -> None:
    """A preset file whose weights file is missing or invalid is rejected with a one-line message."""
    preset = tmp_path / "mine.toml"
    preset.write_text('base = "fourfall"\n[evaluation]\nweights = "./own.f4w"\n')
    with pytest.raises(WeightsError, match=r"own\.f4w: No such file or directory"):
        Engine(preset)
    ReferenceNetwork.random(1).write(tmp_path / "own.f4w", changes={"planes": 17})
    result = fourfall("analyse", "6x7:44", "--engine", str(preset))
    assert result.returncode == 2
    assert result.stderr == f'fourfall: {tmp_path}/own.f4w: "planes" is 17; supported: 16\n'


def test_doctor_reports_the_evaluator(fourfall: Fourfall) -> None:
    """`fourfall doctor` reports whether a network is used and with which instruction set."""
    evaluation = json.loads(fourfall("doctor", "--json").stdout)["machine"]["evaluation"]
    assert evaluation in ("rollouts", f"network, {Network.instruction_sets()[-1]}")
