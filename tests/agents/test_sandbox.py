"""Tests of the sandbox: third-party code cannot read, write or connect to anything, and leaves no process running."""

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
from fourfall.agents.permissions import Grant
from fourfall.agents.sandbox import SandboxUnavailable, launch_library, launch_program
from tests.agents.conftest import (
    HOST,
    SMALL,
    HostileAgents,
    ask_library,
    catch_failure,
    read_line,
    start_library,
    wait_until_gone,
)
from tests.marks import needs_sandbox
from tests.processes import find_processes

pytestmark = [
    pytest.mark.usefixtures("no_scratch_left", "no_process_left"),
    needs_sandbox,
]


def test_fork_bombs_are_limited_separately(hostile: HostileAgents) -> None:
    """Of 400 forks at most 64 succeed, the limit counts for each game alone, and all processes end with the game."""
    with (
        launch_program([str(hostile.program), "fork-bomb"], SMALL, cpu_time_s=10) as first,
        launch_program([str(hostile.program), "fork-bomb"], SMALL, cpu_time_s=10) as second,
    ):
        for process in (first, second):
            assert read_line(process) == "done"
        assert len(find_processes(str(hostile.program))) > 100
        first.close()
        second.close()
        counts = [int(process.stderr.removeprefix("made ")) for process in (first, second)]
    assert all(50 <= count <= 64 for count in counts)


def test_a_library_cannot_fork(hostile: HostileAgents) -> None:
    """Even the first fork of a library fails."""
    with start_library(launch_library(hostile.library("leave-children"), SMALL, cpu_time_s=10)) as process:
        assert ask_library(process) == "5 2"
        process.close()
    assert process.stderr == "fork: Operation not permitted\n"


@pytest.mark.parametrize("has_sandbox", [True, False])
def test_closing_ends_daemons(hostile: HostileAgents, has_sandbox: bool) -> None:
    """A grandchild in a new session has ended when the process is closed."""
    marker = uuid.uuid4().hex
    conditions = Conditions(memory_mb=128, sandbox=has_sandbox)
    with launch_program([str(hostile.program), "leave-children", marker], conditions, cpu_time_s=10) as process:
        assert read_line(process) == "done"
        assert len(find_processes(marker)) > 2
    assert find_processes(marker) == []


def test_closing_ends_a_chain_of_forking_processes(hostile: HostileAgents) -> None:
    """A chain of processes, each of which forks and exits, cannot escape the end of its sandbox."""
    marker = uuid.uuid4().hex
    with launch_program([str(hostile.program), "fork-and-exit", marker], SMALL, cpu_time_s=10) as process:
        assert read_line(process) == "done"
    for _ in range(20):
        assert find_processes(marker) == []


def test_without_namespaces_programs_cannot_fork(hostile: HostileAgents, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without namespaces it is not certain that children can be ended, so a program may not have any."""
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", ("--no-namespaces",))
    with launch_program([str(hostile.program), "leave-children"], SMALL, cpu_time_s=10) as process:
        assert read_line(process) == "done"
        process.close()
    assert process.stderr == "fork: Operation not permitted\n"


@pytest.mark.parametrize("has_sandbox", [True, False])
def test_children_end_with_their_parent(hostile: HostileAgents, has_sandbox: bool) -> None:
    """When a program exits, its children are ended, even before it is closed."""
    marker = uuid.uuid4().hex
    with launch_program(
        [str(hostile.program), "leave-children", marker], Conditions(sandbox=has_sandbox), cpu_time_s=10
    ) as process:
        assert read_line(process) == "done"
        process.write(b"q", time.perf_counter() + 1)
        failure = catch_failure(lambda: read_line(process))
        assert failure[:2] == (Fault.CRASH, "exited with code 0 instead of answering")
        assert wait_until_gone(marker)


def test_killing_the_host_ends_everything(hostile: HostileAgents) -> None:
    """After kill -9 of the host no process remains, and reading fails."""
    marker = uuid.uuid4().hex
    with launch_program([str(hostile.program), "leave-children-and-wait", marker], SMALL, cpu_time_s=10) as process:
        assert read_line(process) == "done"
        os.kill(process.pid, signal.SIGKILL)
        assert catch_failure(lambda: read_line(process))[:2] == (Fault.CRASH, "closed its output")
        assert wait_until_gone(marker)


def test_forbidden_system_calls_fail(hostile: HostileAgents, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sockets, tracing, new namespaces and others are refused, with namespaces and without."""
    for options in ((), ("--no-namespaces",)):
        monkeypatch.setattr(sandbox, "HOST_OPTIONS", options)
        with launch_program([str(hostile.program), "forbidden-calls"], SMALL, cpu_time_s=10) as process:
            assert read_line(process) == "done"
            process.close()
        results = dict(row.split(": ") for row in process.stderr.splitlines())
        assert len(results) == 12
        # Sending a signal to the first process of a PID namespace from inside succeeds without any effect.
        assert {call: result for call, result in results.items() if result != "Operation not permitted"} in (
            {},
            {"signal": "Success"},
        )


def test_no_descriptor_is_inherited(hostile: HostileAgents) -> None:
    """A program gets only its three standard streams, whatever numbers the host's pipes have."""
    code = (
        "import fcntl, os, subprocess, sys\n"
        "ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 100) for end in (*os.pipe(), *os.pipe())]\n"
        "stop, status = os.dup2(ends[0], int(sys.argv[1])), os.dup2(ends[3], int(sys.argv[2]))\n"
        "words = ['--control-fd', str(stop), '--status-fd', str(status), '--readable', sys.argv[4]]\n"
        "words += ['--', sys.argv[4], 'list-descriptors']\n"
        "subprocess.run([sys.argv[3], *words], pass_fds=(stop, status), stdin=subprocess.DEVNULL)"
    )
    for numbers in (("4", "5"), ("5", "3"), ("70", "7")):
        result = subprocess.run(
            [sys.executable, "-c", code, *numbers, str(HOST), str(hostile.program)], capture_output=True, check=True
        )
        assert (result.stdout, result.stderr) == (b"done\n", b"")


@pytest.mark.parametrize("options", [(), ("--no-namespaces",)], ids=["sandbox", "without-namespaces"])
@pytest.mark.parametrize("place", ["home", "own folder"])
def test_only_the_scratch_folder_is_writable(
    hostile: HostileAgents, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], place: str
) -> None:
    """Files at home and beside the program cannot be created, changed or removed; files in the scratch folder can."""
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", options)
    target = (Path.home() if place == "home" else hostile.folder) / f"fourfall-{uuid.uuid4().hex}"
    existing = Path(f"{target}-there")
    existing.write_text("as it was")
    before = existing.stat()
    try:
        with launch_program([str(hostile.program), "write-files", f"to:{target}"], SMALL, cpu_time_s=10) as process:
            assert read_line(process) == "done"
            process.close()
        results = dict(row.split(": ") for row in process.stderr.splitlines())
        assert len(results) == 8
        assert [what for what, result in results.items() if result == "succeeded"] == ["scratch"]
        assert existing.read_text() == "as it was"
        after = existing.stat()
        assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
    finally:
        existing.unlink()
    assert list(target.parent.glob(f"{target.name}*")) == []


@pytest.mark.parametrize("options", [(), ("--no-namespaces",)], ids=["sandbox", "without-namespaces"])
def test_only_the_own_file_is_readable(
    hostile: HostileAgents, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: tuple[str, ...]
) -> None:
    """A library reads no other file, not even beside it, unless the caller allows it."""
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", options)
    secret = tmp_path / "secret"
    secret.write_text("treasure")
    beside = hostile.library("read-file").parent / "beside"
    beside.write_text("treasure")
    for target, readable, content in (
        (secret, [], "nothing"),
        (beside, [], "nothing"),
        (beside, [Grant(beside, "by this test")], "treasure"),
        (beside, [Grant(beside.parent, "by this test")], "treasure"),
        (beside, [Grant(beside.parent, "by this test", is_list_only=True)], "nothing"),
    ):
        library = hostile.library("read-file", target)
        with start_library(launch_library(library, SMALL, cpu_time_s=10, readable=readable)) as process:
            assert ask_library(process) == "5 2"
            process.close()
        assert process.stderr == f"read: {content}\n"


def test_a_failed_set_up_is_refused(hostile: HostileAgents, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the set-up fails, no third-party code runs, and the message says what to do."""
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", ("--working-folder", "/nowhere"))
    with pytest.raises(SandboxUnavailable, match=r"/nowhere: No such file or directory; .*use --no-sandbox to run"):
        launch_program([str(hostile.program), "sleep"], SMALL, cpu_time_s=1)


@pytest.mark.parametrize(
    ("feature", "missing", "reason"),
    [
        ("no-landlock", {"files"}, "Landlock: Function not implemented"),
        ("no-seccomp", {"calls"}, "seccomp filter: Invalid argument"),
        ("no-namespaces", {"namespaces", "mounts", "proc"}, None),
    ],
)
def test_missing_protections_are_detected(
    hostile: HostileAgents, monkeypatch: pytest.MonkeyPatch, feature: str, missing: set[str], reason: str | None
) -> None:
    """Every missing protection is found, and without an essential one no code runs."""
    monkeypatch.setattr(sandbox, "_get_host_path", lambda: hostile.host_without(feature))
    found = sandbox.detect_protections.__wrapped__()
    # Cgroups depend on the user, not on these features.
    assert {row.name for row in found if not row.is_available} - {"freezer", "memory"} == missing
    if reason is None:
        with launch_program([str(hostile.program), "segfault"], SMALL, cpu_time_s=1) as process:
            assert catch_failure(lambda: read_line(process))[:2] == (Fault.CRASH, "killed by SIGSEGV")
    else:
        with pytest.raises(SandboxUnavailable, match=reason):
            launch_program([str(hostile.program), "segfault"], SMALL, cpu_time_s=1)


def test_a_missing_host_is_reported(hostile: HostileAgents, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the host no protection is available and third-party code is refused."""
    monkeypatch.setattr(sandbox, "_get_host_path", lambda: hostile.folder / "nothing")
    assert not any(protection.is_available for protection in sandbox.detect_protections.__wrapped__())
    with pytest.raises(SandboxUnavailable, match=r"the host of third-party code does not start: .*No such file"):
        launch_program([str(hostile.program), "segfault"], SMALL, cpu_time_s=1)


@pytest.mark.parametrize("has_sandbox", [True, False])
def test_killing_the_caller_ends_everything(hostile: HostileAgents, has_sandbox: bool) -> None:
    """After kill -9 of the calling process all third-party processes end."""
    marker = uuid.uuid4().hex
    code = (
        "import sys, time\n"
        "from fourfall.agents.base import Conditions\n"
        "from fourfall.agents.sandbox import launch_program\n"
        "words = [sys.argv[1], 'leave-children-and-wait', sys.argv[2]]\n"
        "process = launch_program(words, Conditions(sandbox=sys.argv[3] == '1'), cpu_time_s=9)\n"
        "process.read_line(time.perf_counter() + 10); print('up', flush=True); time.sleep(60)"
    )
    words = [str(hostile.program), marker, str(int(has_sandbox))]
    with subprocess.Popen([sys.executable, "-c", code, *words], stdout=subprocess.PIPE) as caller:
        assert caller.stdout is not None
        assert caller.stdout.readline() == b"up\n"
        assert len(find_processes(marker)) > 3
        caller.send_signal(signal.SIGKILL)
    assert wait_until_gone(marker)
