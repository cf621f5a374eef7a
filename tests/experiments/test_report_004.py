"""The experiments of report 004: which versions make the same moves, and the analysis of ladders."""

from dataclasses import replace
from itertools import combinations

import pytest

from fourfall import Board, Engine, Limit
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.experiments.event_experiment import load_packaged_spec
from fourfall.experiments.report_004 import BANDS, VERSIONS, analyse_versions
from fourfall.experiments.run import RunSettings

NAMES = [version.name for version in VERSIONS]


def make_ladder(names: list[str]) -> list[GameRecord]:
    """Make two pairs of games of every pairing; the later version wins three games of four."""
    records: list[GameRecord] = []
    for one, other in combinations(names, 2):
        for number in range(4):
            first, second = (one, other) if number % 2 == 0 else (other, one)
            winner = 0 if number == 0 else (first, second).index(other)
            records.append(
                replace(EXAMPLE, names=(first, second), winner=winner, number=len(records), pair=len(records) // 2)
            )
    return records


@pytest.mark.parametrize("spec", ["004-equal-simulations", "004-equal-time"])
def test_ladder_has_every_version_with_its_preset(spec: str) -> None:
    """Each version plays with its preset, v1 to v4 with the variant that has bitboards."""
    agents = load_packaged_spec(spec).agents
    assert [agent.name for agent in agents] == NAMES
    for agent in agents:
        variant = "-bitboards" if agent.name in NAMES[:4] else ""
        assert agent.address.startswith(f"seed-004-{agent.name}{variant}?simulations=")


@pytest.mark.parametrize("same", [("v4-bitboards", "v5"), ("v8", "v9", "v10"), ("v14", "v15", "v16", "v17")], ids=str)
def test_versions_that_differ_in_speed_alone_make_the_same_moves(same: tuple[str, ...]) -> None:
    """With a fixed number of simulations they play the same game against themselves."""
    games = set()
    for version in same:
        board, engine = Board.parse("9x10@4,4"), Engine(f"seed-004-{version}", seed=3, memory_mb=16)
        for _ in range(6):
            board.push(engine.play(board, Limit(simulations=200)))
        games.add(board.notation)
    assert len(games) == 1


def test_ratings_of_a_ladder_rise_from_band_to_band() -> None:
    """If later versions win, every group of versions is above the one before, and the origin is the report's 1000."""
    ladder = make_ladder(NAMES)
    report = analyse_versions({"004-equal-simulations": ladder, "004-equal-time": ladder}, RunSettings())
    ratings, bands, steps = report.tables
    elo = {row[0]: int(row[5].split()[0]) for row in ratings.rows}
    assert list(elo) == NAMES
    assert sorted(elo.values()) == list(elo.values())
    origin = [elo[name] for name in BANDS[1].members]
    assert sum(origin) / len(origin) == pytest.approx(1000, abs=1)
    assert all(row[2].startswith("+") for row in bands.rows)
    assert len(steps.rows) == len(VERSIONS) - 1
    assert "contradicts" not in " ".join(report.readings)


def test_incomplete_ladder_is_analysed() -> None:
    """A ladder of which few games were played gives a report instead of an error."""
    records = {"004-equal-simulations": make_ladder(NAMES[:3]), "004-equal-time": []}
    report = analyse_versions(records, RunSettings(quick=True))
    assert len(report.tables[0].rows) == len(NAMES)
