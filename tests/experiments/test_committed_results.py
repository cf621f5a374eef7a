"""Tests that each committed report agrees with its committed records."""

from pathlib import Path

import pytest

from fourfall.agents.levels import LEVELS, get_level_number
from fourfall.arena.schedule import schedule_games
from fourfall.arena.worker import play_scheduled_game
from fourfall.experiments import get_experiment, list_experiments
from fourfall.experiments.event_experiment import EventExperiment
from fourfall.experiments.markdown import format_report
from fourfall.experiments.records import read_records
from fourfall.experiments.run import SETTINGS_FILE, load_settings, read_explanation

ROOT = Path(__file__).parents[2]
WEAK_LEVELS = [name for name in LEVELS if get_level_number(name) < 80]  # without the network, which needs longer
FOLDERS = sorted(path.parent for path in (ROOT / "experiments").glob(f"*/{SETTINGS_FILE}"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_report_agrees_with_records(folder: Path) -> None:
    """The report is the one that the records give, and the records are games of the experiment's spec."""
    name, settings = load_settings(folder)
    assert name == folder.name
    assert not settings.quick
    experiment = get_experiment(name)
    report = experiment.load_report(folder, settings)
    text = format_report(experiment, report, settings.quick, read_explanation(folder))
    assert text == (folder / "report.md").read_text(encoding="utf-8")
    if not isinstance(experiment, EventExperiment):
        return
    for key, spec in experiment.load_specs(settings).items():
        records = read_records(folder / f"{key}.jsonl.xz")
        agents = {agent.name: agent.address for agent in spec.agents}
        pairings = {(group.name, *pairing) for group in spec.groups for pairing in group.list_pairings()}
        numbers = [record.number for record in records]
        assert len(set(numbers)) == len(numbers)
        for record in records:
            assert record.addresses == tuple(agents[each] for each in record.names)
            one, other = record.names if record.number % 2 == 0 else record.names[::-1]
            assert (record.group, one, other) in pairings


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_shortest_game_is_reproduced(folder: Path) -> None:
    """The engines of today play the shortest game of each event again; agents with time limits cannot."""
    name, settings = load_settings(folder)
    experiment = get_experiment(name)
    if not isinstance(experiment, EventExperiment):
        return
    for key, spec in experiment.load_specs(settings).items():
        records = [
            record
            for record in read_records(folder / f"{key}.jsonl.xz")
            if all("simulations=" in address or address in WEAK_LEVELS for address in record.addresses)
        ]
        shortest = min(records, key=lambda record: (len(record.moves), record.number))
        game = next(game for game in schedule_games(spec) if game.number == shortest.number)
        assert play_scheduled_game(game).moves == shortest.moves


def test_documentation_lists_every_experiment() -> None:
    """docs/experiments.md names each experiment."""
    text = (ROOT / "docs" / "experiments.md").read_text(encoding="utf-8")
    assert [experiment.name for experiment in list_experiments() if f"`{experiment.name}`" not in text] == []
