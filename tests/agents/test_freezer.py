"""Tests of freezing: an agent takes no processor time on its opponent's turn, whatever it tries, in every mode."""

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from fourfall.agents import sandbox
from fourfall.agents.base import Conditions, Fault
from fourfall.agents.sandbox import Process, launch_program
from fourfall.agents.sandbox.host_process import HostProcess
from tests.agents.conftest import catch_failure, read_line, wait_until_gone
from tests.marks import needs_sandbox
from tests.processes import find_processes, wait_until

pytestmark = needs_sandbox

# Sandbox and options of the host: each way to freeze, with namespaces and without.
MODES = {
    "cgroup v2": (True, ("--cgroups", "2")),
    "cgroup v1": (True, ("--cgroups", "1")),
    "cgroup v2 without namespaces": (True, ("--cgroups", "2", "--no-namespaces")),
    "signals": (True, ("--cgroups", "none")),
    "signals without namespaces": (True, ("--cgroups", "none", "--no-namespaces")),
    "no sandbox": (False, ()),
    "signals without sandbox": (False, ("--cgroups", "none")),
}
FROZEN_S = 0.1


def has_cgroup(version: str, controller: str = "freezer") -> bool:
    """Return whether this user can create cgroups of this version."""
    if version == "2":
        return any(row.name == controller and row.detail.endswith("2") for row in sandbox.detect_protections())
    return os.access(f"/sys/fs/cgroup/{controller}", os.W_OK)


@pytest.fixture(params=MODES, ids=lambda mode: mode.replace(" ", "-"))
def conditions(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Conditions:
    """Run a test in every mode that this machine offers."""
    has_sandbox, options = MODES[request.param]
    if "none" not in options and options and not has_cgroup(options[1]):
        pytest.skip(f"no cgroup of version {options[1]} can be created")
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", options)
    return Conditions(memory_mb=128, sandbox=has_sandbox)


@pytest.fixture(scope="module")
def spinner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the program that computes all the time."""
    path = tmp_path_factory.mktemp("spinner") / "spinner"
    subprocess.run(
        ["g++", "-std=c++20", "-O1", "-pthread", Path(__file__).with_name("spinner.cpp"), "-o", path], check=True
    )
    return path


@pytest.fixture
def marker(spinner: Path) -> Iterator[str]:
    """Return a word for the command line of a process; check afterwards that nothing is left of it."""
    word = uuid.uuid4().hex
    yield word
    assert wait_until_gone(word)
    # Another run of the tests on this machine may have killed a host; its next start removes the group.
    assert wait_until(lambda: list_abandoned_groups() == [])


def list_abandoned_groups() -> list[str]:
    """Return the cgroups of agents whose hosts have ended; the last parts of a name are the host and its start time."""
    groups = [folder.name for folder in Path("/sys/fs/cgroup").glob("**/fourfall-*") if folder.is_dir()]
    return [name for name in groups if not Path(f"/proc/{name.split('-')[2]}").exists()]


def start(spinner: Path, mode: str, marker: str, conditions: Conditions) -> Process:
    """Start the program and wait until it computes."""
    process = launch_program([str(spinner), mode, marker], conditions, cpu_time_s=60)
    assert read_line(process) == "done"
    return process


def ask(process: Process) -> str:
    """Send a question and read the answer."""
    return process.read_line(process.ask(b"go\n", 10)).decode()


def read_cpu_times(marker: str) -> dict[int, int]:
    """Return the processor time in ns of each thread of the third-party processes with this marker."""
    times = {}
    for process in find_processes(marker):
        try:
            if b"fourfall-host" in Path(f"/proc/{process}/cmdline").read_bytes():
                continue
            for thread in Path(f"/proc/{process}/task").iterdir():
                times[int(thread.name)] = int((thread / "schedstat").read_text().split()[0])
        except OSError:
            continue  # it has ended
    return times


@pytest.mark.parametrize("mode", ["threads", "children", "new-processes", "vfork", "continue"])
def test_a_frozen_agent_takes_no_processor_time(spinner: Path, marker: str, conditions: Conditions, mode: str) -> None:
    """All threads and processes stand still, no new ones appear, and after thawing the agent answers again."""
    if not conditions.sandbox and mode == "continue":
        pytest.skip("only the sandbox refuses these signals")
    with start(spinner, mode, marker, conditions) as process:
        for _ in range(2):
            process.freeze()
            before = read_cpu_times(marker)
            time.sleep(FROZEN_S)
            after = read_cpu_times(marker)
            assert before
            assert after.keys() == before.keys()
            # The kernel adds the last microseconds of a thread shortly after it is frozen.
            assert sum(after.values()) - sum(before.values()) < 1_000_000
            process.thaw()
            assert ask(process) == "done"
        assert isinstance(process, HostProcess)
        usage = process.freeze_and_measure()
        assert usage is not None
        assert usage.cpu_s > 0
        assert usage.frozen_at < time.perf_counter()


def test_a_frozen_agent_is_ended_at_once(spinner: Path, marker: str, conditions: Conditions) -> None:
    """Closing ends frozen processes, without waiting for a limit."""
    process = start(spinner, "children", marker, conditions)
    process.freeze()
    begin = time.perf_counter()
    process.close()
    assert time.perf_counter() - begin < 25  # the limit of a freezing that fails is 30 s
    assert find_processes(marker) == []


@pytest.mark.parametrize("victim", ["caller", "host", "both"])
@pytest.mark.parametrize("mode", ["cgroup v2", "cgroup v1", "signals"])
def test_killing_ends_frozen_agents(
    spinner: Path, marker: str, monkeypatch: pytest.MonkeyPatch, mode: str, victim: str
) -> None:
    """After kill -9 of the caller, of the host or of both, no frozen process remains."""
    options = MODES[mode][1]
    if mode != "signals" and not has_cgroup(options[1]):
        pytest.skip(f"no cgroup of version {options[1]} can be created")
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", options)
    code = (
        "import sys, time\n"
        "from fourfall.agents import sandbox\n"
        "from fourfall.agents.base import Conditions\n"
        "sandbox.HOST_OPTIONS = tuple(sys.argv[3:])\n"
        "process = sandbox.launch_program([sys.argv[1], 'children', sys.argv[2]], Conditions(), cpu_time_s=9)\n"
        "process.read_line(time.perf_counter() + 10); process.freeze(); print(process.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(spinner), marker, *options], stdout=subprocess.PIPE
    ) as caller:
        assert caller.stdout is not None
        host = int(caller.stdout.readline())
        if victim in ("host", "both"):
            os.kill(host, signal.SIGKILL)
        if victim == "host":
            assert wait_until_gone(f"{spinner}\0children")
        caller.kill()
    assert wait_until_gone(marker)
    # The next start removes groups that a killed host left behind.
    launch_program(["/bin/true"], Conditions(), cpu_time_s=9).close()


def test_an_agent_that_dies_while_frozen_is_reported(spinner: Path, marker: str, conditions: Conditions) -> None:
    """The next question fails with the signal that killed the process."""
    with start(spinner, "children", marker, conditions) as process:
        process.freeze()
        os.kill(min(pid for pid in find_processes(marker) if pid in read_cpu_times(marker)), signal.SIGKILL)
        process.thaw()
        fault, detail, _ = catch_failure(lambda: ask(process))
        assert (fault, detail) == (Fault.CRASH, "killed by SIGKILL")


def test_a_sleeper_is_not_delayed(spinner: Path, marker: str, conditions: Conditions) -> None:
    """A process that sleeps past its deadline gets a timeout, because the machine withheld nothing from it."""
    with start(spinner, "sleep", marker, conditions) as process:
        fault, detail, seconds = catch_failure(lambda: process.read_line(time.perf_counter() + 0.2))
        assert (fault, detail[:34]) == (Fault.TIMEOUT, "no answer within 0.200 s; it used ")
        assert seconds >= 0.19
