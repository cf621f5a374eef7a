"""Tests which workers are slow or overloaded, which games depend on speed, and what the store keeps of workers."""

from dataclasses import replace
from pathlib import Path

import pytest

from fourfall.arena.event_workers import add_worker, list_workers
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.schedule import schedule_games
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store
from fourfall.arena.timed_games import depends_on_speed, is_timed
from fourfall.arena.worker import play_scheduled_game
from fourfall.cluster.calibration import TimingPolicy, find_median_speed, judge_worker
from fourfall.cluster.status import WorkerState
from fourfall.cluster.worker_report import WorkerReport, examine_worker

REPORT = replace(examine_worker(), machine_cores=8, load=2.0, simulations_per_s=1000.0)


@pytest.mark.parametrize(
    ("report", "state", "words"),
    [
        (REPORT, WorkerState.OK, ""),
        (replace(REPORT, simulations_per_s=700.0), WorkerState.OK, ""),
        (replace(REPORT, simulations_per_s=500.0), WorkerState.SLOW, "the median of the workers is 2.0 times as fast"),
        (replace(REPORT, load=13.0), WorkerState.OVERLOADED, "load average 13 on 8 cores"),
        (replace(REPORT, late_share=0.5), WorkerState.OVERLOADED, "its search did not run for 50 % of the time"),
    ],
)
def test_judgement_of_workers(report: WorkerReport, state: WorkerState, words: str) -> None:
    """A worker is compared with the median, and its load with its cores."""
    assert judge_worker(report, 1000.0, TimingPolicy()) == (state, words)


def test_median_of_two_workers_is_the_faster_one() -> None:
    """So the slower one of two can be too slow."""
    slow = replace(REPORT, simulations_per_s=100.0)
    assert find_median_speed([slow, REPORT]) == 1000.0
    assert find_median_speed([slow]) == 100.0
    assert find_median_speed([]) is None
    assert judge_worker(slow, 100.0, TimingPolicy())[0] is WorkerState.OK


def test_games_with_fixed_simulations_do_not_depend_on_speed() -> None:
    """Unless a move reached its time limit, which ended its search."""
    fixed, timed = (
        next(schedule_games(Spec.match("seed-002?simulations=10", other, pairs=1, boards=["5x6"])))
        for other in ("level-2", "seed-000?time=0.01")
    )
    assert (is_timed(fixed), is_timed(timed)) == (False, True)
    record = play_scheduled_game(fixed)
    assert not depends_on_speed(fixed, replace(record, times_ms=tuple(1.0 for _ in record.times_ms)))
    assert depends_on_speed(fixed, replace(record, times_ms=(2900.0, *record.times_ms[1:])))


def test_records_and_databases_without_workers(tmp_path: Path) -> None:
    """Records without the new keys are read; a database without workers has an empty list and gets no table."""
    assert "worker" not in EXAMPLE.to_json()
    marked = replace(EXAMPLE, worker="node-1", timing="late")
    assert GameRecord.from_json(marked.to_json()) == marked
    assert GameRecord.from_json(EXAMPLE.to_json()).worker == ""
    with Store(tmp_path / "arena.db") as store:
        event = store.create_event(Spec.match("level-2", "level-4", pairs=1))
        assert list_workers(store, event) == []
        add_worker(store, event, "node-1", REPORT)
        [worker] = list_workers(store, event)
    assert (worker.name, worker.report["load"], worker.report["simulations_per_s"]) == ("node-1", 2.0, 1000.0)
