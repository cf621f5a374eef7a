"""Tests games on a cluster: the same records as on one machine, agents by content hash, workers that are refused."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fourfall._core import version
from fourfall.arena.cluster_executor import ClusterExecutor
from fourfall.arena.event_runner import run_event
from fourfall.arena.event_workers import list_workers
from fourfall.arena.executor import WorkerError
from fourfall.arena.record import GameRecord
from fourfall.arena.schedule import schedule_games
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store, StoreError
from fourfall.arena.worker import play_scheduled_game
from fourfall.cluster.connection import connect
from fourfall.cluster.status import WorkerState
from tests.cluster.dask_processes import DaskProcesses, start_dask
from tests.cluster.second_package import make_package_with_version, make_second_package

AGENTS = ("level-4", "level-20")
SPEC = Spec.match(*AGENTS, pairs=2, boards=["5x6"])
# Loses its second move in a way that names the folder in which it runs and the content of its data.
BOT = """
from pathlib import Path
import helper

def play(board, limit):
    if board.ply > 1:
        raise RuntimeError(f"{__file__} {helper.WORD} {(Path(__file__).parent / '../data/book.txt').read_text()}")
    return board.legal_moves[0]
"""


@pytest.fixture
def bot(tmp_path: Path) -> str:
    """Make an agent with a folder and data beside it; return its address."""
    (tmp_path / "bots" / "alice").mkdir(parents=True)
    (tmp_path / "bots" / "alice" / "main.py").write_text(BOT)
    (tmp_path / "bots" / "alice" / "helper.py").write_text("WORD = 'hello'\n")
    (tmp_path / "bots" / "data").mkdir()
    (tmp_path / "bots" / "data" / "book.txt").write_text("book")
    return f"python:{tmp_path}/bots/alice/?read={tmp_path}/bots/data/book.txt"


@contextmanager
def open_executor(dask: DaskProcesses, addresses: tuple[str, ...], sandbox: bool = True) -> Iterator[ClusterExecutor]:
    """Connect to a scheduler and make an executor."""
    with connect(dask.address) as connection:
        yield ClusterExecutor(connection, addresses, sandbox=sandbox, patience_s=60)


def run(store: Store, spec: Spec, executor: ClusterExecutor) -> list[GameRecord]:
    """Play a new event and return its records in the order of the schedule."""
    event = store.create_event(spec)
    list(run_event(store, event, (), executor=executor))
    return list(store.find_records(event))


def test_same_records_as_on_one_machine(tmp_path: Path, dask: DaskProcesses) -> None:
    """Games with fixed simulations are the same; each record names its worker, and the store has the reports."""
    with open_executor(dask, AGENTS) as executor, Store(tmp_path / "arena.db") as store:
        records = run(store, SPEC, executor)
        workers = list_workers(store, 1)
    expected = [play_scheduled_game(game) for game in schedule_games(SPEC)]
    assert [record.without_times() for record in records] == [record.without_times() for record in expected]
    assert {record.worker for record in records} <= {"worker-0", "worker-1"}
    assert {record.timing for record in records} == {""}  # fixed simulations do not depend on speed
    assert {record.worker for record in records} <= {worker.name for worker in workers}
    report = workers[0].report
    assert (report["fourfall"], report["processor"] != "") == (version, True)
    assert str(report["evaluation"]).startswith("network, ")
    assert isinstance(report["simulations_per_s"], float)
    done = sum(worker.done for worker in executor.status.workers)
    assert (done, sum(worker.running for worker in executor.status.workers)) == (4, 0)


def test_agent_whose_folder_the_worker_does_not_have(tmp_path: Path, dask: DaskProcesses, bot: str) -> None:
    """The files travel by content hash; the agent runs from the worker's cache, the record names the driver's paths."""
    spec = Spec.match(bot, "level-4", pairs=1, boards=["5x6"])
    with open_executor(dask, (bot, "level-4")) as executor, Store(tmp_path / "arena.db") as store:
        (tmp_path / "bots").rename(tmp_path / "moved")
        records = run(store, spec, executor)
    assert [record.ending for record in records] == ["crash", "crash"]
    for record in records:
        assert record.addresses == (bot, "level-4") if record.number == 0 else ("level-4", bot)
        assert f"{tmp_path}/bots/alice/main.py hello book" in record.detail
        assert f'File "{tmp_path}/bots/alice/main.py"' in record.stderr
        assert record.sandboxed


def test_file_that_was_not_sent(tmp_path: Path, dask: DaskProcesses, bot: str) -> None:
    """The record says which file of the driver's machine the agent misses, and the option that sends it."""
    address = bot.partition("?")[0].replace("alice/", "alice/main.py")
    spec = Spec.match(address, "level-4", pairs=1, boards=["5x6"])
    with open_executor(dask, (address,)) as executor, Store(tmp_path / "arena.db") as store:
        records = run(store, spec, executor)
    advice = f"the agent may not read {tmp_path}/bots/alice/helper.py: add ?read="
    assert [advice in record.detail for record in records] == [True, True]


def test_changed_files_in_the_cache_are_replaced(tmp_path: Path, dask: DaskProcesses, bot: str, caches: Path) -> None:
    """A worker does not run files of its cache that were changed; it gets the right ones again."""
    spec = Spec.match(bot, "level-4", pairs=1, boards=["5x6"])
    with open_executor(dask, (bot,)) as executor, Store(tmp_path / "arena.db") as store:
        run(store, spec, executor)
        helpers = list(caches.rglob("helper.py"))
        assert helpers
        for helper in helpers:
            helper.chmod(0o644)
            helper.write_text("WORD = 'changed'\n")
        records = run(store, spec, executor)
    assert ["hello book" in record.detail for record in records] == [True, True]


def test_unsuitable_workers_are_refused(tmp_path: Path, dask: DaskProcesses) -> None:
    """A worker with another version, and one with two threads, are named with the reason; the others play."""
    old = dask.start_worker("old", environment=make_package_with_version(tmp_path, "0.0.9"))
    wide = dask.start_worker("wide", "--nthreads", "2", "--no-nanny", "--no-dashboard")
    try:
        with open_executor(dask, AGENTS) as executor:
            for record in executor.play(schedule_games(Spec.match(*AGENTS, pairs=5000, boards=["5x6"]))):
                assert record.worker not in ("old", "wide")
                refused = [worker for worker in executor.status.workers if worker.state is WorkerState.REFUSED]
                if len(refused) == 2:
                    break
        reasons = {worker.name: worker.reason for worker in refused}
    finally:
        old.kill()
        wide.kill()
    assert reasons["old"].startswith(f"has fourfall 0.0.9, but this machine has {version}")
    assert reasons["wide"].startswith("has 2 threads, which would share the time of a core; start it with --nthreads 1")


def test_workers_that_cannot_sandbox(tmp_path: Path, bot: str) -> None:
    """A worker without the host of the sandbox refuses third-party agents, and plays built-in engines."""
    with start_dask(tmp_path) as dask:
        environment = make_second_package(tmp_path / "second", {"programs": None})
        dask.start_worker("bare", environment=environment)
        with open_executor(dask, AGENTS) as executor:
            games = list(schedule_games(Spec.match(*AGENTS, pairs=1, boards=["5x6"])))
            assert len(list(executor.play(games))) == 2
        games = list(schedule_games(Spec.match(bot, "level-4", pairs=1, boards=["5x6"])))
        words = r"no worker of the cluster can be used \(1 refused\): bare cannot sandbox third-party agents"
        with open_executor(dask, (bot,)) as executor, pytest.raises(WorkerError, match=words):
            list(executor.play(games))


def test_pondering_needs_one_machine(tmp_path: Path, dask: DaskProcesses) -> None:
    """An event in which agents ponder is refused."""
    spec = Spec.match(*AGENTS, pairs=1, boards=["5x6"], ponder=True)
    words = "such an event runs only on one machine"
    with (
        open_executor(dask, AGENTS) as executor,
        Store(tmp_path / "arena.db") as store,
        pytest.raises(StoreError, match=words),
    ):
        run(store, spec, executor)
