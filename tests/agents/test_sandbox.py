"""Owns the tests of the jail: whatever foreign code does, it is named, ended in time, and has touched nothing."""

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from fourfall.agents import sandbox
from fourfall.agents.base import AgentError, Fault, Terms
from fourfall.agents.sandbox import Process, SandboxUnavailable, launch_library, launch_program
from tests.agents.conftest import HostileSet, ask, begin, read_message, running

LIMIT_S = 0.5
LATE_S = 0.5
SMALL = Terms(memory_mb=128)

pytestmark = [
    pytest.mark.usefixtures("no_scratch_left"),
    pytest.mark.usefixtures("nothing_left"),
    pytest.mark.skipif(bool(sandbox.lacking()), reason="this machine cannot jail foreign code"),
]

# As the machine offers it; without namespaces, as in many containers; and without a jail.
WAYS = {"jailed": (True, ()), "without namespaces": (True, ("--no-namespaces",)), "unjailed": (False, ())}
FATES = [
    ("segfault", Fault.CRASH, "killed by SIGSEGV"),
    ("abort", Fault.CRASH, "killed by SIGABRT"),
    ("exit-0", Fault.CRASH, "exited with code 0 instead of answering"),
    ("exit-3", Fault.CRASH, "exited with code 3"),
    ("loop", Fault.TIMEOUT, "no answer within 0.5"),
    ("sleep", Fault.TIMEOUT, "no answer within 0.5"),
    ("stubborn", Fault.TIMEOUT, "no answer within 0.5"),
    ("hog-rudely", Fault.MEMORY_EXCEEDED, "killed by SIGSEGV; 128 MiB allowed"),
    ("close", Fault.CRASH, "closed its output"),
]


@pytest.fixture(params=WAYS, ids=lambda way: way.replace(" ", "-"))
def terms(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Terms:
    """Run a test in every way in which foreign code can be run."""
    jailed, options = WAYS[request.param]
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", options)
    return Terms(memory_mb=128, sandbox=jailed)


def fate(use: Callable[[], object]) -> tuple[Fault, str, float]:
    """Return how a use of a process fails, and how long that takes."""
    started = time.perf_counter()
    with pytest.raises(AgentError) as failure:
        use()
    return failure.value.fault, str(failure.value), time.perf_counter() - started


def line(process: Process) -> str:
    """Read a line within the limit."""
    return process.read_line(time.perf_counter() + LIMIT_S).decode()


def gone(marker: str) -> bool:
    """Wait a little for the end of all processes with a word in their command line."""
    deadline = time.perf_counter() + 3
    while running(marker) and time.perf_counter() < deadline:
        time.sleep(0.01)
    return running(marker) == []


@pytest.mark.parametrize(("deed", "fault", "detail"), FATES)
def test_a_program_meets_its_fate(hostile: HostileSet, terms: Terms, deed: str, fault: Fault, detail: str) -> None:
    """A program that does not answer is named for what it did, at once or as soon as its time is up."""
    with launch_program([str(hostile.program), deed], terms, cpu_s=10) as process:
        found, told, took = fate(lambda: line(process))
    assert (found, told[: len(detail)]) == (fault, detail)
    assert took < LIMIT_S + LATE_S


@pytest.mark.parametrize(
    ("deed", "fault", "detail"), [row for row in FATES if row[0] != "close"] + [("late-segfault", *FATES[0][1:])]
)
def test_a_library_meets_its_fate(hostile: HostileSet, deed: str, fault: Fault, detail: str) -> None:
    """A library that does not answer is named for what it did; a crash while clearing up is its own crash."""
    with begin(launch_library(hostile.library(deed), SMALL, cpu_s=10)) as process:
        if deed == "late-segfault":
            assert ask(process) == "5 2"
        found, told, took = fate(lambda: ask(process, LIMIT_S))
    assert (found, told[: len(detail)]) == (fault, detail)
    assert took < LIMIT_S + LATE_S


@pytest.mark.parametrize(
    ("deed", "message"),
    [
        ("throw", "! exception thrown on purpose"),
        ("throw-number", "! exception of an unknown type"),
        ("hog", "! memory exceeded"),
        ("null", "! exception getPoint returned a null pointer"),
    ],
)
def test_a_library_that_throws_is_caught(hostile: HostileSet, terms: Terms, deed: str, message: str) -> None:
    """Exceptions become messages, those for want of memory among them."""
    with begin(launch_library(hostile.library(deed), terms, cpu_s=10)) as process:
        assert ask(process) == message


@pytest.mark.parametrize(
    ("deed", "words"),
    [("hog", "killed by SIGABRT"), ("hog-together", "its processes took"), ("hog-shared", "its processes took")],
)
def test_a_program_that_takes_too_much_memory(hostile: HostileSet, deed: str, words: str) -> None:
    """One process beyond the cap is told by its last words, many together by what they have in use."""
    with launch_program([str(hostile.program), deed], SMALL, cpu_s=10) as process:
        fault, told, took = fate(lambda: process.read_line(time.perf_counter() + 3))
    assert (fault, told[: len(words)]) == (Fault.MEMORY_EXCEEDED, words)
    assert took < 3


def test_reserved_address_space_is_free(hostile: HostileSet) -> None:
    """A runtime that reserves a terabyte and uses little of it may run."""
    with launch_program([str(hostile.program), "reserve"], SMALL, cpu_s=10) as process:
        assert line(process) == "done"
        process.close()
    assert process.stderr == "reserve: succeeded\n"


def test_a_library_that_behaves(hostile: HostileSet) -> None:
    """Noise on standard output is swallowed, threads are allowed, arrays are fresh for every question."""
    for deed in ("noise", "threads", "scribble"):
        with begin(launch_library(hostile.library(deed), SMALL, cpu_s=10)) as process:
            assert [ask(process) for _ in range(3)] == ["5 2"] * 3
            process.close()
            assert ("threads: 4\n" * 3 if deed == "threads" else "") == process.stderr


def test_a_flood_of_errors_is_cut(hostile: HostileSet, terms: Terms) -> None:
    """Five megabytes of errors block nobody, and the last 64 KB are kept."""
    with launch_program([str(hostile.program), "flood"], terms, cpu_s=10) as process:
        assert process.read_line(time.perf_counter() + 5) == b"done"
        process.close()
    assert len(process.stderr) == 64 * 1024
    assert process.stderr.endswith("the last line\n")


def test_a_fork_bomb_is_bounded_and_disturbs_nobody(hostile: HostileSet) -> None:
    """Of four hundred tries few make a process, each game has its own count, and all are gone afterwards."""
    with (
        launch_program([str(hostile.program), "bomb"], SMALL, cpu_s=10) as first,
        launch_program([str(hostile.program), "bomb"], SMALL, cpu_s=10) as second,
    ):
        for process in (first, second):
            assert process.read_line(time.perf_counter() + 5) == b"done"
        assert len(running(str(hostile.program))) > 100
        first.close()
        second.close()
        made = [int(process.stderr.removeprefix("made ")) for process in (first, second)]
    assert all(50 <= count <= 64 for count in made)


def test_a_library_starts_no_processes(hostile: HostileSet) -> None:
    """For a library even the first fork fails."""
    with begin(launch_library(hostile.library("leave-children"), SMALL, cpu_s=10)) as process:
        assert ask(process) == "5 2"
        process.close()
    assert process.stderr == "fork: Operation not permitted\n"


@pytest.mark.parametrize("jailed", [True, False])
def test_children_left_behind_are_ended(hostile: HostileSet, jailed: bool) -> None:
    """A grandchild in a session of its own is gone when the process is closed."""
    marker = uuid.uuid4().hex
    terms = Terms(memory_mb=128, sandbox=jailed)
    with launch_program([str(hostile.program), "leave-children", marker], terms, cpu_s=10) as process:
        assert line(process) == "done"
        assert len(running(marker)) > 2
    assert running(marker) == []


def test_a_process_that_never_stays_the_same_is_ended(hostile: HostileSet) -> None:
    """A chain of processes, each of which forks and ends, cannot outrun the end of its jail."""
    marker = uuid.uuid4().hex
    with launch_program([str(hostile.program), "hop", marker], SMALL, cpu_s=10) as process:
        assert line(process) == "done"
    for _ in range(20):
        assert running(marker) == []


def test_without_namespaces_nothing_can_be_left_behind(hostile: HostileSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where children could not be ended for certain, a program may not have any."""
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", ("--no-namespaces",))
    with launch_program([str(hostile.program), "leave-children"], SMALL, cpu_s=10) as process:
        assert line(process) == "done"
        process.close()
    assert process.stderr == "fork: Operation not permitted\n"


@pytest.mark.parametrize("jailed", [True, False])
def test_children_are_ended_with_their_parent(hostile: HostileSet, jailed: bool) -> None:
    """A program that ends by itself takes what it left behind with it, before it is closed."""
    marker = uuid.uuid4().hex
    with launch_program([str(hostile.program), "leave-children", marker], Terms(sandbox=jailed), cpu_s=10) as process:
        assert line(process) == "done"
        process.write(b"q", time.perf_counter() + 1)
        assert fate(lambda: line(process))[:2] == (Fault.CRASH, "exited with code 0 instead of answering")
        assert gone(marker)


def test_a_killed_host_leaves_nothing_running(hostile: HostileSet) -> None:
    """Even after kill -9 of the host itself nothing stays, and its process is reported as gone."""
    marker = uuid.uuid4().hex
    with launch_program([str(hostile.program), "stay", marker], SMALL, cpu_s=10) as process:
        assert line(process) == "done"
        os.kill(process.pid, signal.SIGKILL)
        assert fate(lambda: line(process))[:2] == (Fault.CRASH, "closed its output")
        assert gone(marker)


def test_nothing_can_be_broken_out_of(hostile: HostileSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sockets, tracing, namespaces and the like are refused, with namespaces and without."""
    for options in ((), ("--no-namespaces",)):
        monkeypatch.setattr(sandbox, "HOST_OPTIONS", options)
        with launch_program([str(hostile.program), "break-out"], SMALL, cpu_s=10) as process:
            assert line(process) == "done"
            process.close()
        told = dict(row.split(": ") for row in process.stderr.splitlines())
        assert len(told) == 11
        # To the first process of a PID namespace a signal from inside can be sent, and does nothing.
        assert {what: found for what, found in told.items() if found != "Operation not permitted"} in (
            {},
            {"signal": "Success"},
        )


@pytest.mark.parametrize("options", [(), ("--no-namespaces",)], ids=["jailed", "without-namespaces"])
@pytest.mark.parametrize("place", ["home", "own folder"])
def test_nothing_is_written(
    hostile: HostileSet, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], place: str
) -> None:
    """Files at home and beside the program cannot be made, changed, hidden or removed; the scratch folder can."""
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", options)
    target = (Path.home() if place == "home" else hostile.folder) / f"fourfall-{uuid.uuid4().hex}"
    there = Path(f"{target}-there")
    there.write_text("as it was")
    before = there.stat()
    try:
        with launch_program([str(hostile.program), "touch", f"to:{target}"], SMALL, cpu_s=10) as process:
            assert line(process) == "done"
            process.close()
        told = dict(row.split(": ") for row in process.stderr.splitlines())
        assert len(told) == 8
        assert [what for what, found in told.items() if found == "succeeded"] == ["scratch"]
        assert there.read_text() == "as it was"
        after = there.stat()
        assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
    finally:
        there.unlink()
    assert list(target.parent.glob(f"{target.name}*")) == []


@pytest.mark.parametrize("options", [(), ("--no-namespaces",)], ids=["jailed", "without-namespaces"])
def test_nothing_is_read(
    hostile: HostileSet, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: tuple[str, ...]
) -> None:
    """A library reads what lies beside it and not what lies elsewhere; in a home folder it reads only itself."""
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", options)
    secret = tmp_path / "secret"
    secret.write_text("treasure")
    library = hostile.library("peek", secret)
    for target, found in ((secret, "nothing"), (library.parent / "beside", "treasure")):
        (library.parent / "target").write_text(f"{target}\n")
        (library.parent / "beside").write_text("treasure")
        with begin(launch_library(library, SMALL, cpu_s=10)) as process:
            assert ask(process) == "5 2"
            process.close()
        assert process.stderr == f"read: {found}\n"
    monkeypatch.setenv("HOME", str(library.parent))
    with begin(launch_library(library, SMALL, cpu_s=10)) as process:
        assert ask(process) == "5 2"  # the file that names its target is closed to it, too
        process.close()
    assert process.stderr == "read: nothing\n"


@pytest.mark.parametrize(
    ("deed", "fault", "detail"),
    [
        ("half", Fault.TIMEOUT, "no answer within 0.5"),
        ("flood-ahead", Fault.BROKEN_PROTOCOL, "sent a line without an end"),
    ],
)
def test_half_and_endless_lines(hostile: HostileSet, deed: str, fault: Fault, detail: str) -> None:
    """Half a line is waited for, a line without an end is not."""
    with launch_program([str(hostile.program), deed], SMALL, cpu_s=10) as process:
        found, told, took = fate(lambda: line(process))
    assert (found, told[: len(detail)]) == (fault, detail)
    assert took < LIMIT_S + LATE_S


def test_a_last_answer_counts(hostile: HostileSet, terms: Terms) -> None:
    """What a program wrote before it ended is read; its end is noticed at the next question."""
    with launch_program([str(hostile.program), "answer-and-exit"], terms, cpu_s=10) as process:
        time.sleep(0.05)
        assert line(process) == "done"
        fault, told, _ = fate(lambda: process.write(b"x" * 100_000, time.perf_counter() + LIMIT_S))
    assert (fault, told) == (Fault.CRASH, "exited with code 0 instead of answering")


def test_a_question_that_is_not_read(hostile: HostileSet) -> None:
    """Writing to a process that does not read ends when its time is up."""
    with launch_program([str(hostile.program), "sleep"], SMALL, cpu_s=10) as process:
        fault, told, took = fate(lambda: process.write(bytes(1_000_000), time.perf_counter() + 0.2))
    assert (fault, told[:37]) == (Fault.TIMEOUT, "did not read its question within 0.20")
    assert took < 0.2 + LATE_S


@pytest.mark.parametrize("deed", ["loop", "stubborn"])
def test_processor_time_is_capped(hostile: HostileSet, deed: str) -> None:
    """The cap ends a process that nobody waits for, one that ignores all signals a second later."""
    with launch_program([str(hostile.program), deed], SMALL, cpu_s=1) as process:
        fault, told, _ = fate(lambda: process.read_line(time.perf_counter() + 20))
    assert (fault, told) == (Fault.TIMEOUT, "used up its 1 s of processor time")


@pytest.mark.parametrize("jailed", [True, False])
def test_libraries_that_cannot_be_used(hostile: HostileSet, tmp_path: Path, jailed: bool) -> None:
    """A library that does not exist, a file that is none and one without getPoint are told apart."""
    terms = Terms(memory_mb=128, sandbox=jailed)
    text = tmp_path / "text.so"
    text.write_text("not a library")
    for path, words in (
        (tmp_path / "missing.so", f"! cannot load {tmp_path}/missing.so: cannot open shared object file"),
        (text, f"! cannot load {text}: file too short"),
        (hostile.library("incomplete"), "! interface missing getPoint"),
    ):
        with launch_library(path, terms, cpu_s=1) as process:
            assert read_message(process)[: len(words)] == words


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "no such program"),
        (lambda path: path.mkdir(), "is a folder"),
        (lambda path: path.write_text("x"), "is not executable"),
        (lambda path: (path.write_text("x"), path.chmod(0o755)), "Exec format error"),
    ],
)
def test_programs_that_cannot_be_started(tmp_path: Path, make: Callable[[Path], object], words: str) -> None:
    """The reason why a program does not start is given."""
    path = tmp_path / "bot"
    make(path)
    fault, told, _ = fate(lambda: launch_program([str(path)], SMALL, cpu_s=1))
    assert (fault, told) == (Fault.CANNOT_LOAD, f"{path}: {words}")


def test_a_jail_that_cannot_be_built_is_refused(hostile: HostileSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing foreign runs when the set-up fails, and the message says what would."""
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", ("--working-folder", "/nowhere"))
    with pytest.raises(SandboxUnavailable, match=r"/nowhere: No such file or directory; --no-sandbox runs it"):
        launch_program([str(hostile.program), "sleep"], SMALL, cpu_s=1)


def test_python_runs_in_the_jail(tmp_path: Path) -> None:
    """The running interpreter finds its modules in the jail, wherever it is installed; a MemoryError is told."""
    script = tmp_path / "bot.py"
    script.write_text(
        "import json, asyncio\nasyncio.run(asyncio.sleep(0))\nprint('ready', flush=True)\nb'x' * (1 << 31)"
    )
    with launch_program([sys.executable, str(script)], Terms(memory_mb=512), cpu_s=10) as process:
        assert process.read_line(time.perf_counter() + 10) == b"ready"
        fault, told, _ = fate(lambda: line(process))
    assert (fault, told) == (Fault.MEMORY_EXCEEDED, "exited with code 1; 512 MiB allowed")


@pytest.mark.parametrize("way", ["script", "bare word"])
def test_python_is_found_like_in_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """A script that asks env for Python runs, and so does python3 where it is a version manager's stand-in."""
    script = tmp_path / "bot.py"
    script.write_text("#!/usr/bin/env python3\nimport json, sys\nprint(sys.prefix, flush=True)\n")
    script.chmod(0o755)
    shim = tmp_path / "shims" / "python3"
    shim.parent.mkdir()
    shim.write_text("#!/bin/sh\ncat ~/.config/versions\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{shim.parent}:/usr/bin:/bin")
    argv = [str(script)] if way == "script" else ["python3", str(script)]
    with launch_program(argv, Terms(), cpu_s=10) as process:
        assert process.read_line(time.perf_counter() + 10).decode() == sys.prefix


def test_more_than_was_asked_for(hostile: HostileSet) -> None:
    """A flood of answers while a question is still being sent ends the game, not the memory."""
    with launch_program([str(hostile.program), "flood-ahead"], SMALL, cpu_s=10) as process:
        fault, told, _ = fate(lambda: process.write(bytes(1_000_000), time.perf_counter() + 3))
    assert (fault, told) == (Fault.BROKEN_PROTOCOL, "sent far more than it was asked for")


@pytest.mark.parametrize("jailed", [True, False])
def test_a_killed_parent_leaves_nothing_running(hostile: HostileSet, jailed: bool) -> None:
    """After kill -9 of the calling process everything foreign ends by itself."""
    marker = uuid.uuid4().hex
    code = (
        "import sys, time; from fourfall.agents.base import Terms; from fourfall.agents.sandbox import launch_program\n"
        "p = launch_program([sys.argv[1], 'stay', sys.argv[2]], Terms(sandbox=sys.argv[3] == '1'), cpu_s=9)\n"
        "p.read_line(time.perf_counter() + 3); print('up', flush=True); time.sleep(60)"
    )
    words = [str(hostile.program), marker, str(int(jailed))]
    with subprocess.Popen([sys.executable, "-c", code, *words], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"up\n"
        assert len(running(marker)) > 3
        parent.send_signal(signal.SIGKILL)
    assert gone(marker)
