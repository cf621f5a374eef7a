"""Tests what the commands print about the workers of a cluster."""

from dataclasses import replace

import pytest
from rich.console import Console

from fourfall.arena.record import EXAMPLE
from fourfall.arena.spec import Spec
from fourfall.cli.cluster_display import ClusterDisplay
from fourfall.cli.progress import Progress
from fourfall.cli.worker_changes import WorkerChanges
from fourfall.cli.worker_tables import format_live_workers, format_worker_summary
from fourfall.cluster.status import ClusterStatus, WorkerState, WorkerStatus
from fourfall.cluster.worker_report import examine_worker

REPORT = replace(examine_worker(), host="node-1", processor="Processor 9000", evaluation="network, avx2")


def make_worker(name: str, state: WorkerState = WorkerState.OK, reason: str = "", host: str = "node-1") -> WorkerStatus:
    """Return a worker that has played ten games."""
    return WorkerStatus(name, f"tcp://10.0.0.1:{name}", state, reason, 10, 1, 0.5, replace(REPORT, host=host))


class FakeExecutor:
    """An executor with a given status."""

    def __init__(self, *workers: WorkerStatus) -> None:
        self.status = ClusterStatus(workers)


def test_changes_are_named_once() -> None:
    """A worker is named when its state changes; joining again after a loss is another change."""
    changes = WorkerChanges()
    worker = make_worker("a")
    starting = replace(worker, state=WorkerState.STARTING)
    lost = replace(worker, state=WorkerState.LOST, reason="no sign of life for 30 s", running=0)
    slow = replace(worker, state=WorkerState.SLOW, reason="half as fast as the others")
    lines = [
        changes.describe(ClusterStatus((state,))) for state in (starting, worker, worker, slow, worker, lost, worker)
    ]
    assert lines == [
        [],
        ["worker a on node-1 joined"],
        [],
        ["worker a on node-1 is slow: half as fast as the others"],
        ["worker a on node-1 is ok again"],
        ["worker a on node-1 was lost: no sign of life for 30 s; its game is played again"],
        ["worker a on node-1 is ok again"],
    ]


def test_loss_without_a_game() -> None:
    """Nothing is played again if the worker had no game."""
    changes = WorkerChanges()
    worker = replace(make_worker("a"), running=0)
    changes.describe(ClusterStatus((worker,)))
    lost = replace(worker, state=WorkerState.LOST, reason="the worker left the cluster")
    assert changes.describe(ClusterStatus((lost,))) == ["worker a on node-1 was lost: the worker left the cluster"]


def test_many_changes_share_a_line() -> None:
    """Workers that are lost together are one line with three names."""
    changes = WorkerChanges()
    workers = [make_worker(f"{number}", WorkerState.REFUSED, "has Python 3.9") for number in range(5)]
    [line] = changes.describe(ClusterStatus(tuple(workers)))
    assert line == "5 workers are not used (0 on node-1, 1 on node-1, 2 on node-1 and 2 more): has Python 3.9"


def test_live_table_has_workers_or_machines() -> None:
    """Up to twelve workers have a row each; more are grouped by machine. Lost workers are left out."""
    few = [make_worker(f"{number}") for number in range(3)]
    grid = format_live_workers(ClusterStatus((*few, make_worker("9", WorkerState.LOST))))
    assert grid is not None
    assert grid.rows[0] == ("0", "node-1", "10", "30.0 games/min", "ok")
    assert len(grid.rows) == 3
    many = [make_worker(f"{number}", host=f"node-{number % 2}") for number in range(20)]
    grid = format_live_workers(ClusterStatus(tuple(many)))
    assert grid is not None
    assert grid.rows[0] == ("node-0", "10", "100", "5.0 games/s", "10 ok")
    assert format_live_workers(ClusterStatus()) is None


def test_summary_counts_all_workers() -> None:
    """The summary has the processor of each machine and counts lost and refused workers."""
    status = ClusterStatus((make_worker("a"), make_worker("b", WorkerState.LOST), make_worker("c", host="node-2")))
    refused = WorkerStatus("d", "tcp://10.0.0.9:1", WorkerState.REFUSED)
    unknown = WorkerStatus("e", "tcp://10.0.0.1:8", WorkerState.LOST)  # the address of node-2, which came last
    rows = format_worker_summary(replace(status, workers=(*status.workers, refused, unknown))).rows
    assert rows[0] == ("10.0.0.9", "1", "0", "", "", "1 refused")
    assert rows[1] == ("node-1", "2", "20", "Processor 9000", "network, avx2", "1 ok, 1 lost")
    rows = rows[1:]
    assert rows[1][:3] == ("node-2", "2", "10")
    assert rows[1][-1] == "1 ok, 1 lost"


def test_progress_shows_workers() -> None:
    """The progress line counts the workers, the display on a terminal has their table."""
    progress = Progress(Spec.match("level-2", "level-4", pairs=2), [])
    console = Console(width=120)
    progress.cluster = ClusterDisplay(FakeExecutor(make_worker("a"), make_worker("b", WorkerState.SLOW)), console)
    progress.add(EXAMPLE)
    line = progress.summarise()
    assert line.startswith("1 of 4 games, ")
    assert " left; 2 workers (1 slow)" in line
    with console.capture() as captured:
        console.print(progress)
    assert "2 workers (1 slow)" in captured.get()
    assert "node-1" in captured.get()
    assert progress.warning is None


def test_changes_are_printed_without_games(capsys: pytest.CaptureFixture[str]) -> None:
    """Changes are printed while no game ends, at the latest when the display is closed."""
    with ClusterDisplay(FakeExecutor(make_worker("a\x1b[31m")), Console(width=120)):
        pass
    output = capsys.readouterr().out
    assert "worker a [31m on node-1 joined" in output
    assert "\x1b" not in output
