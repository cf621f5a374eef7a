"""Owns the tests of the jail: nothing is read, written, reached or left running."""

import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from fourfall.agents import sandbox
from fourfall.agents.base import Conditions, Fault
from fourfall.agents.sandbox import SandboxUnavailable, launch_library, launch_program
from tests.agents.conftest import (
    HOST,
    SMALL,
    HostileSet,
    ask,
    begin,
    fate,
    gone,
    line,
    running,
)

pytestmark = [
    pytest.mark.usefixtures("no_scratch_left", "nothing_left"),
    pytest.mark.skipif(bool(sandbox.missing_protections()), reason="this machine cannot jail foreign code"),
]


def test_a_fork_bomb_is_bounded_and_disturbs_nobody(hostile: HostileSet) -> None:
    """Of four hundred tries few make a process, each game has its own count, and all are gone afterwards."""
    with (
        launch_program([str(hostile.program), "bomb"], SMALL, cpu_time_s=10) as first,
        launch_program([str(hostile.program), "bomb"], SMALL, cpu_time_s=10) as second,
    ):
        for process in (first, second):
            assert line(process) == "done"
        assert len(running(str(hostile.program))) > 100
        first.close()
        second.close()
        made = [int(process.stderr.removeprefix("made ")) for process in (first, second)]
    assert all(50 <= count <= 64 for count in made)


def test_a_library_starts_no_processes(hostile: HostileSet) -> None:
    """For a library even the first fork fails."""
    with begin(launch_library(hostile.library("leave-children"), SMALL, cpu_time_s=10)) as process:
        assert ask(process) == "5 2"
        process.close()
    assert process.stderr == "fork: Operation not permitted\n"


@pytest.mark.parametrize("jailed", [True, False])
def test_children_left_behind_are_ended(hostile: HostileSet, jailed: bool) -> None:
    """A grandchild in a session of its own is gone when the process is closed."""
    marker = uuid.uuid4().hex
    conditions = Conditions(memory_mb=128, sandbox=jailed)
    with launch_program([str(hostile.program), "leave-children", marker], conditions, cpu_time_s=10) as process:
        assert line(process) == "done"
        assert len(running(marker)) > 2
    assert running(marker) == []


def test_a_process_that_never_stays_the_same_is_ended(hostile: HostileSet) -> None:
    """A chain of processes, each of which forks and ends, cannot outrun the end of its jail."""
    marker = uuid.uuid4().hex
    with launch_program([str(hostile.program), "hop", marker], SMALL, cpu_time_s=10) as process:
        assert line(process) == "done"
    for _ in range(20):
        assert running(marker) == []


def test_without_namespaces_nothing_can_be_left_behind(hostile: HostileSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where children could not be ended for certain, a program may not have any."""
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", ("--no-namespaces",))
    with launch_program([str(hostile.program), "leave-children"], SMALL, cpu_time_s=10) as process:
        assert line(process) == "done"
        process.close()
    assert process.stderr == "fork: Operation not permitted\n"


@pytest.mark.parametrize("jailed", [True, False])
def test_children_are_ended_with_their_parent(hostile: HostileSet, jailed: bool) -> None:
    """A program that ends by itself takes what it left behind with it, before it is closed."""
    marker = uuid.uuid4().hex
    with launch_program(
        [str(hostile.program), "leave-children", marker], Conditions(sandbox=jailed), cpu_time_s=10
    ) as process:
        assert line(process) == "done"
        process.write(b"q", time.perf_counter() + 1)
        assert fate(lambda: line(process))[:2] == (Fault.CRASH, "exited with code 0 instead of answering")
        assert gone(marker)


def test_a_killed_host_leaves_nothing_running(hostile: HostileSet) -> None:
    """Even after kill -9 of the host itself nothing stays, and its process is reported as gone."""
    marker = uuid.uuid4().hex
    with launch_program([str(hostile.program), "stay", marker], SMALL, cpu_time_s=10) as process:
        assert line(process) == "done"
        os.kill(process.pid, signal.SIGKILL)
        assert fate(lambda: line(process))[:2] == (Fault.CRASH, "closed its output")
        assert gone(marker)


def test_nothing_can_be_broken_out_of(hostile: HostileSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sockets, tracing, namespaces and the like are refused, with namespaces and without."""
    for options in ((), ("--no-namespaces",)):
        monkeypatch.setattr(sandbox, "HOST_OPTIONS", options)
        with launch_program([str(hostile.program), "break-out"], SMALL, cpu_time_s=10) as process:
            assert line(process) == "done"
            process.close()
        told = dict(row.split(": ") for row in process.stderr.splitlines())
        assert len(told) == 12
        # To the first process of a PID namespace a signal from inside can be sent, and does nothing.
        assert {what: found for what, found in told.items() if found != "Operation not permitted"} in (
            {},
            {"signal": "Success"},
        )


def test_no_descriptor_is_inherited(hostile: HostileSet) -> None:
    """Whatever numbers the host's own pipes have, a program gets its three streams and nothing else."""
    code = (
        "import fcntl, os, subprocess, sys\n"
        "ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 100) for end in (*os.pipe(), *os.pipe())]\n"
        "life, status = os.dup2(ends[0], int(sys.argv[1])), os.dup2(ends[3], int(sys.argv[2]))\n"
        "words = ['--life', str(life), '--status', str(status), '--readable', sys.argv[4]]\n"
        "words += ['--', sys.argv[4], 'descriptors']\n"
        "subprocess.run([sys.argv[3], *words], pass_fds=(life, status), stdin=subprocess.DEVNULL)"
    )
    for numbers in (("4", "5"), ("5", "3"), ("70", "7")):
        told = subprocess.run(
            [sys.executable, "-c", code, *numbers, str(HOST), str(hostile.program)], capture_output=True, check=True
        )
        assert (told.stdout, told.stderr) == (b"done\n", b"")


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
        with launch_program([str(hostile.program), "touch", f"to:{target}"], SMALL, cpu_time_s=10) as process:
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
        with begin(launch_library(library, SMALL, cpu_time_s=10)) as process:
            assert ask(process) == "5 2"
            process.close()
        assert process.stderr == f"read: {found}\n"
    monkeypatch.setenv("HOME", str(library.parent))
    with begin(launch_library(library, SMALL, cpu_time_s=10)) as process:
        assert ask(process) == "5 2"  # the file that names its target is closed to it, too
        process.close()
    assert process.stderr == "read: nothing\n"


def test_a_jail_that_cannot_be_built_is_refused(hostile: HostileSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing foreign runs when the set-up fails, and the message says what would."""
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", ("--working-folder", "/nowhere"))
    with pytest.raises(SandboxUnavailable, match=r"/nowhere: No such file or directory; .*--no-sandbox runs it"):
        launch_program([str(hostile.program), "sleep"], SMALL, cpu_time_s=1)


@pytest.mark.parametrize(
    ("name", "lacks", "reason"),
    [
        ("no-landlock", {"files"}, "Landlock: Function not implemented"),
        ("no-seccomp", {"calls"}, "seccomp filter: Invalid argument"),
        ("no-namespaces", {"namespaces", "mounts", "proc"}, None),
    ],
)
def test_what_a_machine_lacks(
    hostile: HostileSet, monkeypatch: pytest.MonkeyPatch, name: str, lacks: set[str], reason: str | None
) -> None:
    """What is missing is found, and what is essential is not done without."""
    monkeypatch.setattr(sandbox, "_host", lambda: hostile.kernel(name))
    found = sandbox.detect_protections.__wrapped__()
    assert {protection.name for protection in found if not protection.available} == lacks
    if reason is None:
        with launch_program([str(hostile.program), "segfault"], SMALL, cpu_time_s=1) as process:
            assert fate(lambda: line(process))[:2] == (Fault.CRASH, "killed by SIGSEGV")
    else:
        with pytest.raises(SandboxUnavailable, match=reason):
            launch_program([str(hostile.program), "segfault"], SMALL, cpu_time_s=1)


def test_a_missing_host_is_reported(hostile: HostileSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine for which there is no host, nothing is available and foreign code is refused."""
    monkeypatch.setattr(sandbox, "_host", lambda: hostile.folder / "nothing")
    assert not any(protection.available for protection in sandbox.detect_protections.__wrapped__())
    with pytest.raises(SandboxUnavailable, match=r"the host of foreign code does not start: .*No such file"):
        launch_program([str(hostile.program), "segfault"], SMALL, cpu_time_s=1)


@pytest.mark.parametrize("jailed", [True, False])
def test_a_killed_parent_leaves_nothing_running(hostile: HostileSet, jailed: bool) -> None:
    """After kill -9 of the calling process everything foreign ends by itself."""
    marker = uuid.uuid4().hex
    code = (
        "import sys, time; from fourfall.agents.base import Conditions; from fourfall.agents.sandbox import launch_program\n"
        "p = launch_program([sys.argv[1], 'stay', sys.argv[2]], Conditions(sandbox=sys.argv[3] == '1'), cpu_time_s=9)\n"
        "p.read_line(time.perf_counter() + 10); print('up', flush=True); time.sleep(60)"
    )
    words = [str(hostile.program), marker, str(int(jailed))]
    with subprocess.Popen([sys.executable, "-c", code, *words], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"up\n"
        assert len(running(marker)) > 3
        parent.send_signal(signal.SIGKILL)
    assert gone(marker)
