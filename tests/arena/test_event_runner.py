"""Tests that an event has every scheduled game exactly once, also after kills, interrupts and crashes."""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from fourfall.arena.event_runner import find_unfinished_event, run_event
from fourfall.arena.executor import Executor
from fourfall.arena.record import GameRecord
from fourfall.arena.schedule import schedule_games
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store, StoreError, StoreFailure
from tests.processes import find_processes, wait_until

FOURFALL = str(Path(sys.executable).with_name("fourfall"))
FAST = ("seed-000?simulations=8", "seed-002?simulations=4")
ANYWHERE = (None, None)


def play_event(folder: Path, spec: Spec, name: str = "arena.db") -> list[GameRecord]:
    """Play a spec in a new database and return the records in the order of the schedule."""
    with Store(folder / name) as store:
        event = store.create_event(spec)
        for _ in run_event(store, event, ANYWHERE):
            pass
        return sorted(store.find_records(event), key=lambda record: record.number)


def find_workers(database: Path) -> list[int]:
    """Return the worker processes whose command line contains a database."""
    return find_processes(str(database), "arena.worker")


def count_stored_games(database: Path) -> int:
    """Count the games on disk."""
    with Store(database, read_only=True) as store:
        return store.get_event().games


def has_no_workers(database: Path) -> bool:
    """Whether all workers of a database end soon."""
    return wait_until(lambda: not find_workers(database))


def test_scheduled_games_are_played_once(tmp_path: Path) -> None:
    """Two workers play a gauntlet: every scheduled game is stored once with its agents and its board."""
    spec = Spec.gauntlet(FAST[0], [FAST[1], "level-2"], pairs=5, seed=3, opening=2)
    records = play_event(tmp_path, spec)
    assert [(record.number, record.names, record.board) for record in records] == [
        (game.number, (game.seats[0].name, game.seats[1].name), game.board) for game in schedule_games(spec)
    ]
    assert all(record.culprit is None for record in records)


def test_records_are_reproducible(tmp_path: Path) -> None:
    """With limits in simulations two runs differ only in times and dates."""
    spec = Spec.match(*FAST, pairs=15, seed=7)
    first = [record.without_times() for record in play_event(tmp_path, spec, "one.db")]
    second = [record.without_times() for record in play_event(tmp_path, spec, "two.db")]
    assert first == second
    assert len({record.moves for record in first}) > 20


def test_event_survives_kills(tmp_path: Path) -> None:
    """An event of 40 games, killed with SIGKILL at four random moments and resumed, has every game once.

    `make campaign` kills an event fifty times.
    """
    database = tmp_path / "arena.db"
    agents = ("seed-000?simulations=400", "seed-002?simulations=150")  # about 20 games per second
    command = [FOURFALL, "match", *agents, "--games", "40", "--db", str(database), "--workers", "2", "--no-pin"]
    chance = random.Random(5)  # noqa: S311 (moments, not secrets)
    seen: set[int] = set()
    for kill in range(4):
        run = subprocess.Popen(
            command + (["--resume"] if kill else []), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        # At most six games per run, so that games are left for the last run on a machine of any speed.
        more = chance.randrange(7)
        while not find_workers(database):
            assert run.poll() is None, "the run ended before its workers started"
            time.sleep(0.01)
        while more and count_stored_games(database) < len(seen) + more:
            assert run.poll() is None, "the run ended before it could be killed"
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.05))
        run.kill()
        run.wait()
        with Store(database, read_only=True) as store:
            now = store.get_played_numbers(1)
        assert seen <= now
        seen = now
        assert has_no_workers(database)
    assert 0 < len(seen) < 40
    done = subprocess.run([*command, "--resume"], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    with Store(database, read_only=True) as store:
        (event,) = store.list_events()
        numbers = [record.number for record in store.find_records(event.id)]
    assert sorted(numbers) == list(range(40))
    assert has_no_workers(database)


def test_one_interrupt_finishes_the_games_in_progress(tmp_path: Path) -> None:
    """After one SIGINT a match ends with exit code 130, and --resume completes it."""
    database = tmp_path / "arena.db"
    command = [FOURFALL, "match", "seed-000?time=0.01", "seed-002?time=0.01", "--games", "8", "--db", str(database)]
    run = subprocess.Popen([*command, "--workers", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert wait_until(lambda: find_workers(database) and count_stored_games(database) > 0)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 130, errors
    assert "Finishing the running games" in errors
    assert "continue with --resume" in errors
    with Store(database, read_only=True) as store:
        assert 0 < store.get_event().games < 8
    done = subprocess.run([*command, "--resume"], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    with Store(database, read_only=True) as store:
        assert store.get_event().is_complete
        assert len(store.list_events()) == 1


def test_second_interrupt_stops_at_once(tmp_path: Path) -> None:
    """Two SIGINTs end a match without waiting for its long games, and no process is left."""
    database = tmp_path / "arena.db"
    slow = "seed-002?time=2"
    command = [FOURFALL, "match", slow, slow, "--games", "4", "--db", str(database), "--workers", "2"]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert wait_until(lambda: len(find_workers(database)) == 2)
    run.send_signal(signal.SIGINT)
    assert run.stderr is not None
    while "Finishing the running games" not in (line := run.stderr.readline()):
        assert line, "the run ended without a message"
    interrupted = time.monotonic()
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 130, errors
    assert time.monotonic() - interrupted < 20  # a game takes more than 40 s
    assert has_no_workers(database)


def test_dead_worker_is_replaced(tmp_path: Path) -> None:
    """The game of a killed worker is played again by a new worker."""
    spec = Spec.match("seed-000?simulations=300", "seed-002?simulations=300", pairs=4)
    with Store(tmp_path / "arena.db") as store:
        event = store.create_event(spec)
        killed = False
        for _ in run_event(store, event, ANYWHERE):
            if not killed:
                os.kill(find_workers(tmp_path / "arena.db")[0], signal.SIGKILL)
                killed = True
        assert store.get_played_numbers(event) == set(range(8))


def test_closing_the_generator_ends_the_workers(tmp_path: Path) -> None:
    """After closing the generator no process is left, and the yielded records are stored."""
    database = tmp_path / "arena.db"
    with Store(database) as store:
        event = store.create_event(Spec.match(*FAST, pairs=50))
        with closing(run_event(store, event, ANYWHERE)) as records:
            next(records)
            next(records)
        assert len(store.get_played_numbers(event)) == 2
    assert has_no_workers(database)


def test_second_run_of_an_event_is_refused(tmp_path: Path) -> None:
    """While an event is running it cannot be run again."""
    with Store(tmp_path / "arena.db") as store:
        event = store.create_event(Spec.match(*FAST, pairs=3))
        with closing(run_event(store, event, ANYWHERE)) as records:
            next(records)
            with pytest.raises(StoreFailure, match="is being run by process"):
                next(run_event(store, event, ANYWHERE))


def test_stopping_executor_starts_no_games(tmp_path: Path) -> None:
    """An executor with `stopping` set finishes the games in progress and starts no others."""
    games = list(schedule_games(Spec.match(*FAST, pairs=20)))
    with Executor([None], tmp_path / "arena.db", 1) as executor:
        records = executor.play(games)
        next(records)
        executor.stopping = True
        assert len(list(records)) <= 1


def test_find_unfinished_event(tmp_path: Path) -> None:
    """Only an incomplete event with the same agents, boards and limits can be resumed."""
    spec = Spec.match(*FAST, pairs=1)
    with Store(tmp_path / "arena.db") as store:
        with pytest.raises(StoreError, match="no event with these agents"):
            find_unfinished_event(store, spec)
        event = store.create_event(spec)
        assert find_unfinished_event(store, spec) == event
        with pytest.raises(StoreError, match="no event with these agents"):
            find_unfinished_event(store, Spec.match(*FAST, pairs=1, move_time_s=1.0))
        for _ in run_event(store, event, ANYWHERE):
            pass
        with pytest.raises(StoreError, match="nothing to resume"):
            find_unfinished_event(store, spec)
