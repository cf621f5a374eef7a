"""Tests of the database: stored games, queries, failures of the system, concurrent processes and imports."""

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

from fourfall.arena.database import VERSION
from fourfall.arena.event_claims import find_claim_holder
from fourfall.arena.judge import Ending
from fourfall.arena.record import EXAMPLE
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store, StoreError, StoreFailure

SPEC = Spec.match("left", "right", pairs=50)
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
event = store.get_event().id
with store.claim_event(event):
    print("claimed", flush=True)
    number = len(store.get_played_numbers(event))
    while True:
        store.add_game(event, replace(EXAMPLE, number=number, detail="x" * 2000))
        print(number, flush=True)
        number += 1
"""

FILLER = """
import sys
from dataclasses import replace
from fourfall.arena.record import EXAMPLE
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store, StoreFailure
counted = 0
try:
    store = Store(sys.argv[1])
    store.create_event(Spec.match("left", "right", pairs=50))
    while True:
        store.add_game(1, replace(EXAMPLE, number=counted, stderr="x" * 1500))
        counted += 1
except StoreFailure as failure:
    assert str(failure) == sys.argv[1] + ": the disk is full; nothing was written", failure
if counted:
    assert store.get_played_numbers(1) == set(range(counted))
print(counted)
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Open a new database with one event, number 1."""
    with Store(tmp_path / "arena.db") as store:
        store.create_event(SPEC)
        yield store


def start_writer(path: Path) -> subprocess.Popen[str]:
    """Start a process that adds games continuously and prints the number of each game after adding it."""
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_stored_games_are_read_back(store: Store) -> None:
    """Records, the spec and the schedule numbers are unchanged after reopening the file."""
    ids = [store.add_game(1, record) for record in reversed(RECORDS)]
    store.close()
    with Store(store.path, create=False, read_only=True) as again:
        assert list(again.find_records()) == RECORDS
        assert [again.get_record(game) for game in ids] == RECORDS[::-1]
        assert again.get_played_numbers(1) == {0, 1, 2, 3}
        event = again.get_event()
        assert (event.id, event.name, event.spec, event.games, event.planned) == (1, "left against right", SPEC, 4, 100)
        assert not event.is_complete


def test_game_cannot_be_added_twice(store: Store) -> None:
    """A second game with the same number in an event is refused; another event may have that number."""
    store.add_game(1, EXAMPLE)
    with pytest.raises(StoreError, match=r"arena\.db: event 1 has a game 0 already"):
        store.add_game(1, replace(EXAMPLE, winner=1))
    second = store.create_event(SPEC)
    store.add_game(second, EXAMPLE)
    assert [list(store.find_records(event)) for event in (1, second)] == [[EXAMPLE], [EXAMPLE]]
    assert [event.games for event in store.list_events()] == [1, 1]


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
def test_find_records(store: Store, chosen: dict[str, str], numbers: list[int]) -> None:
    """Every filter and combination of filters yields the right games."""
    for record in RECORDS:
        store.add_game(1, record)
    assert [record.number for record in store.find_records(**chosen)] == numbers  # type: ignore[arg-type]


def test_latest_games(store: Store) -> None:
    """With `latest` the last games are yielded in schedule order."""
    for record in RECORDS:
        store.add_game(1, record)
    assert [game.record.number for game in store.find_games(latest=2)] == [2, 3]


def test_unknown_event_game_and_agent(store: Store) -> None:
    """The message names the missing event, game or agent, and similar agents."""
    store.add_game(1, EXAMPLE)
    for number in (7, -1, 10**30):
        with pytest.raises(StoreError, match=f"there is no event {number}"):
            store.get_event(number)
        with pytest.raises(StoreError, match=f"there is no game {number}"):
            store.get_record(number)
    with pytest.raises(StoreError, match="no games of agent 'rigth'; similar: right"):
        list(store.find_records(agent="rigth"))
    with pytest.raises(StoreError, match="there is no event 9"):
        store.add_game(9, EXAMPLE)
    with pytest.raises(StoreError, match="the result 'lost' needs the name of an agent"):
        list(store.find_records(result="lost"))


def test_newer_database_is_refused(store: Store) -> None:
    """A newer schema is named in the message, and the file is not changed."""
    store.close()
    with sqlite3.connect(store.path) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    before = store.path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(
            StoreError, match=r"arena\.db: written by a newer version of fourfall \(schema 2; this version reads 1\)"
        ):
            Store(store.path, read_only=read_only)
    assert store.path.read_bytes() == before


def test_other_files_are_refused(tmp_path: Path) -> None:
    """A text file, a folder and a database of another program are refused and not changed."""
    text, other = tmp_path / "text", tmp_path / "other.db"
    text.write_text("a text file that is longer than the header of a database " * 20)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE other (x)")
    connection.close()
    before = {path: path.read_bytes() for path in (text, other)}
    for path, message in [(text, "not a database"), (other, "not an arena database"), (tmp_path, "not a file")]:
        for read_only in (False, True):
            with pytest.raises(StoreError, match=message):
                Store(path, read_only=read_only)
    assert {path: path.read_bytes() for path in (text, other)} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.db", "text"]


def test_missing_database_and_folder(tmp_path: Path) -> None:
    """Reading a missing database is a StoreError, creating one in a missing folder a StoreFailure."""
    for options in ({"read_only": True}, {"create": False}):
        with pytest.raises(StoreError, match="the database does not exist"):
            Store(tmp_path / "arena.db", **options)
    with pytest.raises(StoreFailure, match=r"the folder .*/no does not exist"):
        Store(tmp_path / "no" / "arena.db")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def read_only_folder() -> Iterator[Path]:
    """Make a folder with a database of one game, and drop the permission to write there."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Store(folder / "arena.db") as store:
            store.add_game(store.create_event(SPEC), EXAMPLE)
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


def test_folder_without_write_permission(read_only_folder: Path) -> None:
    """A database in such a folder can be read; writing to it and creating another one fail with one line."""
    with Store(read_only_folder / "arena.db", read_only=True) as store:
        assert list(store.find_records()) == [EXAMPLE]
    with pytest.raises(StoreFailure, match=r"arena\.db: cannot be (written|opened)"):
        Store(read_only_folder / "arena.db")
    with pytest.raises(StoreFailure, match=r"other\.db: cannot be opened or created"):
        Store(read_only_folder / "other.db")
    assert [path.name for path in read_only_folder.iterdir()] == ["arena.db"]


def test_read_only_store(store: Store) -> None:
    """A store opened for reading refuses to write, and leaves no log files when it is closed last."""
    store.close()
    with Store(store.path, read_only=True) as reader, pytest.raises(StoreFailure, match="cannot be written"):
        reader.add_game(1, EXAMPLE)
    assert [path.name for path in store.path.parent.iterdir()] == ["arena.db"]


def test_incomplete_database_is_created_again(tmp_path: Path) -> None:
    """An empty file and a file with only the log enabled, as a kill during creation leaves them, are initialised."""
    empty, started = tmp_path / "empty.db", tmp_path / "started.db"
    empty.touch()
    connection = sqlite3.connect(started)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    for path in (empty, started):
        with pytest.raises(StoreError, match="not an arena database"):
            Store(path, read_only=True)
        with Store(path) as store:
            assert store.create_event(SPEC) == 1


def test_full_database(store: Store) -> None:
    """A game that does not fit is a StoreFailure; earlier games are kept, and later ones can be added."""
    [pages] = store._connection.execute("PRAGMA page_count").fetchone()
    store._connection.execute(f"PRAGMA max_page_count = {pages + 3}")
    numbers = iter(range(1000))
    with pytest.raises(StoreFailure, match=r"arena\.db: the disk is full; nothing was written"):
        _ = [store.add_game(1, replace(EXAMPLE, number=number, stderr="x" * 1500)) for number in numbers]
    added = next(numbers) - 1
    assert 0 < added < 20
    with pytest.raises(StoreFailure, match="full"):
        store.import_games("many", [replace(EXAMPLE, number=at, stderr="y" * 1500) for at in range(20)])
    assert store.get_played_numbers(1) == set(range(added))
    assert len(store.list_events()) == 1
    store._connection.execute("PRAGMA max_page_count = 1000000")
    store.add_game(1, replace(EXAMPLE, number=added))
    assert store._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_full_file_system(tmp_path: Path) -> None:
    """On small file systems of several sizes there is one message, and the games added before are stored."""
    probe = ["unshare", "-rm", "mount", "-t", "tmpfs", "none", str(tmp_path)]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small file system is not permitted here")
    script = f"""for size in 4 12 40 72 100 200 400; do
        mount -t tmpfs -o size=${{size}}k none {tmp_path} && {sys.executable} -c '{FILLER}' {tmp_path}/arena.db || exit
    done"""
    result = subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    counted = [int(line) for line in result.stdout.splitlines()]
    assert len(counted) == 7
    assert counted[0] == 0 < counted[-1]


def test_locked_database(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """If another program holds the lock, writing fails after the timeout with one line."""
    monkeypatch.setattr("fourfall.arena.database._LOCK_TIMEOUT_S", 0.05)
    with Store(store.path) as other:
        store._connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreFailure, match="the database is locked by another program"):
            other.add_game(1, EXAMPLE)
        store._connection.execute("ROLLBACK")
        other.add_game(1, EXAMPLE)


def test_concurrent_creation_and_writing(tmp_path: Path) -> None:
    """Four threads that open the same new database at once lose no game."""
    path = tmp_path / "arena.db"
    barrier = threading.Barrier(4)

    def work() -> None:
        barrier.wait()
        with Store(path) as store:
            event = store.create_event(SPEC)
            for number in range(5):
                store.add_game(event, replace(EXAMPLE, number=number))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Store(path) as store:
        assert [event.games for event in store.list_events()] == [5, 5, 5, 5]


def test_killed_writer_loses_no_reported_game(store: Store) -> None:
    """After kill -9 at random moments every reported game is stored once, and at most one more."""
    source = random.Random(5)  # noqa: S311
    reported: list[int] = []
    for _ in range(6):
        with start_writer(store.path) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "claimed\n"
            reported += [int(process.stdout.readline()) for _ in range(4)]
            time.sleep(source.uniform(0, 0.08))
            process.send_signal(signal.SIGKILL)
            reported += [int(line) for line in process.stdout.read().splitlines()]
        played = store.get_played_numbers(1)
        assert played >= set(reported)
        assert sorted(played) == list(range(len(played)))
        reported = sorted(played)
    assert len(reported) > 20
    assert store._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert [record.number for record in store.find_records(1)] == reported


def test_claims(store: Store) -> None:
    """A claimed event cannot be claimed again, another event can, and kill -9 releases the claim."""
    other = store.create_event(SPEC)
    with start_writer(store.path) as process:  # claims the latest event, `other`
        assert process.stdout is not None
        assert process.stdout.readline() == "claimed\n"
        assert find_claim_holder(store.path, other) == process.pid
        with (
            pytest.raises(StoreFailure, match=f"event 2 is being run by process {process.pid}"),
            store.claim_event(other),
        ):
            pass
        with store.claim_event(1):
            assert find_claim_holder(store.path, 1) is not None
        process.kill()
        process.stdout.read()
    assert find_claim_holder(store.path, other) is None
    with store.claim_event(other), pytest.raises(StoreFailure, match="event 2 is being run"), store.claim_event(other):
        pass
    with store.claim_event(other):
        pass


def test_import_games(store: Store) -> None:
    """Imported games form an event; known games are skipped, and further games of the import join its event."""
    store.add_game(1, EXAMPLE)
    assert store.import_games("file", [EXAMPLE]) == (0, 1)
    assert len(store.list_events()) == 1
    assert store.import_games("file", RECORDS[1:3]) == (2, 0)
    assert store.import_games("file", RECORDS[1:]) == (1, 2)
    event = store.get_event()
    assert (event.id, event.name, event.spec, event.planned, event.games) == (2, "file", None, None, 3)
    assert store.import_games("file", RECORDS) == (0, 4)


def test_failed_import_adds_nothing(store: Store) -> None:
    """If one game cannot be added, no game and no event is added."""

    def records() -> Iterator[object]:
        yield EXAMPLE
        raise ValueError("bad line")

    with pytest.raises(ValueError, match="bad line"):
        store.import_games("file", records())  # type: ignore[arg-type]
    with pytest.raises(StoreError, match="event 2 has a game 0 already"):
        store.import_games("file", [EXAMPLE, replace(EXAMPLE, winner=1)])
    assert (len(store.list_events()), list(store.find_records())) == (1, [])
