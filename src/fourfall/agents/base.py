"""Defines `Agent`, the protocol of everything that plays, with its moves, its faults and its conditions."""

import enum
from dataclasses import dataclass
from typing import Protocol

from fourfall._core import Board, Limit, Score


class Fault(enum.StrEnum):
    """Why an agent gave no move. Illegal moves are not listed here: the judge detects them.

    STOPPED means that the caller ended a third-party agent with `Agent.stop`; it is not a fault of the agent.
    """

    TIMEOUT = "timeout"
    CRASH = "crash"
    BROKEN_PROTOCOL = "broken protocol"
    CANNOT_LOAD = "cannot load"
    INTERFACE_MISSING = "interface missing"
    MEMORY_EXCEEDED = "memory exceeded"
    STOPPED = "stopped"


class AgentError(Exception):
    """An agent gave no move: the kind of fault, a description and the time until the failure in seconds.

    >>> failure = AgentError(Fault.CRASH, "killed by SIGSEGV", 0.25)
    >>> failure.fault, str(failure), failure.seconds
    (<Fault.CRASH: 'crash'>, 'killed by SIGSEGV', 0.25)
    """

    def __init__(self, fault: Fault, detail: str, seconds: float = 0.0) -> None:
        super().__init__(detail)
        self.fault = fault
        self.seconds = seconds
        self.delay_s = 0.0  # time that the machine withheld from the agent and that was given back before the failure


@dataclass(frozen=True)
class AgentMove:
    """A move as the agent gave it; it may be illegal.

    `column` counts from 0. `row`, counted from the top, is None for agents that name only a column. `score` is the
    agent's evaluation for the side to move, or None. `delay_s` is not 0 if the move came after its time limit, but the
    machine had withheld processor time from the agent for this long; `seconds` is the time without it.
    """

    column: int
    seconds: float
    row: int | None = None
    score: Score | None = None
    delay_s: float = 0.0


@dataclass(frozen=True)
class Conditions:
    """The conditions under which an agent plays one game.

    `startup_time_s` limits `Agent.start`, which does not count towards the time per move. `memory_mb` limits the memory
    of a third-party agent. `sandbox` says whether third-party code runs in the sandbox. `seed` makes the moves of a
    built-in engine reproducible when a number of simulations limits its search. `ponder` says whether a third-party
    agent may think on the opponent's time; otherwise it is frozen between its moves. `core` pins a third-party agent to
    a processor core; None leaves it on those of the calling process.
    """

    move_time_s: float = 3.0
    startup_time_s: float = 10.0
    memory_mb: int = 1024
    sandbox: bool = True
    seed: int = 0
    ponder: bool = False
    core: int | None = None


class Agent(Protocol):
    """Anything that plays one game.

    The caller calls `start` once, `play` for every move and `close` once, also after a failure. When the agent
    misbehaves, `start` and `play` raise AgentError and no other exception. Calls of `start`, `play` and `close` must
    not overlap; `stop` may be called from any thread at any time.
    """

    @property
    def stderr(self) -> str:
        """The last 64 KB that the agent wrote to its standard error; empty for agents without one."""
        ...

    def start(self, board: Board) -> float:
        """Prepare for a game that begins at `board` (with its opening moves); return the seconds it took."""
        ...

    def play(self, board: Board, limit: Limit | None = None) -> AgentMove:
        """Return a move for the side to move; `board` is not changed.

        `limit.time` replaces the conditions' time per move for this call; without it the conditions hold. Built-in
        engines also keep to `limit.simulations`; third-party agents ignore it. The call never takes noticeably longer
        than the time per move.
        """
        ...

    def stop(self) -> None:
        """End the running `play`; if none is running, end the next one as soon as it begins. Does not wait.

        So one call after `play` was handed to another thread is enough, even if that thread has not begun yet. A
        built-in engine returns its best move so far and can play again. A third-party agent is killed: its running or
        next `start` or `play`, and every later one, raises AgentError with Fault.STOPPED, and only `close` remains. A
        move that has already arrived is returned.
        """
        ...

    def close(self) -> None:
        """End the agent and all processes that it started. May be called several times, and without `start`."""
        ...
