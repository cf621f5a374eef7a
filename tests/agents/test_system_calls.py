"""Tests of system calls that the sandbox refuses: other processes, file notification, buffers, capabilities."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fourfall import Board
from fourfall.agents import sandbox
from fourfall.agents.base import Conditions, Fault
from fourfall.agents.registry import open_agent
from fourfall.agents.sandbox import launch_library, launch_program
from tests.agents.conftest import SMALL, HostileAgents, ask_library, catch_failure, read_line, start_library
from tests.marks import needs_sandbox

pytestmark = [
    pytest.mark.usefixtures("no_scratch_left", "no_process_left"),
    needs_sandbox,
]
REFUSED = "Operation not permitted"


@pytest.fixture(params=[(), ("--no-namespaces",)], ids=["sandbox", "without-namespaces"])
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """Run a test with namespaces and without."""
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", request.param)
    options: tuple[str, ...] = request.param
    return options


@pytest.fixture
def other_process() -> Iterator[int]:
    """Start a process outside the sandbox, of the user that runs third-party code; return its id."""
    user = 65534 if os.geteuid() == 0 else None
    with subprocess.Popen(["sleep", "60"], user=user) as process:
        yield process.pid
        process.kill()


def run_program(hostile: HostileAgents, action: str, target: object = "") -> dict[str, str]:
    """Perform an action of the hostile program; return the result of each attempt."""
    with launch_program([str(hostile.program), action, f"to:{target}"], SMALL, cpu_time_s=10) as process:
        assert read_line(process) == "done"
        process.close()
    return dict(row.split(":", 1) for row in process.stderr.replace(": ", ":").splitlines())


def run_library(hostile: HostileAgents, action: str, target: object = "") -> dict[str, str]:
    """Perform an action of the hostile library; return the result of each attempt."""
    with start_library(launch_library(hostile.library(action, target), SMALL, cpu_time_s=10)) as process:
        assert ask_library(process) == "5 2"
        process.close()
    return dict(row.split(":", 1) for row in process.stderr.replace(": ", ":").splitlines())


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("run", [run_program, run_library], ids=["program", "library"])
def test_other_processes_keep_limits_and_priorities(
    hostile: HostileAgents, other_process: int, run: Callable[[HostileAgents, str, object], dict[str, str]]
) -> None:
    """Limits and priorities of other processes cannot be changed, those of the own process can."""
    results = run(hostile, "change-processes", other_process)
    assert len(results) == 15
    for what, result in results.items():
        assert result == ("succeeded" if what.startswith("own") else REFUSED), what


@pytest.mark.usefixtures("mode")
def test_signals_of_a_library_reach_only_itself(hostile: HostileAgents, other_process: int) -> None:
    """The filter refuses signals to all other process ids."""
    results = run_library(hostile, "signal-other", other_process)
    assert list(results.values()) == [REFUSED] * 6


def test_signals_without_namespaces_reach_only_the_own_process(
    hostile: HostileAgents, other_process: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that may not fork cannot send signals to other processes either."""
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", ("--no-namespaces",))
    results = run_program(hostile, "signal-other", other_process)
    assert list(results.values()) == [REFUSED] * 6


@pytest.mark.usefixtures("mode")
def test_files_cannot_be_watched(hostile: HostileAgents) -> None:
    """The calls of inotify, fanotify and dnotify are refused."""
    for run in (run_program, run_library):
        results = run(hostile, "watch-files")
        assert list(results.values()) == [REFUSED] * 5


@pytest.mark.usefixtures("mode")
def test_buffers_of_the_kernel_cannot_be_enlarged(hostile: HostileAgents) -> None:
    """Only programs can create socket pairs, and neither they nor libraries can change the size of buffers."""
    for run, allowed in ((run_program, ["socket pair"]), (run_library, [])):
        results = run(hostile, "enlarge-buffers")
        assert len(results) == 9
        assert [what for what, result in results.items() if result == "succeeded"] == allowed
        assert {result for what, result in results.items() if what not in allowed} == {REFUSED}


@pytest.mark.skipif(
    not any(protection.name == "proc" and protection.is_available for protection in sandbox.detect_protections()),
    reason="memory is measured only with a private /proc",
)
def test_buffers_of_sockets_count_as_memory(hostile: HostileAgents) -> None:
    """Processes that together fill more socket buffers than the memory limit are ended."""
    with launch_program([str(hostile.program), "fill-sockets"], SMALL, cpu_time_s=10) as process:
        assert catch_failure(lambda: read_line(process))[0] == Fault.MEMORY_EXCEEDED


@pytest.mark.usefixtures("mode")
def test_only_the_capability_to_read_private_folders_is_kept(hostile: HostileAgents) -> None:
    """In a private folder of root one capability remains, which does not open the kernel's tables."""
    results = run_program(hostile, "show-capabilities")
    assert "readable" not in results
    kept = {0, 4} if os.geteuid() == 0 else {0}
    assert {int(results[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} <= kept
    if os.geteuid() == 0:
        assert int(results["CapBnd"], 16) == 0


def test_asyncio_multiprocessing_and_threads_work(tmp_path: Path, mode: tuple[str, ...]) -> None:
    """Honest uses of the restricted calls: an event loop, processes, a worker thread, own limits and priority."""
    processes = (
        "from multiprocessing import Pipe, Process\n"
        "def work(end): end.send(1)\n"
        "def parallel():\n"
        "    ends = Pipe()\n"
        "    child = Process(target=work, args=(ends[1],)); child.start()\n"
        "    answer = ends[0].recv(); child.join(); return answer\n"
    )
    (tmp_path / "bot.py").write_text(
        "import asyncio, os, resource\n"
        f"{'def parallel(): return 1' if mode else processes}\n"
        "async def think():\n"
        "    await asyncio.sleep(0.001)\n"
        "    return await asyncio.get_running_loop().run_in_executor(None, lambda: 2)\n"
        "def play(board, limit):\n"
        "    os.nice(1)\n"
        "    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"
        "    return asyncio.run(think()) + parallel()\n"
    )
    agent = open_agent(f"python:{tmp_path}/bot.py", Conditions(move_time_s=10.0, startup_time_s=20.0, memory_mb=400))
    try:
        board = Board.parse("6x7@3,0")
        agent.start(board.copy())
        assert agent.play(board).column == 3, agent.stderr
    finally:
        agent.close()
