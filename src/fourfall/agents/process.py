"""Owns talking to a foreign process: its pipes, deadlines, last words, and how it ended."""

import contextlib
import os
import select
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass

from fourfall.agents.base import AgentError, Fault
from fourfall.agents.process_exit import ProcessExit, classify_exit

STDERR_KEPT = 64 * 1024
LONGEST_LINE = 64 * 1024
MOST_AHEAD = 1024 * 1024
PIPE_READS = 32
# A process that closes its pipes by ending is reported a moment later.
GRACE_S = 0.4
# ProcessExit a jail takes milliseconds; a host that needs longer than this is ended itself, and its jail with it.
CLOSE_S = 10.0


@dataclass(frozen=True)
class Pipes:
    """Our ends of the pipes to a host: three to the foreign process, the host's reports, and what keeps it alive."""

    input: int
    output: int
    errors: int
    status: int
    life: int


class Process:
    """A foreign process behind the native host, with pipes to it. Deadlines are instants of time.perf_counter().

    Reading and writing raise AgentError with the fault that fits. Whatever happens, `close` ends the process with all
    its children.
    """

    def __init__(self, host: subprocess.Popen[bytes], pipes: Pipes, *, memory_mb: int, cpu_s: int) -> None:
        self._host = host
        self._pipes = pipes
        self._memory_mb = memory_mb
        self._cpu_s = cpu_s
        self._watched = {pipes.output, pipes.errors, pipes.status}
        self._poll = select.poll()
        for descriptor in self._watched:
            self._poll.register(descriptor, select.POLLIN)
        for descriptor in (*self._watched, pipes.input):
            os.set_blocking(descriptor, False)
        self._answer = bytearray()
        self._last_words = bytearray()
        self._report = bytearray()
        self._scratch = ""
        self._closed = False

    @property
    def pid(self) -> int:
        """The process id of the host, whose end is the end of everything in the jail."""
        return self._host.pid

    @property
    def stderr(self) -> str:
        """What the process last wrote to its error output, 64 KB at most."""
        return self._last_words.decode("utf-8", errors="replace")

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
                    self._wait(deadline, started, "did not read its question")
                finally:
                    self._poll.unregister(self._pipes.input)
            except BrokenPipeError:
                raise self._failure(started) from None

    def read_exactly(self, count: int, deadline: float) -> bytes:
        """Read so many bytes."""
        return self._read(lambda: count if len(self._answer) >= count else None, deadline)

    def read_line(self, deadline: float) -> bytes:
        """Read up to a newline, which is left out. A line longer than 64 KB breaks any protocol."""
        started = time.perf_counter()

        def end_of_line() -> int | None:
            end = self._answer.find(b"\n", 0, LONGEST_LINE)
            if end < 0 and len(self._answer) >= LONGEST_LINE:
                raise AgentError(Fault.BROKEN_PROTOCOL, "sent a line without an end", time.perf_counter() - started)
            return end + 1 if end >= 0 else None

        return self._read(end_of_line, deadline)[:-1]

    def wait_started(self, deadline: float) -> str:
        """Wait until nothing but foreign code remains to run; empty, or the host's complaint."""
        started = time.perf_counter()
        while b"\n" not in self._report:
            if self._pipes.status not in self._watched:
                return "! sandbox the host ended without a word"
            self._wait(deadline, started, "did not start")
        line, _, rest = bytes(self._report).partition(b"\n")
        self._report[:] = rest
        word, _, scratch = os.fsdecode(line).partition(" ")
        if word != "started":
            return os.fsdecode(line)
        self._scratch = scratch
        return ""

    def close(self) -> None:
        """End the process with all its children, and wait until they are gone."""
        if self._closed:
            return
        self._closed = True
        # A byte, not only the end of the pipe: a process forked from this one may hold a copy of it.
        with contextlib.suppress(OSError):
            os.write(self._pipes.life, b"x")
        try:
            self._host.wait(timeout=CLOSE_S)
        except subprocess.TimeoutExpired:
            self._host.kill()
            self._host.wait()
        self._drain()
        for descriptor in astuple(self._pipes):
            os.close(descriptor)
        if self._host.returncode != 0 and self._scratch:  # somebody killed the host before it could clear up
            shutil.rmtree(self._scratch, ignore_errors=True)

    def __enter__(self) -> "Process":
        """Use the process in a with statement, which closes it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the process."""
        self.close()

    def _read(self, enough: Callable[[], int | None], deadline: float) -> bytes:
        started = time.perf_counter()
        while (count := enough()) is None:
            if self._pipes.output not in self._watched or self._ending() is not None:
                self._drain()
                if (count := enough()) is not None:
                    break
                raise self._failure(started)
            self._wait(deadline, started, "no answer")
        data = bytes(self._answer[:count])
        del self._answer[:count]
        return data

    def _wait(self, deadline: float, started: float, missed: str) -> None:
        """Wait for something to happen and take in what came; complain when the deadline has passed."""
        left = deadline - time.perf_counter()
        events = [descriptor for descriptor, _ in self._poll.poll(max(0.0, 1000 * left))]
        for descriptor in events:
            self._take(descriptor)
        # An answer that came in time counts, even if this process was held up and looks for it late; a flood of
        # errors is no answer.
        if (left <= 0 and self._pipes.output not in events) or not events:
            took = time.perf_counter() - started
            raise AgentError(Fault.TIMEOUT, f"{missed} within {took:.3f} s", took)

    def _take(self, descriptor: int) -> bool:
        """Take in what has come over a pipe; False if there is nothing now or ever again."""
        if descriptor not in self._watched:
            return False
        try:
            data = os.read(descriptor, 65536)
        except BlockingIOError:
            return False
        if not data:
            self._watched.discard(descriptor)
            self._poll.unregister(descriptor)
            return False
        if descriptor == self._pipes.output:
            self._answer += data
            if len(self._answer) > MOST_AHEAD:
                raise AgentError(Fault.BROKEN_PROTOCOL, "sent far more than it was asked for")
        elif descriptor == self._pipes.status:
            self._report += data
        else:
            self._last_words += data
            del self._last_words[:-STDERR_KEPT]
        return True

    def _drain(self) -> None:
        """Take in what is left in the pipes: as much as pipes can hold, because the process may not have ended."""
        for descriptor in (self._pipes.errors, self._pipes.status, self._pipes.output):
            for _ in range(PIPE_READS):
                if len(self._answer) > LONGEST_LINE and descriptor == self._pipes.output:
                    break
                if not self._take(descriptor):
                    break

    def _ending(self) -> ProcessExit | None:
        line, newline, _ = bytes(self._report).partition(b"\n")
        return ProcessExit.parse(line.decode()) if newline else None

    def _failure(self, started: float) -> AgentError:
        """Find out why a process does not answer any more: it has ended, or closed its pipes."""
        patience = time.perf_counter() + GRACE_S
        with contextlib.suppress(AgentError):
            while self._ending() is None and self._pipes.status in self._watched:
                self._wait(patience, started, "")
        ending = self._ending()
        self._drain()
        took = time.perf_counter() - started
        if ending is None:
            closed = "closed its output" if self._pipes.output not in self._watched else "closed its input"
            return AgentError(Fault.CRASH, closed, took)
        return AgentError(*classify_exit(ending, self.stderr, self._memory_mb, self._cpu_s), took)
