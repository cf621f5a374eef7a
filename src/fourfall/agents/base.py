"""Owns the contract of everything that plays: how it is asked, how it answers, and how it fails."""

import enum
from dataclasses import dataclass
from typing import Protocol

from fourfall._core import Board, Score


class Fault(enum.StrEnum):
    """What an agent can do wrong besides an illegal move, which only the judge can see."""

    TIMEOUT = "timeout"
    CRASH = "crash"
    BROKEN_PROTOCOL = "broken protocol"
    CANNOT_LOAD = "cannot load"
    INTERFACE_MISSING = "interface missing"
    MEMORY_EXCEEDED = "memory exceeded"


class AgentError(Exception):
    """An agent that did not answer: the kind of fault, what happened in words, and how long it took.

    >>> failure = AgentError(Fault.CRASH, "killed by SIGSEGV", 0.25)
    >>> failure.fault, str(failure), failure.seconds
    (<Fault.CRASH: 'crash'>, 'killed by SIGSEGV', 0.25)
    """

    def __init__(self, fault: Fault, detail: str, seconds: float = 0.0) -> None:
        super().__init__(detail)
        self.fault = fault
        self.seconds = seconds


@dataclass(frozen=True)
class AgentMove:
    """A move as it was given, legal or not; agents that name a cell give its row too, counted from the top."""

    column: int
    seconds: float
    row: int | None = None
    score: Score | None = None


@dataclass(frozen=True)
class Conditions:
    """The conditions under which an agent plays a game.

    `startup_time_s` limits its start, which is measured apart from its moves. `memory_mb` caps a foreign agent's memory.
    `sandbox` asks for foreign code to be jailed. `seed` makes an engine's moves repeatable under a limit in nodes.
    """

    move_time_s: float = 3.0
    startup_time_s: float = 10.0
    memory_mb: int = 1024
    sandbox: bool = True
    seed: int = 0


class Agent(Protocol):
    """Anything that plays one game: started once, asked for moves, closed once, also after a failure.

    `start` and `play` raise AgentError and nothing else when the agent misbehaves; `play` never takes noticeably
    longer than the limit. `close` leaves nothing running. `stderr` is what the agent last wrote there, at most 64 KB.
    """

    @property
    def stderr(self) -> str:
        """What the agent last wrote to its error output; empty for agents that have none."""
        ...

    def start(self, board: Board) -> float:
        """Get ready for a game that begins at this board, with its opening moves; the seconds it took."""
        ...

    def play(self, board: Board) -> AgentMove:
        """AgentMove with a move for the side to move. The board is the agent's to read, not to change."""
        ...

    def close(self) -> None:
        """End the agent and everything that it started."""
        ...
