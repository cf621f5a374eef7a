"""Tests of the benchmark that compares the values of networks with those of a search."""

import random
from pathlib import Path

import pytest

from benchmarks.network_accuracy import can_be_evaluated
from benchmarks.value_accuracy import (
    Divergences,
    list_positions,
    main,
    measure_game,
    print_table,
    push_from_policy,
)
from fourfall import Board, Network
from tests.search.network_reference import ReferenceNetwork


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Write two small networks with random weights."""
    folder = tmp_path_factory.mktemp("networks")
    return [ReferenceNetwork.random(seed, channels=32, blocks=1).write(folder / f"{seed}.f4w") for seed in (1, 2)]


def test_positions_are_those_around_the_game(files: list[Path]) -> None:
    """They have zero to two or four more stones, contain the stones of the game and can be evaluated."""
    board = Board.parse("9x9@4,4:19")
    positions = dict(list_positions(board, Network.load(files[0]), random.Random(1)))  # noqa: S311
    assert [position.ply - board.ply for position in positions.values()] == [0, 1, 2, 4, 4]
    for position in positions.values():
        assert position.moves[: board.ply] == board.moves
        assert can_be_evaluated(position)


def test_certain_policy_plays_its_best_move(files: list[Path]) -> None:
    """At a temperature near zero the drawn move is the one with the greatest logit."""
    network, board = Network.load(files[0]), Board.parse("9x9@4,4:19")
    logits = [logit if logit is not None else -1e9 for logit in network.evaluate(board)[1]]
    after = push_from_policy(board.copy(), 1, network, 1e-6, random.Random(2))  # noqa: S311
    assert after.moves[-1] == max(board.safe_moves, key=lambda column: logits[column])


def test_game_is_reproducible(files: list[Path]) -> None:
    """The same seed gives the same figures; every position has one for each network, which is not negative."""
    found = measure_game(files, 20, 3)
    assert found
    assert found == measure_game(files, 20, 3)
    assert all(len(one.numbers) == 2 and min(one.numbers) >= 0 for one in found)


def test_table_has_the_kinds_that_occur(files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    """A row for each kind and one for all, with the difference from the first network."""
    print_table(files, [[Divergences("in the game", [0.1, 0.2])], [Divergences("after a random move", [0.3, 0.2])]])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2 games, 2 positions; mean divergence from the search, nats"
    assert lines[4:] == [
        "| in the game | 1 | 0.1000 | 0.2000 | +0.1000 ± 0.0000 |",
        "| after a random move | 1 | 0.3000 | 0.2000 | -0.1000 ± 0.0000 |",
        "| all | 2 | 0.2000 | 0.2000 | +0.0000 ± 0.1386 |",
    ]


def test_missing_weights_file_is_a_usage_error(
    files: list[Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error names the file, before any game is played."""
    monkeypatch.setattr("sys.argv", ["value_accuracy", str(files[0]), "--search", "missing.f4w"])
    with pytest.raises(SystemExit) as error:
        main()
    assert error.value.code == 2
    assert "missing.f4w: No such file or directory" in capsys.readouterr().err
