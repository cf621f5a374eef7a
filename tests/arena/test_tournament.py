"""Owns the promise of a tournament: every scheduled game once, whatever happens to the processes that play it."""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from fourfall.arena.executor import Executor
from fourfall.arena.record import GameRecord
from fourfall.arena.schedule import schedule
from fourfall.arena.spec import Spec, gauntlet_spec, match_spec
from fourfall.arena.store import Store, StoreError, StoreFailure
from fourfall.arena.tournament import run_event, unfinished

FOURFALL = str(Path(sys.executable).with_name("fourfall"))
FAST = ("seed-000?simulations=8", "seed-002?simulations=4")
ANYWHERE = (None, None)


def played(folder: Path, spec: Spec, name: str = "arena.db") -> list[GameRecord]:
    """Play a spec to its end in a new database and return the records in the order of the schedule."""
    with Store(folder / name) as store:
        event = store.create_event(spec)
        for _ in run_event(store, event, ANYWHERE):
            pass
        return sorted(store.records(event), key=lambda record: record.number)


def workers_of(database: Path) -> list[int]:
    """Return the processes whose command line names a database."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if str(database).encode() in words and b"arena.worker" in words:
                found.append(int(entry.name))
    return found


def stored(database: Path) -> int:
    """Count the games that are on disk."""
    with Store(database, read_only=True) as store:
        return store.event().games


def gone(database: Path, within_s: float = 5.0) -> bool:
    """Whether no worker of a database is left after a moment."""
    deadline = time.monotonic() + within_s
    while workers_of(database) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not workers_of(database)


def test_a_tournament_has_exactly_the_scheduled_games(tmp_path: Path) -> None:
    """Two workers play a gauntlet: every game of the schedule is there once, with its seats and its board."""
    spec = gauntlet_spec(FAST[0], [FAST[1], "level-1"], 5, seed=3, opening=2)
    records = played(tmp_path, spec)
    assert [(record.number, record.names, record.board) for record in records] == [
        (game.number, (game.seats[0].name, game.seats[1].name), game.board) for game in schedule(spec)
    ]
    assert all(record.culprit is None for record in records)


def test_the_same_tournament_twice_gives_identical_records(tmp_path: Path) -> None:
    """Under limits in simulations two runs differ in nothing but the clock."""
    spec = match_spec(*FAST, 15, seed=7)
    first = [record.without_clock() for record in played(tmp_path, spec, "one.db")]
    second = [record.without_clock() for record in played(tmp_path, spec, "two.db")]
    assert first == second
    assert len({record.moves for record in first}) > 20


def test_twenty_kills_lose_nothing_and_play_nothing_twice(tmp_path: Path) -> None:
    """A tournament of two hundred games, killed with SIGKILL at twenty random instants, is complete after resuming."""
    database = tmp_path / "arena.db"
    agents = ("seed-000?simulations=400", "seed-002?simulations=150")  # some twenty games a second
    command = [FOURFALL, "match", *agents, "--games", "200", "--db", str(database), "--workers", "2", "--no-pin"]
    chance = random.Random(5)  # noqa: S311 (instants, not secrets)
    seen: set[int] = set()
    for kill in range(20):
        run = subprocess.Popen(
            command + (["--resume"] if kill else []), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        # Up to six more games, and a moment: however fast the machine is, some games are left for the last run.
        more = chance.randrange(7)
        while not workers_of(database):
            assert run.poll() is None, "there was nothing left to kill"
            time.sleep(0.01)
        while more and stored(database) < len(seen) + more:
            assert run.poll() is None, "the tournament ended before it could be killed"
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.05))
        run.kill()
        run.wait()
        with Store(database, read_only=True) as store:
            now = store.played(1)
        assert seen <= now
        seen = now
        assert gone(database)
    assert 0 < len(seen) < 200
    done = subprocess.run([*command, "--resume"], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    with Store(database, read_only=True) as store:
        (event,) = store.events()
        numbers = [record.number for record in store.records(event.id)]
    assert sorted(numbers) == list(range(200))
    assert gone(database)


def test_an_interrupt_finishes_the_games_in_flight_and_resume_goes_on(tmp_path: Path) -> None:
    """One SIGINT ends a match softly with exit code 130; --resume completes it."""
    database = tmp_path / "arena.db"
    command = [FOURFALL, "match", "seed-000?time=0.01", "seed-002?time=0.01", "--games", "8", "--db", str(database)]
    run = subprocess.Popen([*command, "--workers", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not database.exists() or len(workers_of(database)) < 2:
        time.sleep(0.02)
    time.sleep(0.6)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 130, errors
    assert "Finishing the games in flight" in errors
    assert "--resume goes on" in errors
    with Store(database, read_only=True) as store:
        assert 0 < store.event().games < 8
    done = subprocess.run([*command, "--resume"], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    with Store(database, read_only=True) as store:
        assert store.event().is_complete
        assert len(store.events()) == 1


def test_a_second_interrupt_stops_at_once(tmp_path: Path) -> None:
    """Two SIGINTs end a match of long games without waiting for them, and nothing is left running."""
    database = tmp_path / "arena.db"
    slow = "seed-002?time=2"
    command = [FOURFALL, "match", slow, slow, "--games", "4", "--db", str(database), "--workers", "2"]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not database.exists() or len(workers_of(database)) < 2:
        time.sleep(0.02)
    time.sleep(0.5)
    run.send_signal(signal.SIGINT)
    time.sleep(0.3)
    asked = time.monotonic()
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 130, errors
    assert time.monotonic() - asked < 5
    assert gone(database)


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    """Killing a worker in the middle of a game costs nothing but that game's time."""
    spec = match_spec("seed-000?simulations=300", "seed-002?simulations=300", 4)
    with Store(tmp_path / "arena.db") as store:
        event = store.create_event(spec)
        killed = False
        for _ in run_event(store, event, ANYWHERE):
            if not killed:
                os.kill(workers_of(tmp_path / "arena.db")[0], signal.SIGKILL)
                killed = True
        assert store.played(event) == set(range(8))


def test_closing_the_run_ends_the_workers(tmp_path: Path) -> None:
    """Whoever stops taking records leaves no process behind, and what was taken is stored."""
    database = tmp_path / "arena.db"
    with Store(database) as store:
        event = store.create_event(match_spec(*FAST, 50))
        with closing(run_event(store, event, ANYWHERE)) as records:
            next(records)
            next(records)
        assert len(store.played(event)) == 2
    assert gone(database)


def test_two_runs_of_one_event_are_refused(tmp_path: Path) -> None:
    """While an event is being run nobody else can run it."""
    with Store(tmp_path / "arena.db") as store:
        event = store.create_event(match_spec(*FAST, 3))
        with closing(run_event(store, event, ANYWHERE)) as records:
            next(records)
            with pytest.raises(StoreFailure, match="is being run by process"):
                next(run_event(store, event, ANYWHERE))


def test_stopping_hands_out_no_more_games(tmp_path: Path) -> None:
    """An executor that is told to stop finishes what it has begun and nothing else."""
    games = list(schedule(match_spec(*FAST, 20)))
    with Executor([None], tmp_path / "arena.db", 1) as executor:
        records = executor.play(games)
        next(records)
        executor.stopping = True
        assert len(list(records)) <= 1


def test_resuming_needs_the_same_event(tmp_path: Path) -> None:
    """Only an event with the same agents, boards and limits that has games left can be resumed."""
    spec = match_spec(*FAST, 1)
    with Store(tmp_path / "arena.db") as store:
        with pytest.raises(StoreError, match="no event with these agents"):
            unfinished(store, spec)
        event = store.create_event(spec)
        assert unfinished(store, spec) == event
        with pytest.raises(StoreError, match="no event with these agents"):
            unfinished(store, match_spec(*FAST, 1, move_time_s=1.0))
        for _ in run_event(store, event, ANYWHERE):
            pass
        with pytest.raises(StoreError, match="nothing to resume"):
            unfinished(store, spec)
