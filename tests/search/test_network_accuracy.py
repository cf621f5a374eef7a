"""Tests of the benchmark that compares networks by their predictions of results."""

import math
from pathlib import Path

import pytest

from benchmarks.network_accuracy import Prediction, compare_losses, play_game, print_table
from tests.search.network_reference import ReferenceNetwork


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Write two small networks with random weights."""
    folder = tmp_path_factory.mktemp("networks")
    return [ReferenceNetwork.random(seed, channels=32, blocks=1).write(folder / f"{seed}.f4w") for seed in (1, 2)]


@pytest.mark.parametrize("seed", [3, 4])
def test_positions_of_a_game_agree_with_its_result(files: list[Path], seed: int) -> None:
    """Each position has fewer free cells than the one before it, and one side has the same result in all of them."""
    game = play_game(files, 1, seed)
    assert len(game) > 3
    free_cells = [position.free_cells for position in game]
    assert free_cells == sorted(set(free_cells), reverse=True)
    even = {position.result for position in game if position.free_cells % 2 == 0}
    odd = {position.result for position in game if position.free_cells % 2 == 1}
    assert len(even) == len(odd) == 1
    assert even.pop() + odd.pop() == 1
    assert all(len(position.chances) == 2 and 0 <= chance <= 1 for position in game for chance in position.chances)


def test_difference_is_the_mean_over_positions() -> None:
    """A game with three positions counts three times as much as a game with one; the error is that of the games."""
    better, equal = Prediction(20, 1.0, [0.5, 1.0]), Prediction(20, 0.0, [0.5, 0.5])
    difference, error = compare_losses([[better], [equal] * 3], 1)
    gain = math.log(1 - 1e-4) + math.log(2)
    assert difference == pytest.approx(-gain / 4)
    assert error == pytest.approx(1.96 * math.sqrt(2 * (3 * gain / 4) ** 2) / 4)


def test_table_has_the_ranges_that_occur(files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    """A draw and a win at even chances have the same loss; only the win has a wrong sign."""
    print_table(files, [[Prediction(20, 1.0, [0.5, 0.9])], [Prediction(40, 0.5, [0.5, 0.5])]])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2 games, 2 positions; log loss, share of wrong signs"
    assert lines[4:7] == [
        "| 16 to 31 | 1 | 0.6931, 100.0 % | 0.1054, 0.0 % |",
        "| 32 to 47 | 1 | 0.6931, 0.0 % | 0.6931, 0.0 % |",
        "| all | 2 | 0.6931, 50.0 % | 0.3993, 0.0 % |",
    ]
    assert lines[8].startswith("2 - 1: log loss -0.2939 ± ")
