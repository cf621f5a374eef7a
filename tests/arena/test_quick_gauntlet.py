"""Tests of the quick gauntlet: chosen pairs, resuming, and the number of planned games."""

from contextlib import closing
from pathlib import Path

from fourfall.agents.levels import LEVELS
from fourfall.arena.event_runner import find_unfinished_event, run_event
from fourfall.arena.quick_gauntlet import QuickSchedule, make_quick_spec
from fourfall.arena.record import GameRecord
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store

GAMES = 8
SPEC = make_quick_spec(Spec.gauntlet("seed-002?simulations=2", list(LEVELS), pairs=1, boards=["4x4"]), GAMES)


def play_games(store: Store, event: int, limit: int) -> list[GameRecord]:
    """Play games of the event until it has this number of games, and return all of them."""
    records = list(store.find_records(event))
    schedule = QuickSchedule(SPEC, GAMES, records)
    with closing(run_event(store, event, [None], games=schedule)) as played:
        for record in played:
            schedule.add(record)
            records.append(record)
            if len(records) == limit:
                break
    return records


def test_stopped_quick_gauntlet_continues(tmp_path: Path) -> None:
    """After a stop in the middle of a pair, the pair is completed and the planned number of games is reached."""
    with Store(tmp_path / "arena.db") as store:
        event = store.create_event(SPEC, GAMES)
        first = play_games(store, event, 3)
        assert not store.get_event(event).is_complete
        assert find_unfinished_event(store, SPEC) == event
        records = play_games(store, event, GAMES)
        assert store.get_event(event).is_complete
    assert all(record in records for record in first)
    numbers = {record.number for record in records}
    assert len(numbers) == GAMES
    assert {number ^ 1 for number in numbers} == numbers, "each pair is complete"


def test_choice_depends_only_on_the_stored_games() -> None:
    """Two schedules with the same records choose the same game."""
    assert next(iter(QuickSchedule(SPEC, GAMES))) == next(iter(QuickSchedule(SPEC, GAMES)))
    assert list(QuickSchedule(SPEC, 0)) == []
