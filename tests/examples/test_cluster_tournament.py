"""Tests the example cluster_tournament.py and the executor behind it."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from distributed import Client

from examples.cluster_tournament import connect
from fourfall._core import version
from fourfall.agents.sandbox import Protection
from fourfall.arena import cluster_executor
from fourfall.arena.cluster_executor import ClusterExecutor, find_problem
from fourfall.arena.event_runner import run_event
from fourfall.arena.executor import WorkerError
from fourfall.arena.schedule import schedule_games
from fourfall.arena.spec import Spec
from fourfall.arena.spec_file import load_spec
from fourfall.arena.store import Store, StoreError
from fourfall.arena.worker import play_scheduled_game
from tests.examples.example_runner import EXAMPLES, run_example

AGENTS = ("level-4", "level-20")
SPEC = Spec.match(*AGENTS, pairs=2, boards=["5x6"])
# At its first move ever it waits until its process is killed.
WAITING_BOT = """
import pathlib, time

def play(board, limit):
    waiting = pathlib.Path(__file__).with_name("waiting")
    if not waiting.exists():
        waiting.touch()
        time.sleep(50)
    return board.legal_moves[0]
"""


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """Start a cluster of one worker process, as the example does without an address."""
    with connect(None, workers=1) as client:
        yield client


def test_example_resumes_an_event(tmp_path: Path, client: Client) -> None:
    """The example plays the missing games on a running cluster, with the results of a tournament on one machine."""
    spec = load_spec(EXAMPLES / "tournament.toml")
    games = list(schedule_games(spec))
    with Store(tmp_path / "cluster.db") as store:
        event = store.create_event(spec)
        for game in games[:4]:
            store.add_game(event, play_scheduled_game(game))
    arguments = (EXAMPLES / "tournament.toml", "--cluster", client.scheduler.address, "--resume")
    output = run_example("cluster_tournament.py", *arguments, cwd=tmp_path).stdout
    assert output.startswith("5 of 6: ")
    with Store(tmp_path / "cluster.db", read_only=True) as store:
        assert store.get_event(event).is_complete
        records = list(store.find_records(event))
    assert [record.without_times() for record in records] == [
        play_scheduled_game(game).without_times() for game in games
    ]


def test_game_of_a_killed_worker_is_played_again(tmp_path: Path, client: Client) -> None:
    """When a worker is killed in a game, another process plays the game; every game is stored once."""
    waiting = tmp_path / "waiting"
    (tmp_path / "bot.py").write_text(WAITING_BOT)
    agents = (f"python:{tmp_path / 'bot.py'}", "level-4")
    spec = Spec.match(*agents, pairs=1, boards=["5x6"], move_time_s=60, sandbox=False)
    worker = next(iter(client.run(os.getpid).values()))

    def kill_worker() -> None:
        while not waiting.exists():
            time.sleep(0.02)
        os.kill(worker, signal.SIGKILL)

    with Store(tmp_path / "arena.db") as store:
        event = store.create_event(spec)
        killer = threading.Thread(target=kill_worker)
        killer.start()
        records = list(run_event(store, event, (), executor=ClusterExecutor(client, agents, sandbox=False)))
        killer.join()
        assert store.get_played_numbers(event) == {0, 1}
    assert [record.culprit for record in records] == [None, None]
    assert next(iter(client.run(os.getpid).values())) != worker


def test_stopping_leaves_games_out(tmp_path: Path, client: Client) -> None:
    """After `stopping` is set, the running game is finished and no other one is started."""
    with Store(tmp_path / "arena.db") as store:
        event = store.create_event(SPEC)
        executor = ClusterExecutor(client, AGENTS)
        for _ in run_event(store, event, (), executor=executor):
            executor.stopping = True
        assert 1 <= len(store.get_played_numbers(event)) < 4


def test_pondering_needs_one_machine(tmp_path: Path, client: Client) -> None:
    """An event in which agents ponder is refused."""
    with Store(tmp_path / "arena.db") as store:
        event = store.create_event(replace(SPEC, ponder=True))
        with pytest.raises(StoreError, match="such an event runs only on one machine"):
            list(run_event(store, event, (), executor=ClusterExecutor(client, AGENTS)))


def test_missing_file_of_a_third_party_agent(client: Client) -> None:
    """The worker on which the file does not exist is named before any game starts."""
    with pytest.raises(WorkerError, match=r"worker tcp://127\.0\.0\.1:\d+: .*missing\.py does not exist"):
        ClusterExecutor(client, ["python:/missing.py"], sandbox=False)


def test_third_party_agents_need_the_sandbox_of_the_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without the sandbox refuses third-party agents, and plays built-in engines."""
    (tmp_path / "bot.py").write_text("def play(board, limit):\n    return board.legal_moves[0]\n")
    lacking = (Protection("landlock", False, True, "not in this kernel"),)
    monkeypatch.setattr(cluster_executor, "find_missing_protections", lambda: lacking)
    find_problem.cache_clear()
    address = f"python:{tmp_path / 'bot.py'}"
    assert "lacks protections (landlock)" in str(find_problem(version, (address, "level-2"), True))
    assert find_problem(version, (address, "level-2"), False) is None
    assert find_problem(version, ("level-2",), True) is None
    find_problem.cache_clear()


class FakeClient:
    """A client of a cluster with the given threads per worker."""

    def __init__(self, threads: dict[str, int]) -> None:
        self.threads = threads

    def nthreads(self) -> dict[str, int]:
        """Return the threads of each worker."""
        return self.threads


@pytest.mark.parametrize(
    ("threads", "words"),
    [({}, "the cluster has no workers"), ({"tcp://10.0.0.1:1": 8}, "has 8 threads.*--nthreads 1")],
)
def test_unsuitable_cluster(threads: dict[str, int], words: str) -> None:
    """A cluster without workers, or with workers that would play several games on one core, is refused."""
    fake: Any = FakeClient(threads)
    with pytest.raises(WorkerError, match=words):
        ClusterExecutor(fake, AGENTS)


def test_unreachable_scheduler() -> None:
    """The message names the address."""
    with pytest.raises(SystemExit, match="--cluster nonsense://x: no connection"), connect("nonsense://x", 1):
        pass
