"""Tests of faults that take long; `make test-cluster` runs them."""

from pathlib import Path

import pytest

from fourfall.arena.cluster_executor import ClusterExecutor
from fourfall.arena.event_runner import run_event
from fourfall.arena.schedule import schedule_games
from fourfall.arena.store import Store
from fourfall.cluster.errors import WorkerError
from tests.cluster.dask_processes import start_dask
from tests.cluster.test_faults import FIXED, make_spec, open_executor


def test_scheduler_that_does_not_come_back(tmp_path: Path) -> None:
    """After the documented time the run ends with an error that says --resume; the finished games are stored."""
    spec = make_spec(FIXED, 50)
    with start_dask(tmp_path, workers=1) as dask, Store(tmp_path / "arena.db") as store:
        event = store.create_event(spec)
        words = r"was lost and did not come back within 1 s; .* continue with --resume"
        with open_executor(dask, patience_s=1) as executor:
            wait_for_worker(executor)
            records = run_event(store, event, (), executor=executor)
            next(records)
            dask.processes[0].kill()
            with pytest.raises(WorkerError, match=words):
                list(records)
        assert 1 <= len(store.get_played_numbers(event)) < 100


def wait_for_worker(executor: ClusterExecutor) -> None:
    """Play one game, so that a worker is there before the patience of a test begins."""
    executor._patience_s, patience_s = 60, executor._patience_s
    assert len(list(executor.play(list(schedule_games(make_spec(FIXED, 1)))[:1]))) == 1
    executor._patience_s = patience_s
