"""Owns what agents in a process of their own have in common: the process, the clock on it, and its last words."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from fourfall._core import Board
from fourfall.agents import protocol
from fourfall.agents.base import AgentError, AgentMove, Conditions, Fault
from fourfall.agents.protocol import Cell
from fourfall.agents.sandbox import Process

_BUSY_THREADS = 4
_TROUBLES = {
    "cannot load": (Fault.CANNOT_LOAD, "{}"),
    "interface missing": (Fault.INTERFACE_MISSING, "there is no {}"),
    "exception": (Fault.CRASH, "exception: {}"),
    "memory exceeded": (Fault.MEMORY_EXCEEDED, "out of memory"),
    "broken answer": (Fault.BROKEN_PROTOCOL, "{}"),
}


class ThirdPartyAgent(ABC):
    """An agent in a jailed process of its own: launched and greeted at the start, asked before each move."""

    def __init__(self, conditions: Conditions) -> None:
        self.conditions = conditions
        self._process: Process | None = None
        self._closed = False

    @property
    def stderr(self) -> str:
        """What the process last wrote to its error output."""
        return "" if self._process is None else self._process.stderr

    def start(self, board: Board) -> float:
        """Launch the process and get it ready; the seconds it took."""
        begun = time.perf_counter()
        with _clocked(begun):
            self._process = self._launch(cpu_s(board, self.conditions))
            self._greet(self._process, board, begun + self.conditions.startup_time_s)
        return time.perf_counter() - begun

    def play(self, board: Board) -> AgentMove:
        """Ask for a move and wait for it, no longer than the limit."""
        if self._process is None or self._closed:
            raise RuntimeError("this agent was not started, or is closed")
        asked = time.perf_counter()
        with _clocked(asked):
            answer = self._ask(self._process, board, asked + self.conditions.move_time_s)
        # The answer had come when the deadline was looked at; that this process was then held up is not its fault.
        seconds = min(time.perf_counter() - asked, self.conditions.move_time_s)
        return AgentMove(answer.column, seconds, answer.row, answer.score)

    def close(self) -> None:
        """Kill the process with everything that it started."""
        if self._process is None or self._closed:
            return
        self._closed = True
        try:
            self._part(self._process)
        finally:
            self._process.close()

    @abstractmethod
    def _launch(self, cpu_s: float) -> Process:
        """Start the process with so many seconds of processor time."""

    @abstractmethod
    def _greet(self, process: Process, board: Board, deadline: float) -> None:
        """Say what has to be said before the first question, and wait until it is ready if it says so."""

    @abstractmethod
    def _ask(self, process: Process, board: Board, deadline: float) -> AgentMove:
        """Ask for a move; the answer's time is measured by the caller."""

    def _part(self, process: Process) -> None:  # noqa: B027 (most kinds just end)
        """Say good-bye, where the protocol has a word for it."""


def cpu_s(board: Board, conditions: Conditions) -> float:
    """Return the processor time that an honest agent cannot use up in a game from this board.

    It may think in a few threads and during every move of its own.
    """
    moves = (board.geometry.cells - board.ply + 1) // 2
    return _BUSY_THREADS * (conditions.startup_time_s + moves * conditions.move_time_s)


def read_framed(process: Process, deadline: float, longest: int = protocol.LONGEST_ANSWER) -> bytes:
    """Read an answer with its length before it."""
    length = protocol.answer_length(process.read_exactly(4, deadline), longest)
    try:
        return process.read_exactly(length, deadline)
    except AgentError as failure:
        if failure.fault is not Fault.TIMEOUT:
            raise
        raise AgentError(Fault.TIMEOUT, f"an answer of {length} bytes was begun and not finished in time") from None


def expect_ready(process: Process, deadline: float) -> None:
    """Wait for the word `ready` of a host that runs foreign code for us."""
    if (body := hosted_answer(process, deadline)) != b"ready":
        raise AgentError(Fault.BROKEN_PROTOCOL, f"the host said {protocol.shown(body)} instead of 'ready'")


def hosted_answer(process: Process, deadline: float) -> bytes:
    """Read what a host answers for the foreign code in it; its word of trouble, `! kind detail`, is raised."""
    body = read_framed(process, deadline, longest=4096)
    if body.startswith(b"! "):
        text = " ".join(body[2:].decode(errors="replace").split())
        for kind, (fault, detail) in _TROUBLES.items():
            if text.startswith(kind):
                raise AgentError(fault, detail.format(text.removeprefix(kind).strip()))
    return body


def cell_answer(cell: Cell) -> AgentMove:
    """Make an answer of a cell that an agent named."""
    return AgentMove(column=cell[1], row=cell[0], seconds=0.0)


@contextmanager
def _clocked(begun: float) -> Iterator[None]:
    """Write into a failure how long it took."""
    try:
        yield
    except AgentError as failure:
        failure.seconds = time.perf_counter() - begun
        raise
