"""Tests of fair timing: no agent slows its opponent, and a busy machine or judge does not make an agent lose."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall import Board
from fourfall.agents import sandbox
from fourfall.agents.base import Conditions
from fourfall.agents.registry import open_agent
from fourfall.agents.sandbox.host_process import HostProcess
from fourfall.arena.game import MAX_REPEATS, ScheduledGame, Seat, play_game
from fourfall.arena.judge import Ending
from fourfall.arena.record import GameRecord
from fourfall.arena.record_check import check_record
from tests.marks import needs_sandbox
from tests.processes import find_processes

pytestmark = needs_sandbox

CONDITIONS = Conditions(move_time_s=0.25, startup_time_s=20.0, memory_mb=300)


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of the program, without its arguments."""
    path = tmp_path_factory.mktemp("fairness") / "bot"
    source = Path(__file__).with_name("fairness_bot.cpp")
    subprocess.run(["g++", "-std=c++20", "-O1", "-pthread", source, "-o", path], check=True)
    return f"program:{path}"


@pytest.fixture
def core() -> Iterator[int]:
    """Pin this process, and so the agents that it starts, to one core, like a worker of an event."""
    before = os.sched_getaffinity(0)
    one = max(before)
    os.sched_setaffinity(0, {one})
    yield one
    os.sched_setaffinity(0, before)


@contextmanager
def keep_busy(core: int, processes: int) -> Iterator[None]:
    """Run processes on a core that compute all the time."""
    code = f"import os; os.sched_setaffinity(0, {{{core}}}); print(flush=True)\nwhile True: pass"
    started = [subprocess.Popen([sys.executable, "-S", "-c", code], stdout=subprocess.PIPE) for _ in range(processes)]
    try:
        for process in started:
            assert process.stdout is not None
            process.stdout.readline()
        yield
    finally:
        for process in started:
            process.kill()
            process.communicate()


def play(first: str, second: str, conditions: Conditions = CONDITIONS, others: Conditions | None = None) -> GameRecord:
    """Play one game on an empty board: the first player wins with its fourth move if both play their column."""
    seats = (Seat("first", first, conditions), Seat("second", second, others or conditions))
    return play_game(ScheduledGame(0, 0, seats, "6x7"), open_agent)


@pytest.mark.parametrize(
    ("has_sandbox", "options"),
    [
        (True, ()),
        (True, ("--cgroups", "none")),
        (True, ("--cgroups", "none", "--no-namespaces")),
        (False, ("--cgroups", "none")),
    ],
    ids=["cgroup", "signals", "signals-without-namespaces", "no-sandbox"],
)
def test_a_spinner_cannot_slow_its_opponent(
    bot: str, core: int, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], has_sandbox: bool
) -> None:
    """Eight processes that compute all the time do not make an honest opponent on the same core late."""
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", options)
    conditions = replace(CONDITIONS, sandbox=has_sandbox)
    # The spinner has more time: its own processes keep it from answering.
    record = play(f"{bot} 0 50 0 0", f"{bot} 1 0 0 8", conditions, replace(conditions, move_time_s=10.0))
    assert (record.ending, record.winner) == (Ending.WIN, 0), record.detail


def test_a_busy_machine_does_not_convict(bot: str, core: int) -> None:
    """An honest agent whose moves come late because it gets a part of a core does not lose; the record says so."""
    with keep_busy(core, 4):
        record = play(f"{bot} 0 250 0 0", f"{bot} 1 0 0 0", replace(CONDITIONS, move_time_s=0.3))
    assert (record.ending, record.winner) == (Ending.WIN, 0), record.detail
    # How often the game is repeated depends on the other processes: an attempt may happen to get enough time.
    assert 1 <= record.repeats <= MAX_REPEATS
    assert max(record.times_ms[::2]) <= 300
    if record.repeats == MAX_REPEATS:  # the last attempt counts, whatever its delay was
        assert record.delays_ms[0] > 0
    check_record(record)
    assert GameRecord.from_json(record.to_json()) == record


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [("0 0 5000 0", "a sleeper"), ("0 5000 0 0", "one thread"), ("0 5000 0 6", "own processes")],
)
def test_a_busy_machine_does_not_excuse(bot: str, core: int, arguments: str, reason: str) -> None:
    """An agent that sleeps, computes for too long or keeps its own core busy loses by timeout, without a repeat."""
    with keep_busy(core, 2):
        record = play(f"{bot} {arguments}", "level-2", replace(CONDITIONS, move_time_s=0.1))
    assert (record.ending, record.culprit) == (Ending.TIMEOUT, 0), reason
    assert record.detail.startswith("no answer within 0.100 s; it used 0.")
    assert record.repeats == 0


def test_a_delayed_judge_does_not_convict(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the judge stands still before it sends a question, the agent's time has not begun."""
    write = HostProcess.write

    def write_late(self: HostProcess, data: bytes, deadline: float) -> bool:
        time.sleep(0.3)
        return write(self, data, deadline)

    monkeypatch.setattr(HostProcess, "write", write_late)
    record = play(f"{bot} 0 0 0 0", f"{bot} 1 0 0 0")
    assert (record.ending, record.winner, record.repeats) == (Ending.WIN, 0, 0), record.detail


def test_a_pause_of_the_machine_does_not_convict(bot: str) -> None:
    """If judge and agent stand still for a while, as in a paused virtual machine, the time is given back."""
    code = (
        "import sys\n"
        "from fourfall import Board\n"
        "from fourfall.agents.base import Conditions\n"
        "from fourfall.agents.registry import open_agent\n"
        "agent = open_agent(sys.argv[1], Conditions(move_time_s=0.8))\n"
        "agent.start(Board(6, 7)); print('ready', flush=True)\n"
        "move = agent.play(Board(6, 7)); agent.close()\n"
        "print(move.seconds, move.delay_s)"
    )
    program = bot.removeprefix("program:")
    with subprocess.Popen([sys.executable, "-c", code, f"{bot} 0 400 0 0"], stdout=subprocess.PIPE, text=True) as judge:
        assert judge.stdout is not None
        assert judge.stdout.readline() == "ready\n"
        time.sleep(0.2)
        agents = [pid for pid in find_processes(program, "400") if is_running_program(pid, program)]
        for number in (signal.SIGSTOP, signal.SIGCONT):
            for process in (judge.pid, *agents):
                os.kill(process, number)
            time.sleep(0.7)
        seconds, delay_s = map(float, judge.stdout.read().split())
    assert agents
    assert seconds <= 0.8
    assert delay_s > 0.3


def is_running_program(process: int, program: str) -> bool:
    """Return whether a process runs this program itself."""
    with contextlib.suppress(OSError):
        return str(Path(f"/proc/{process}/exe").readlink()) == program
    return False


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="pondering needs two cores")
def test_pondering_agents_have_their_own_cores(bot: str) -> None:
    """With `ponder` an agent computes on its opponent's turn, but on another core."""
    first, second = sorted(os.sched_getaffinity(0))[:2]
    conditions = replace(CONDITIONS, ponder=True, move_time_s=10.0)
    program = bot.removeprefix("program:")
    seen: list[tuple[list[int], list[set[int]]]] = []

    def look(_: Board) -> None:
        spinners = [pid for pid in find_processes(program, "\0002\0") if is_running_program(pid, program)]
        seen.append(([read_cpu_ns(pid) for pid in spinners], [os.sched_getaffinity(pid) for pid in spinners]))

    seats = (
        Seat("first", f"{bot} 0 0 200 0", replace(conditions, core=first)),
        Seat("second", f"{bot} 1 0 0 2", replace(conditions, core=second)),
    )
    before = os.sched_getaffinity(0)
    try:
        record = play_game(ScheduledGame(0, 0, seats, "6x7"), open_agent, look)
    finally:
        os.sched_setaffinity(0, before)
    assert (record.ending, record.winner, record.ponder) == (Ending.WIN, 0, True), record.detail
    assert all(cores == {second} for _, affinities in seen for cores in affinities)
    # Moves 2, 4 and 6 are the spinner's; between them its opponent sleeps for 200 ms.
    assert sum(seen[2][0]) - sum(seen[1][0]) > 20_000_000


def read_cpu_ns(process: int) -> int:
    """Return the processor time of the first thread of a process."""
    return int(Path(f"/proc/{process}/schedstat").read_text(encoding="ascii").split()[0])


@pytest.mark.parametrize("address", ["fourfall?threads=2", "seed-002", "level-90"])
def test_built_in_engines_do_not_compute_on_the_opponents_turn(address: str) -> None:
    """After its move an engine uses no processor time, also with several threads."""
    agent = open_agent(address, Conditions(move_time_s=0.1))
    agent.start(Board(9, 10))
    agent.play(Board(9, 10))
    before = time.process_time()
    time.sleep(0.1)
    assert time.process_time() - before < 0.02
    agent.close()
