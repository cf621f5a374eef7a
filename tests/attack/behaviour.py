"""Attacks by behaviour: memory, processes that stay, and processor time that belongs to the opponent."""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from fourfall import Board
from fourfall.agents.base import AgentError, Conditions, Fault
from fourfall.agents.registry import open_agent
from tests.attack.hostile_kinds import HostileKinds
from tests.attack.levels import Level
from tests.processes import find_processes

BOARD = Board(6, 7)
CONDITIONS = Conditions(move_time_s=20.0, startup_time_s=20.0, memory_mb=400)
_WATCHED_S = 1.0
_MAX_IDLE_CPU_TIME_S = 0.02  # of an agent that is not to move


@dataclass(frozen=True)
class Behaviour:
    """An attack by behaviour: what it must lead to, and a function that returns what it led to."""

    subject: str
    name: str
    expected: str
    run: Callable[[HostileKinds, str, Level], str]


def list_behaviours(kind: str, level: Level) -> Iterator[Behaviour]:
    """Yield the attacks that a kind of agent can make at a level."""
    can_fork = kind != "library" and level.has_namespaces
    yield Behaviour("memory", "allocate", Fault.MEMORY_EXCEEDED, _fail_with("allocate"))
    if can_fork and level.has_proc:
        for action in ("allocate-in-children", "allocate-shared", "fill-sockets"):
            yield Behaviour("memory", action, Fault.MEMORY_EXCEEDED, _fail_with(action))
    yield Behaviour("daemons", "leave-children", "nothing is left", _leave_children)
    yield Behaviour("fork bomb", "fork-bomb", "at most 64 processes" if can_fork else "no process", _fork_repeatedly)
    yield Behaviour("starvation", "spin", "no processor time", _spin)


def _fail_with(action: str) -> Callable[[HostileKinds, str, Level], str]:
    def run(kinds: HostileKinds, kind: str, level: Level) -> str:
        # Together, children use more than 200 MiB. Without /proc an interpreter alone needs more address space.
        conditions = replace(CONDITIONS, sandbox=level.has_sandbox, memory_mb=200 if level.has_proc else 400)
        agent = open_agent(kinds.make_agent(kind, action), conditions, kinds.folder)
        try:
            agent.start(BOARD.copy())
            agent.play(BOARD.copy())
        except AgentError as failure:
            return str(failure.fault)
        finally:
            agent.close()
        return "a move"

    return run


def _leave_children(kinds: HostileKinds, kind: str, level: Level) -> str:
    _run_to_end(kinds, kind, "leave-children", level)
    left = find_processes(str(kinds.folder)) + find_processes(str(kinds.hostile.folder))
    return "nothing is left" if not left else f"{len(left)} processes are left"


def _fork_repeatedly(kinds: HostileKinds, kind: str, level: Level) -> str:
    stderr = _run_to_end(kinds, kind, "fork-bomb", level)
    made = next((int(line.removeprefix("made ")) for line in stderr.splitlines() if line.startswith("made ")), None)
    if made is None:
        return f"no report: {stderr[-200:]!r}"
    return "no process" if made == 0 else "at most 64 processes" if made <= 64 else f"{made} processes"


def _run_to_end(kinds: HostileKinds, kind: str, action: str, level: Level) -> str:
    """Run an action of an agent and close the agent; return its stderr."""
    conditions = replace(CONDITIONS, sandbox=level.has_sandbox)
    agent = open_agent(kinds.make_agent(kind, action), conditions, kinds.folder)
    try:
        agent.start(BOARD.copy())
        agent.play(BOARD.copy())
    except AgentError:  # most hostile agents do not speak the protocol
        pass
    finally:
        agent.close()
    return agent.stderr


def _spin(kinds: HostileKinds, kind: str, level: Level) -> str:
    """Let an agent start busy threads and processes during its move; measure them while it is not to move."""
    conditions = replace(CONDITIONS, sandbox=level.has_sandbox)
    agent = open_agent(kinds.make_agent(kind, "spin", answers=True), conditions, kinds.folder)
    try:
        agent.start(BOARD.copy())
        agent.play(BOARD.copy())
        time.sleep(0.05)  # the pause of the agent may begin after the answer
        used_s, begin, end = 0.0, _measure_cpu_time_s(kinds), time.monotonic() + _WATCHED_S
        while used_s <= _MAX_IDLE_CPU_TIME_S and time.monotonic() < end:
            time.sleep(0.1)
            used_s = _measure_cpu_time_s(kinds) - begin
    except AgentError as failure:
        return f"{failure.fault}: {failure}"
    finally:
        agent.close()
    return "no processor time" if used_s <= _MAX_IDLE_CPU_TIME_S else f"{used_s:.2f} s of processor time"


def _measure_cpu_time_s(kinds: HostileKinds) -> float:
    """Return the processor time of all processes of the hostile agents."""
    ticks = 0
    for process in {*find_processes(str(kinds.folder)), *find_processes(str(kinds.hostile.folder))}:
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
