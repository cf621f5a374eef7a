"""Base class of agents that run third-party code in a sandboxed process: start, deadlines, stop, host replies."""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from fourfall._core import Board, Limit
from fourfall.agents import protocol
from fourfall.agents.base import AgentError, AgentMove, Conditions, Fault
from fourfall.agents.permissions import suggest_option
from fourfall.agents.sandbox import Launch, Process, SandboxUnavailable, launch

_BUSY_THREADS = 4
_MAX_HOST_REPLY_BYTES = 4096
_HOST_ERRORS = {
    "cannot load": (Fault.CANNOT_LOAD, "{}"),
    "interface missing": (Fault.INTERFACE_MISSING, "there is no {}"),
    "exception": (Fault.CRASH, "exception: {}"),
    "memory exceeded": (Fault.MEMORY_EXCEEDED, "out of memory"),
    "broken answer": (Fault.BROKEN_PROTOCOL, "{}"),
}


class ThirdPartyAgent(ABC):
    """An agent in a sandboxed process. Subclasses launch the process and speak its protocol.

    `stop` kills the process. The limit on processor time is computed from the conditions, so `play` should not get a
    limit much longer than the conditions' time per move.
    """

    _imports_from_folders = True  # a Python program lists the folder of a module to import it
    _extra_time_s = 0.0  # beyond the time per move, for the whole game

    def __init__(self, conditions: Conditions, folders: Sequence[Path]) -> None:
        self.conditions = conditions
        self._folders = folders  # where the agent probably expects its files
        self._process: Process | None = None
        self._is_closed = False
        self._lock = threading.Lock()  # guards `_is_stopped` and the creation of `_process`
        self._is_stopped = False

    @property
    def stderr(self) -> str:
        """The last 64 KB that the process wrote to its standard error."""
        return "" if self._process is None else self._process.stderr

    def start(self, board: Board) -> float:
        """Launch the process and wait until it is ready; return the seconds it took."""
        begin = time.perf_counter()
        with self._annotate_failures(begin):
            self._raise_if_stopped()
            cpu_time_s = compute_cpu_time_s(board, self.conditions, self._extra_time_s)
            process = launch(self.prepare(), self.conditions, cpu_time_s=cpu_time_s)
            with self._lock:
                self._process = process
            self._raise_if_stopped()
            # The set-up of the sandbox is not the agent's time.
            self._initialise(process, board, time.perf_counter() + self.conditions.startup_time_s)
            seconds = time.perf_counter() - begin
            if not self.conditions.ponder:
                process.freeze()
        return seconds

    def play(self, board: Board, limit: Limit | None = None) -> AgentMove:
        """Request a move and wait for it, at most for the time per move.

        The process is frozen before and after, unless the conditions let it ponder.
        """
        if self._is_closed:
            raise RuntimeError("this agent is closed")
        move_time_s = self.conditions.move_time_s if limit is None or limit.time is None else limit.time
        begin = time.perf_counter()
        with self._annotate_failures(begin):
            self._raise_if_stopped()
            process = self._process
            if process is None:
                raise RuntimeError("this agent is not started")
            if self.conditions.ponder:
                process.freeze()  # only to begin a measurement
            process.thaw()
            begin = time.perf_counter()
            move = self._request_move(process, board, move_time_s)
            # The move arrived before the deadline was checked; a delay of this process after that does not count.
            seconds = min(time.perf_counter() - begin - process.delay_s, move_time_s)
            if not self.conditions.ponder:
                process.freeze()
        return replace(move, seconds=seconds, delay_s=process.delay_s)

    def stop(self) -> None:
        """Kill the process; the running or next `start` or `play` raises AgentError with Fault.STOPPED."""
        with self._lock:
            self._is_stopped = True
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """End the process with all its children, and wait until they have ended."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._process is None:
            return
        try:
            self._announce_end(self._process)
        finally:
            self._process.close()

    @abstractmethod
    def prepare(self) -> Launch:
        """Return what `start` starts and what it may read, without starting it."""

    @abstractmethod
    def _initialise(self, process: Process, board: Board, deadline: float) -> None:
        """Send what comes before the first question; wait until the process is ready, where the protocol says so."""

    @abstractmethod
    def _request_move(self, process: Process, board: Board, move_time_s: float) -> AgentMove:
        """Ask for a move and read the answer. The caller measures the time; `seconds` of the result is ignored."""

    def _announce_end(self, process: Process) -> None:  # noqa: B027 (most protocols have no such message)
        """Send the protocol's last message, where it has one."""

    def _raise_if_stopped(self) -> None:
        if self._is_stopped:
            raise AgentError(Fault.STOPPED, "stopped by the caller")

    @contextmanager
    def _annotate_failures(self, begin: float) -> Iterator[None]:
        """Add to a failure the seconds since `begin`; a failure after `stop` becomes Fault.STOPPED."""
        try:
            yield
        except (AgentError, SandboxUnavailable) as failure:
            seconds = time.perf_counter() - begin
            if self._is_stopped:
                raise AgentError(Fault.STOPPED, "stopped by the caller", seconds) from None
            if isinstance(failure, AgentError):
                failure.delay_s = 0.0 if self._process is None else self._process.delay_s
                failure.seconds = seconds - failure.delay_s
                self._add_advice(failure)
            raise

    def _add_advice(self, failure: AgentError) -> None:
        """Add to a failure how the agent gets access to a file that it probably misses."""
        if failure.fault in (Fault.CRASH, Fault.CANNOT_LOAD):
            with suppress(AgentError):  # the program itself may be missing
                if advice := self.find_advice(f"{self.stderr}\n{failure}"):
                    failure.args = (f"{failure}; {advice}",)

    def find_advice(self, message: str) -> str:
        """Return how an agent that failed with a message gets access to a file that it misses, or an empty text.

        AgentError: the agent cannot be prepared.
        """
        if not self.conditions.sandbox:
            return ""
        grants, by_folder = self.prepare().grants, self._imports_from_folders
        return suggest_option(message, grants, self._folders, imports_from_folders=by_folder)


def compute_cpu_time_s(board: Board, conditions: Conditions, extra_time_s: float = 0.0) -> float:
    """Return a limit on processor time that an agent cannot reach in a game from this board if it keeps to its time.

    It allows 4 busy threads during the start, during each of the agent's moves and during its extra time.
    """
    moves = (board.geometry.cells - board.ply + 1) // 2
    return _BUSY_THREADS * (conditions.startup_time_s + moves * conditions.move_time_s + extra_time_s)


def read_frame(process: Process, deadline: float, max_bytes: int = protocol.MAX_ANSWER_BYTES) -> bytes:
    """Read a message that follows its length in four bytes."""
    length = protocol.parse_frame_length(process.read_exactly(4, deadline), max_bytes)
    try:
        return process.read_exactly(length, deadline)
    except AgentError as failure:
        if failure.fault is not Fault.TIMEOUT:
            raise
        raise AgentError(Fault.TIMEOUT, f"only a part of an answer of {length} bytes arrived in time") from None


def wait_until_ready(process: Process, deadline: float) -> None:
    """Wait for the message `ready` of a host that runs third-party code."""
    if (body := read_host_reply(process, deadline)) != b"ready":
        detail = f"the host sent {protocol.quote_bytes(body)} instead of 'ready'"
        raise AgentError(Fault.BROKEN_PROTOCOL, detail)


def read_host_reply(process: Process, deadline: float) -> bytes:
    """Read a reply of a host that runs third-party code; raise its error messages, `! kind detail`, as AgentError."""
    body = read_frame(process, deadline, _MAX_HOST_REPLY_BYTES)
    if body.startswith(b"! "):
        text = " ".join(body[2:].decode(errors="replace").split())
        for kind, (fault, detail) in _HOST_ERRORS.items():
            if text.startswith(kind):
                raise AgentError(fault, detail.format(text.removeprefix(kind).strip()))
    return body


def make_cell_move(cell: protocol.Cell) -> AgentMove:
    """Return the move to a cell (row, column)."""
    return AgentMove(column=cell[1], row=cell[0], seconds=0.0)
