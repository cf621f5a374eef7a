"""Communicates with a third-party process over pipes: reading and writing with deadlines, stderr, exit status."""

import contextlib
import os
import select
import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass

from fourfall.agents.base import AgentError, Fault
from fourfall.agents.process_exit import ProcessExit, classify_exit

MAX_STDERR_BYTES = 64 * 1024
MAX_LINE_BYTES = 64 * 1024
MAX_UNREAD_BYTES = 1024 * 1024
READS_PER_PIPE = 32
# The host reports the exit of a process shortly after its pipes are closed.
EXIT_REPORT_S = 0.4
# Removing a sandbox takes milliseconds; a host that needs longer than this is killed, and its sandbox ends with it.
CLOSE_S = 10.0


@dataclass(frozen=True)
class Pipes:
    """Our ends of the pipes to a host.

    `input`, `output` and `errors` lead to the third-party process. The host writes its reports to `status`. It ends
    everything when `stop` is closed or a byte arrives on it.
    """

    input: int
    output: int
    errors: int
    status: int
    stop: int


class Process:
    """A third-party process started by the native host. Deadlines are values of time.perf_counter().

    Reading and writing raise AgentError with the matching fault. `close` always ends the process with all its children.
    Only `kill` may be called from another thread.
    """

    def __init__(self, host: subprocess.Popen[bytes], pipes: Pipes, *, memory_mb: int, cpu_time_s: int) -> None:
        self._host = host
        self._pipes = pipes
        self._memory_mb = memory_mb
        self._cpu_time_s = cpu_time_s
        self._open_outputs = {pipes.output, pipes.errors, pipes.status}
        self._poll = select.poll()
        for descriptor in self._open_outputs:
            self._poll.register(descriptor, select.POLLIN)
        for descriptor in (*self._open_outputs, pipes.input):
            os.set_blocking(descriptor, False)
        self._output = bytearray()
        self._stderr = bytearray()
        self._status = bytearray()
        self._scratch_folder = ""
        self._close_lock = threading.Lock()  # guards the stop pipe against `kill` during `close`
        self._closed = False

    @property
    def pid(self) -> int:
        """The process id of the host; when the host ends, everything in the sandbox ends."""
        return self._host.pid

    @property
    def stderr(self) -> str:
        """The last 64 KB that the process wrote to its standard error."""
        return self._stderr.decode("utf-8", errors="replace")

    def write(self, data: bytes, deadline: float) -> None:
        """Send all of the data."""
        started = time.perf_counter()
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._pipes.input, rest) :]
            except BlockingIOError:
                self._poll.register(self._pipes.input, select.POLLOUT)
                try:
                    self._wait(deadline, started, "did not read its input")
                finally:
                    self._poll.unregister(self._pipes.input)
            except BrokenPipeError:
                raise self._explain_failure(started) from None

    def read_exactly(self, count: int, deadline: float) -> bytes:
        """Read `count` bytes."""
        return self._read(lambda: count if len(self._output) >= count else None, deadline)

    def read_line(self, deadline: float) -> bytes:
        """Read a line and return it without the newline; a line longer than 64 KB is a broken protocol."""
        started = time.perf_counter()

        def find_end_of_line() -> int | None:
            end = self._output.find(b"\n", 0, MAX_LINE_BYTES)
            if end < 0 and len(self._output) >= MAX_LINE_BYTES:
                detail = f"sent a line longer than {MAX_LINE_BYTES // 1024} KB"
                raise AgentError(Fault.BROKEN_PROTOCOL, detail, time.perf_counter() - started)
            return end + 1 if end >= 0 else None

        return self._read(find_end_of_line, deadline)[:-1]

    def wait_until_started(self, deadline: float) -> str:
        """Wait until the host has set everything up; return the host's error message, or an empty string.

        Output of the third-party process, which may arrive before the host's report, is read later.
        """
        started = time.perf_counter()
        status_poll = select.poll()
        status_poll.register(self._pipes.status, select.POLLIN)
        while b"\n" not in self._status:
            if self._pipes.status not in self._open_outputs:
                return "! sandbox the host ended without a report"
            if not status_poll.poll(max(0.0, 1000 * (deadline - time.perf_counter()))):
                seconds = time.perf_counter() - started
                raise AgentError(Fault.TIMEOUT, f"did not start within {seconds:.3f} s", seconds)
            self._receive(self._pipes.status)
        line, _, rest = bytes(self._status).partition(b"\n")
        self._status[:] = rest
        word, _, scratch_folder = os.fsdecode(line).partition(" ")
        if word != "started":
            return os.fsdecode(line)
        self._scratch_folder = scratch_folder
        return ""

    def kill(self) -> None:
        """Make the host end the process with all its children, from any thread; does not wait.

        A running read or write then raises AgentError. `close` must still be called.
        """
        with self._close_lock:
            if not self._closed:
                self._end_host()

    def close(self) -> None:
        """End the process with all its children, and wait until they have ended."""
        if self._closed:
            return
        self._end_host()
        try:
            self._host.wait(timeout=CLOSE_S)
        except subprocess.TimeoutExpired:
            self._host.kill()
            self._host.wait()
        self._drain()
        with self._close_lock:
            self._closed = True
            for descriptor in astuple(self._pipes):
                os.close(descriptor)
        if self._host.returncode != 0 and self._scratch_folder:  # the host was killed before it could remove it
            shutil.rmtree(self._scratch_folder, ignore_errors=True)

    def __enter__(self) -> "Process":
        """Return the process; the with statement closes it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the process."""
        self.close()

    def _end_host(self) -> None:
        # Closing the pipe is not enough: a process forked from this one may hold a copy of it.
        with contextlib.suppress(OSError):
            os.write(self._pipes.stop, b"x")

    def _read(self, find_end: Callable[[], int | None], deadline: float) -> bytes:
        """Read until `find_end` returns how many bytes to take; it is called after each arrival."""
        started = time.perf_counter()
        while (count := find_end()) is None:
            if self._pipes.output not in self._open_outputs or self._process_exit() is not None:
                self._drain()
                if (count := find_end()) is not None:
                    break
                raise self._explain_failure(started)
            self._wait(deadline, started, "no answer")
        data = bytes(self._output[:count])
        del self._output[:count]
        return data

    def _wait(self, deadline: float, started: float, problem: str) -> None:
        """Wait until data arrives and store it; raise a timeout with `problem` when the deadline has passed."""
        left_s = deadline - time.perf_counter()
        events = [descriptor for descriptor, _ in self._poll.poll(max(0.0, 1000 * left_s))]
        for descriptor in events:
            self._receive(descriptor)
        # An answer that arrived in time counts, even if this process was delayed and reads it late. Output on stderr
        # does not extend the deadline.
        if (left_s <= 0 and self._pipes.output not in events) or not events:
            seconds = time.perf_counter() - started
            raise AgentError(Fault.TIMEOUT, f"{problem} within {seconds:.3f} s", seconds)

    def _receive(self, descriptor: int) -> bool:
        """Store what has arrived on a pipe; return False if nothing has arrived or the pipe is closed."""
        if descriptor not in self._open_outputs:
            return False
        try:
            data = os.read(descriptor, 65536)
        except BlockingIOError:
            return False
        if not data:
            self._open_outputs.discard(descriptor)
            self._poll.unregister(descriptor)
            return False
        if descriptor == self._pipes.output:
            self._output += data
            if len(self._output) > MAX_UNREAD_BYTES:
                detail = f"sent more than {MAX_UNREAD_BYTES // 1024**2} MiB of output without a request"
                raise AgentError(Fault.BROKEN_PROTOCOL, detail)
        elif descriptor == self._pipes.status:
            self._status += data
        else:
            self._stderr += data
            del self._stderr[:-MAX_STDERR_BYTES]
        return True

    def _drain(self) -> None:
        """Store what is left in the pipes, at most what a pipe can hold: the process may still be writing."""
        for descriptor in (self._pipes.errors, self._pipes.status, self._pipes.output):
            for _ in range(READS_PER_PIPE):
                if len(self._output) > MAX_LINE_BYTES and descriptor == self._pipes.output:
                    break
                if not self._receive(descriptor):
                    break

    def _process_exit(self) -> ProcessExit | None:
        line, newline, _ = bytes(self._status).partition(b"\n")
        return ProcessExit.parse(line.decode()) if newline else None

    def _explain_failure(self, started: float) -> AgentError:
        """Make an error that says why the process does not answer: it has ended, or closed its pipes."""
        deadline = time.perf_counter() + EXIT_REPORT_S
        with contextlib.suppress(AgentError):
            while self._process_exit() is None and self._pipes.status in self._open_outputs:
                self._wait(deadline, started, "")
        process_exit = self._process_exit()
        self._drain()
        seconds = time.perf_counter() - started
        if process_exit is None:
            closed = "closed its output" if self._pipes.output not in self._open_outputs else "closed its input"
            return AgentError(Fault.CRASH, closed, seconds)
        return AgentError(*classify_exit(process_exit, self.stderr, self._memory_mb, self._cpu_time_s), seconds)
