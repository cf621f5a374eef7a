"""Owns what a network changes in the graph search: what it says is followed, remembered, mirrored, and done without."""

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
from tests.search.network_reference import Weights

fourfall = run_fourfall  # the fixture, also for the tests of this file
SYMMETRIC = ["6x7", "6x7:3352", "9x9@3,4:44258", "12x12:6612"]
OTHER = ["9x9@3,3:44258", "10x11@4,7:6619", "12x12@0,0:7"]


def network_of(preset: Path) -> Network:
    """Load the network that the preset of the tests evaluates with."""
    return Network.load(preset.with_name("drawn.f4w"))


def first_impression(preset: Path, board: Board) -> tuple[float, int]:
    """Return the root's own value and the column that the first simulation tries."""
    engine = Engine(preset, seed=1, memory_mb=16)
    analysis = engine.analyse(board, Limit(simulations=1))
    root = engine.tree(1)
    (tried,) = root.children
    assert analysis.evaluations == 2
    return 2 * root.score.value - tried.score.value, tried.column


@pytest.mark.parametrize("text", [*SYMMETRIC, *OTHER])
def test_the_search_believes_the_network(network_preset: Path, text: str) -> None:
    """The root is worth what the network says of it or of its mirror image, and its likeliest move is tried first."""
    board = Board.parse(text)
    value, column = first_impression(network_preset, board)
    network = network_of(network_preset)
    said = [network.evaluate(board)[0]]
    if text in SYMMETRIC:
        said.append(network.evaluate(board.mirror())[0])
    assert min(abs(value - each) for each in said) < 1e-5
    if text in OTHER:
        logits = [logit for logit in network.evaluate(board)[1] if logit is not None]
        assert len(logits) == board.cols
        assert logits[column] > max(logits) - 0.1, "beyond what seeds may change"


@pytest.mark.parametrize("text", SYMMETRIC)
def test_mirror_images_are_worth_the_same(network_preset: Path, text: str) -> None:
    """On a symmetric board a position and its image get one evaluation, although the network tells them apart."""
    board = Board.parse(text)
    value, _ = first_impression(network_preset, board)
    assert first_impression(network_preset, board.mirror())[0] == pytest.approx(value, abs=1e-6)
    if board.mirror() != board:
        network = network_of(network_preset)
        assert network.evaluate(board)[0] != network.evaluate(board.mirror())[0]


def test_what_was_evaluated_is_remembered(network_preset: Path) -> None:
    """On a symmetric board the search after a mirrored first move asks the network about nothing that it knows."""
    engine = Engine(network_preset, seed=1, memory_mb=32)
    first = engine.analyse(Board.parse("6x7:1"), Limit(simulations=300))
    again = engine.analyse(Board.parse("6x7:7"), Limit(simulations=300))
    assert again.reused_visits == 0
    assert again.evaluations < first.evaluations / 2


def test_only_moves_cost_no_evaluation(network_preset: Path) -> None:
    """Where a threat leaves a single move the search goes on to what comes after it."""
    engine = Engine(network_preset, seed=1, memory_mb=16)
    analysis = engine.analyse(Board.parse("9x9@3,4:11223"), Limit(simulations=1))
    assert (analysis.move, analysis.evaluations) == (3, 1)


def numbers_of(analysis: Analysis) -> list[object]:
    """Return what a search decided and counted."""
    return [analysis.move, str(analysis.score), [(column.column, column.visits) for column in analysis.columns]]


def test_without_weights_the_classic_search_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the package lacks the weights fourfall is fourfall-classic, and says so."""
    monkeypatch.setattr(weights, "load", lambda name: None)
    board = Board.parse("9x9@3,4:44")
    engine, classic = (Engine(name, seed=1, memory_mb=16) for name in ("fourfall", "fourfall-classic"))
    assert (engine.evaluator, classic.evaluator) == ("rollouts", "rollouts")
    assert numbers_of(engine.analyse(board, Limit(simulations=500))) == numbers_of(
        classic.analyse(board, Limit(simulations=500))
    )


def test_the_command_line_says_what_is_missing(tmp_path: Path) -> None:
    """Where the package came without its weights, fourfall is played without them, with one line that says so."""
    package = Path(weights.__file__).parents[1]
    shutil.copytree(package, tmp_path / "fourfall", ignore=shutil.ignore_patterns("*.f4w", "static", "__pycache__"))
    words = ["analyse", "6x7:44", "--engine", "fourfall", "--simulations", "200"]
    command = [sys.executable, "-P", "-c", "from fourfall.cli import main; main()", *words]
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0
    assert result.stderr == (
        "fourfall: the weights file fourfall.f4w is missing: playing without a network, as fourfall-classic\n"
    )


def test_a_weights_file_of_ones_own_must_be_there(fourfall: Fourfall, tmp_path: Path) -> None:
    """A preset that names a file of its own, which is missing or broken, is refused in one line."""
    preset = tmp_path / "mine.toml"
    preset.write_text('base = "fourfall"\n[evaluation]\nweights = "./own.f4w"\n')
    with pytest.raises(WeightsError, match=r"own\.f4w: No such file or directory"):
        Engine(preset)
    Weights.drawn(1).write(tmp_path / "own.f4w", changes={"planes": 17})
    result = fourfall("analyse", "6x7:44", "--engine", preset)
    assert result.returncode == 2
    assert result.stderr == f'fourfall: {tmp_path}/own.f4w: "planes" is 17, and this program knows 16\n'


def test_doctor_tells_the_evaluator(fourfall: Fourfall) -> None:
    """The report on the machine says whether a network is there, and which path through the processor it takes."""
    told = json.loads(fourfall("doctor", "--json").stdout)["machine"]["evaluation"]
    assert told in ("rollouts", f"network, {Network.paths()[-1]}")
