"""Owns the tests of the games on disk."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall.arena.claim import holder
from fourfall.arena.database import VERSION
from fourfall.arena.judge import Ending
from fourfall.arena.record import EXAMPLE
from fourfall.arena.spec import match_spec
from fourfall.arena.store import Store, StoreError, StoreFailure

SPEC = match_spec("left", "right", 50)
LOST = replace(EXAMPLE, number=1, names=("right", "left"))
DRAWN = replace(EXAMPLE, number=2, pair=1, winner=None, ending=Ending.TIE)
CRASHED = replace(EXAMPLE, number=3, pair=1, names=("right", "left"), culprit=1, ending=Ending.CRASH, stderr="oh… 不")
RECORDS = [EXAMPLE, LOST, DRAWN, CRASHED]

WRITER = """
import sys
from dataclasses import replace
from pathlib import Path
from fourfall.arena.record import EXAMPLE
from fourfall.arena.store import Store
store = Store(Path(sys.argv[1]))
event = store.event().id
with store.claim(event):
    print("claimed", flush=True)
    number = len(store.played(event))
    while True:
        store.add(event, replace(EXAMPLE, number=number, detail="x" * 2000))
        print(number, flush=True)
        number += 1
"""

FILLER = """
import sys
from dataclasses import replace
from fourfall.arena.record import EXAMPLE
from fourfall.arena.spec import match_spec
from fourfall.arena.store import Store, StoreFailure
counted = 0
try:
    store = Store(sys.argv[1])
    store.create_event(match_spec("left", "right", 50))
    while True:
        store.add(1, replace(EXAMPLE, number=counted, stderr="x" * 1500))
        counted += 1
except StoreFailure as failure:
    assert str(failure) == sys.argv[1] + ": the disk is full; nothing was written", failure
if counted:
    assert store.played(1) == set(range(counted))
print(counted)
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Open a new database with one event, number 1."""
    with Store(tmp_path / "arena.db") as store:
        store.create_event(SPEC)
        yield store


def writer(path: Path) -> subprocess.Popen[str]:
    """Start a process that adds games as fast as it can and prints the number of each after it was added."""
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_games_come_back_as_they_went_in(store: Store) -> None:
    """Records, the spec and the numbers played are the same after reopening the file."""
    ids = [store.add(1, record) for record in reversed(RECORDS)]
    store.close()
    with Store(store.path, create=False, read_only=True) as again:
        assert list(again.records()) == RECORDS
        assert [again.record(game) for game in ids] == RECORDS[::-1]
        assert again.played(1) == {0, 1, 2, 3}
        event = again.event()
        assert (event.id, event.name, event.spec, event.games, event.planned) == (1, "left against right", SPEC, 4, 100)
        assert not event.is_complete


def test_a_game_is_never_there_twice(store: Store) -> None:
    """A second game of the same number is refused and changes nothing; another event may have it."""
    store.add(1, EXAMPLE)
    with pytest.raises(StoreError, match=r"arena\.db: game 0 of event 1 is there already"):
        store.add(1, replace(EXAMPLE, winner=1))
    second = store.create_event(SPEC)
    store.add(second, EXAMPLE)
    assert [list(store.records(event)) for event in (1, second)] == [[EXAMPLE], [EXAMPLE]]
    assert [event.games for event in store.events()] == [1, 1]


@pytest.mark.parametrize(
    ("chosen", "numbers"),
    [
        ({}, [0, 1, 2, 3]),
        ({"agent": "left"}, [0, 1, 2, 3]),
        ({"agent": "left", "result": "won"}, [0]),
        ({"agent": "left", "result": "lost"}, [1, 3]),
        ({"agent": "right", "result": "lost"}, [0]),
        ({"agent": "right", "result": "drawn"}, [2]),
        ({"result": "drawn"}, [2]),
        ({"ending": "crash"}, [3]),
        ({"agent": "right", "ending": "win"}, [0, 1]),
        ({"event": 1, "agent": "left", "result": "lost", "ending": "crash"}, [3]),
    ],
)
def test_games_are_found_by_what_happened(store: Store, chosen: dict[str, str], numbers: list[int]) -> None:
    """Every filter finds just its games."""
    for record in RECORDS:
        store.add(1, record)
    assert [record.number for record in store.records(**chosen)] == numbers  # type: ignore[arg-type]


def test_the_latest_games_are_the_last_of_the_list(store: Store) -> None:
    """A limit keeps the end of the list, in its order."""
    for record in RECORDS:
        store.add(1, record)
    assert [game.record.number for game in store.games(latest=2)] == [2, 3]


def test_what_is_not_there_is_named(store: Store) -> None:
    """An event, a game and an agent that do not exist are one line each, with near names."""
    store.add(1, EXAMPLE)
    for number in (7, -1, 10**30):
        with pytest.raises(StoreError, match=f"there is no event {number}"):
            store.event(number)
        with pytest.raises(StoreError, match=f"there is no game {number}"):
            store.record(number)
    with pytest.raises(StoreError, match="no game of 'rigth'; near ones: right"):
        list(store.records(agent="rigth"))
    with pytest.raises(StoreError, match="there is no event 9"):
        store.add(9, EXAMPLE)
    with pytest.raises(StoreError, match="who lost"):
        list(store.records(result="lost"))


def test_a_newer_database_is_refused_untouched(store: Store) -> None:
    """A higher version of the schema is named, and the file stays as it is, bit for bit."""
    store.close()
    with sqlite3.connect(store.path) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    before = store.path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(StoreError, match=r"arena\.db: written by a newer fourfall \(schema 2; this one knows 1\)"):
            Store(store.path, read_only=read_only)
    assert store.path.read_bytes() == before


def test_other_files_are_refused_untouched(tmp_path: Path) -> None:
    """Text, a folder and another program's database are named for what they are not, and stay as they are."""
    text, other = tmp_path / "text", tmp_path / "other.db"
    text.write_text("no database at all, but long enough to have a header of its own " * 20)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    before = {path: path.read_bytes() for path in (text, other)}
    for path, complaint in [(text, "not a database"), (other, "not a database of the arena"), (tmp_path, "not a file")]:
        for read_only in (False, True):
            with pytest.raises(StoreError, match=complaint):
                Store(path, read_only=read_only)
    assert {path: path.read_bytes() for path in (text, other)} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.db", "text"]


def test_reading_creates_nothing(tmp_path: Path) -> None:
    """A missing database is a mistake to a reader, and a missing folder a failure to a writer."""
    for options in ({"read_only": True}, {"create": False}):
        with pytest.raises(StoreError, match="there is no such database"):
            Store(tmp_path / "arena.db", **options)
    with pytest.raises(StoreFailure, match="there is no folder"):
        Store(tmp_path / "no" / "arena.db")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def sealed() -> Iterator[Path]:
    """Make a folder with a database of one game, and go on as somebody who can read it and not write there."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Store(folder / "arena.db") as store:
            store.add(store.create_event(SPEC), EXAMPLE)
        folder.chmod(0o555)
        (folder / "arena.db").chmod(0o444)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            yield folder
        finally:
            if root:
                os.seteuid(0)
            folder.chmod(0o755)


def test_what_cannot_be_written_can_be_read(sealed: Path) -> None:
    """In a folder without the right to write a database is read, and writing or creating one fails in a line."""
    with Store(sealed / "arena.db", read_only=True) as store:
        assert list(store.records()) == [EXAMPLE]
    with pytest.raises(StoreFailure, match=r"arena\.db: cannot be (written|opened)"):
        Store(sealed / "arena.db")
    with pytest.raises(StoreFailure, match=r"other\.db: cannot be opened or created"):
        Store(sealed / "other.db")
    assert [path.name for path in sealed.iterdir()] == ["arena.db"]


def test_a_reader_writes_nothing(store: Store) -> None:
    """A store opened to read refuses to write, and leaves no side files when it is the last to go."""
    store.close()
    with Store(store.path, read_only=True) as reader, pytest.raises(StoreFailure, match="cannot be written"):
        reader.add(1, EXAMPLE)
    assert [path.name for path in store.path.parent.iterdir()] == ["arena.db"]


def test_a_database_that_was_begun_and_not_finished_is_begun_again(tmp_path: Path) -> None:
    """An empty file, and one that only has its log switched on, are what a kill during creation leaves."""
    empty, begun = tmp_path / "empty.db", tmp_path / "begun.db"
    empty.touch()
    connection = sqlite3.connect(begun)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    for path in (empty, begun):
        with pytest.raises(StoreError, match="not a database of the arena"):
            Store(path, read_only=True)
        with Store(path) as store:
            assert store.create_event(SPEC) == 1


def test_a_full_disk_writes_nothing_by_half(store: Store) -> None:
    """A game that does not fit is a failure in one line; the games before it stay, and later ones fit again."""
    [pages] = store._connection.execute("PRAGMA page_count").fetchone()
    store._connection.execute(f"PRAGMA max_page_count = {pages + 3}")
    numbers = iter(range(1000))
    with pytest.raises(StoreFailure, match=r"arena\.db: the disk is full; nothing was written"):
        _ = [store.add(1, replace(EXAMPLE, number=number, stderr="x" * 1500)) for number in numbers]
    added = next(numbers) - 1
    assert 0 < added < 20
    with pytest.raises(StoreFailure, match="full"):
        store.import_games("many", [replace(EXAMPLE, number=at, stderr="y" * 1500) for at in range(20)])
    assert store.played(1) == set(range(added))
    assert len(store.events()) == 1
    store._connection.execute("PRAGMA max_page_count = 1000000")
    store.add(1, replace(EXAMPLE, number=added))
    assert store._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    """On file systems of any tiny size there is one line, and the games that were counted are there afterwards."""
    probe = ["unshare", "-rm", "mount", "-t", "tmpfs", "none", str(tmp_path)]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody mount a small file system")
    script = f"""for size in 4 12 40 72 100 200 400; do
        mount -t tmpfs -o size=${{size}}k none {tmp_path} && {sys.executable} -c '{FILLER}' {tmp_path}/arena.db || exit
    done"""
    result = subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    counted = [int(line) for line in result.stdout.splitlines()]
    assert len(counted) == 7
    assert counted[0] == 0 < counted[-1]


def test_a_locked_database_is_named(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that keeps the database locked makes writing fail in one line, not wait for ever."""
    monkeypatch.setattr("fourfall.arena.database._WAIT_S", 0.05)
    with Store(store.path) as other:
        store._connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreFailure, match="another program keeps the database locked"):
            other.add(1, EXAMPLE)
        store._connection.execute("ROLLBACK")
        other.add(1, EXAMPLE)


def test_two_programs_may_create_and_write_at_once(tmp_path: Path) -> None:
    """Threads with stores of their own, opened at the same moment, lose no game."""
    path = tmp_path / "arena.db"
    gate = threading.Barrier(4)

    def work() -> None:
        gate.wait()
        with Store(path) as store:
            event = store.create_event(SPEC)
            for number in range(5):
                store.add(event, replace(EXAMPLE, number=number))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Store(path) as store:
        assert [event.games for event in store.events()] == [5, 5, 5, 5]


def test_a_writer_killed_at_any_moment_loses_nothing_it_counted(store: Store) -> None:
    """After kill -9 at random instants every game that was reported is there, at most one more, none twice."""
    source = random.Random(5)  # noqa: S311
    reported: list[int] = []
    for _ in range(12):
        with writer(store.path) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "claimed\n"
            time.sleep(source.uniform(0, 0.08))
            process.send_signal(signal.SIGKILL)
            reported += [int(line) for line in process.stdout.read().splitlines()]
        played = store.played(1)
        assert played >= set(reported)
        assert sorted(played) == list(range(len(played)))
        reported = sorted(played)
    assert len(reported) > 20
    assert store._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert [record.number for record in store.records(1)] == reported


def test_one_process_at_a_time_runs_an_event(store: Store) -> None:
    """A second runner is told who has the event, another event is free, and kill -9 frees the first."""
    other = store.create_event(SPEC)
    with writer(store.path) as process:  # takes the latest event, the other one
        assert process.stdout is not None
        assert process.stdout.readline() == "claimed\n"
        assert holder(store.path, other) == process.pid
        with pytest.raises(StoreFailure, match=f"event 2 is being run by process {process.pid}"), store.claim(other):
            pass
        with store.claim(1):
            assert holder(store.path, 1) is not None
        process.kill()
        process.stdout.read()
    assert holder(store.path, other) is None
    with store.claim(other), pytest.raises(StoreFailure, match="event 2 is being run"), store.claim(other):
        pass
    with store.claim(other):
        pass


def test_imported_games_are_an_event_of_their_own(store: Store) -> None:
    """Games come in once: again they are skipped, more of them join their event, and one's own are recognised."""
    store.add(1, EXAMPLE)
    assert store.import_games("file", [EXAMPLE]) == (0, 1)
    assert len(store.events()) == 1
    assert store.import_games("file", RECORDS[1:3]) == (2, 0)
    assert store.import_games("file", RECORDS[1:]) == (1, 2)
    event = store.event()
    assert (event.id, event.name, event.spec, event.planned, event.games) == (2, "file", None, None, 3)
    assert store.import_games("file", RECORDS) == (0, 4)


def test_an_import_is_all_or_nothing(store: Store) -> None:
    """When one game cannot be added, none is, and no event is left behind."""

    def records() -> Iterator[object]:
        yield EXAMPLE
        raise ValueError("bad line")

    with pytest.raises(ValueError, match="bad line"):
        store.import_games("file", records())  # type: ignore[arg-type]
    with pytest.raises(StoreError, match="is there already"):
        store.import_games("file", [EXAMPLE, replace(EXAMPLE, winner=1)])
    assert (len(store.events()), list(store.records())) == (1, [])
