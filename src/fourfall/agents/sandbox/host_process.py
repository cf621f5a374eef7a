"""Communicates with a third-party process over pipes: questions with deadlines, freezing, stderr, exit status."""

import contextlib
import os
import select
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from fourfall.agents.base import AgentError, Fault
from fourfall.agents.process import MAX_LINE_BYTES, MAX_STDERR_BYTES, MAX_UNREAD_BYTES, Process
from fourfall.agents.process_exit import ProcessExit, classify_exit

assert sys.platform == "linux"  # noqa: S101 (the type checker skips the rest for other systems)
from fourfall.agents.sandbox.pause_detector import PauseDetector  # noqa: E402

READS_PER_PIPE = 32
# The host reports the exit of a process shortly after its pipes are closed.
EXIT_REPORT_S = 0.4
# The host gives up freezing a process after 30 s.
COMMAND_S = 45.0
# Shorter remainders of a time limit are not given back.
MIN_REMAINDER_S = 0.001
# Removing a sandbox takes milliseconds; a host that needs longer than this is killed, and its sandbox ends with it.
CLOSE_S = 10.0

_ANSWERS = (b"frozen", b"measured", b"thawed", b"unfrozen")


@dataclass(frozen=True)
class Pipes:
    """Our ends of the pipes to a host.

    `input`, `output` and `errors` lead to the third-party process. The host writes its reports to `status`. It obeys
    the commands on `control`, one byte each, and ends everything when `control` is closed.
    """

    input: int
    output: int
    errors: int
    status: int
    control: int


@dataclass(frozen=True)
class Usage:
    """What the processes of an agent used until they were frozen: processor time, and delay by the machine, in seconds.

    `delay_s` is the time in which a thread could run, but neither it nor another thread of the agent got a processor.
    A thread that sleeps is not delayed, and neither is one that waits for other threads of the same agent. `frozen_at`
    is a value of time.perf_counter().
    """

    cpu_s: float
    delay_s: float
    frozen_at: float


class HostProcess(Process):
    """A third-party process started by the native host. Deadlines are values of time.perf_counter().

    Reading and writing raise AgentError with the matching fault. `close` always ends the process with all its children.
    Only `kill` may be called from another thread.

    A deadline counts only time in which the machine let the process run: when a deadline has passed, the process is
    frozen and measured. If the machine withheld processor time from it or was paused, that time is given back and it
    continues.
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
        self._pauses = PauseDetector()
        self._answers: list[str] = []  # of the host to commands
        self._delay_s = 0.0
        self._cpu_s = 0.0
        self._limit_s: float | None = None  # of the last question
        self._scratch_folder = ""
        self._close_lock = threading.Lock()  # guards the control pipe against `kill` during `close`
        self._closed = False

    @property
    def pid(self) -> int:
        """The process id of the host; when the host ends, everything in the sandbox ends."""
        return self._host.pid

    @property
    def stderr(self) -> str:
        """The last 64 KB that the process wrote to its standard error."""
        return self._stderr.decode("utf-8", errors="replace")

    @property
    def delay_s(self) -> float:
        """The time that was given back since the last `thaw`, because without it a deadline would have passed."""
        return self._delay_s

    def freeze(self) -> None:
        """Freeze all processes. When this returns, every process has been seen frozen or has ended."""
        self._command(b"f")

    def freeze_and_measure(self) -> Usage | None:
        """Freeze all processes; return what they used since the last `thaw`, or None if they have ended."""
        answer = self._command(b"m")
        if answer is None:
            return None
        _, frozen_us, cpu_us, delay_us = answer.split()
        return Usage(int(cpu_us) / 1e6, int(delay_us) / 1e6, int(frozen_us) / 1e6)

    def thaw(self) -> None:
        """Let the processes run. Time that was given back before is forgotten."""
        self._delay_s = self._cpu_s = 0.0
        self._pauses.take()
        self._command(b"t")

    def ask(self, question: bytes, time_s: float) -> float:
        """Send a question; return the deadline of the answer, `time_s` seconds after the question was delivered.

        So a delay of the calling process does not shorten the time for the answer. If the process does not read its
        input, the time begins before the question is sent.
        """
        self._limit_s = time_s
        deadline = time.perf_counter() + time_s
        return deadline if self.write(question, deadline) else time.perf_counter() + time_s

    def is_past(self, deadline: float) -> bool:
        """Whether a deadline has passed, with the time that was given back."""
        return time.perf_counter() >= deadline + self._delay_s

    def write(self, data: bytes, deadline: float) -> bool:
        """Send all of the data; return whether the process had to read earlier data first."""
        started = time.perf_counter()
        has_waited = False
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._pipes.input, rest) :]
            except BlockingIOError:
                has_waited = True
                self._poll.register(self._pipes.input, select.POLLOUT)
                try:
                    self._wait(deadline, started, "did not read its input")
                finally:
                    self._poll.unregister(self._pipes.input)
            except BrokenPipeError:
                raise self._explain_failure(started) from None
        return has_waited

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

    def __enter__(self) -> "HostProcess":
        """Return the process; the with statement closes it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the process."""
        self.close()

    def _end_host(self) -> None:
        # Closing the pipe is not enough: a process forked from this one may hold a copy of it.
        with contextlib.suppress(OSError):
            os.write(self._pipes.control, b"x")

    def _command(self, command: bytes) -> str | None:
        """Send a command to the host and return its answer, or None if the process has ended."""
        status_poll = select.poll()
        status_poll.register(self._pipes.status, select.POLLIN)
        with contextlib.suppress(BrokenPipeError):
            os.write(self._pipes.control, command)
        deadline = time.perf_counter() + COMMAND_S
        while not self._answers:
            if self._process_exit() is not None or self._pipes.status not in self._open_outputs:
                return None
            if not status_poll.poll(max(0.0, 1000 * (deadline - time.perf_counter()))):
                raise AgentError(Fault.CRASH, "its host does not answer")
            self._receive(self._pipes.status)
        answer = self._answers.pop(0)
        if answer == "unfrozen" and self._process_exit() is not None:
            return None
        if answer == "unfrozen":
            raise AgentError(Fault.CRASH, "its processes could not be frozen")
        return answer

    def _give_back_delay(self, deadline: float) -> bool:
        """Freeze the process at its deadline; return whether it may continue because the machine delayed it.

        If it may not continue, it stays frozen.
        """
        usage = self.freeze_and_measure()
        if usage is None:
            raise self._explain_failure(deadline)
        self._cpu_s += usage.cpu_s
        self._delay_s += usage.delay_s + self._pauses.take()
        has_output = self._receive(self._pipes.output)  # written before it was frozen
        if usage.frozen_at + MIN_REMAINDER_S > deadline + self._delay_s:
            return has_output
        answer = self._command(b"t")
        if answer is not None:
            self._delay_s += int(answer.split()[1]) / 1e6 - usage.frozen_at
        return True

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
        if not self._collect(deadline) and not self._give_back_delay(deadline):
            seconds = time.perf_counter() - started - self._delay_s
            limit_s = max(0.0, deadline - started) if self._limit_s is None else self._limit_s
            detail = f"{problem} within {limit_s:.3f} s; it used {self._cpu_s:.3f} s of processor time"
            raise AgentError(Fault.TIMEOUT, detail, seconds)

    def _collect(self, deadline: float) -> bool:
        """Wait until data arrives and store it; return False if the deadline has passed."""
        left_s = deadline + self._delay_s - time.perf_counter()
        events = self._pauses.poll(self._poll, left_s)
        for descriptor in events:
            self._receive(descriptor)
        # An answer that arrived in time counts, even if this process was delayed and reads it late. Output on stderr
        # does not extend the deadline.
        return self._pipes.output in events or (bool(events) and left_s > 0)

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
            *lines, rest = (self._status + data).split(b"\n")
            self._answers += [line.decode() for line in lines if line.startswith(_ANSWERS)]
            self._status[:] = b"".join(line + b"\n" for line in lines if not line.startswith(_ANSWERS)) + rest
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
        with contextlib.suppress(AgentError):  # too much output
            while self._process_exit() is None and self._pipes.status in self._open_outputs and self._collect(deadline):
                pass
        process_exit = self._process_exit()
        self._drain()
        seconds = time.perf_counter() - started
        if process_exit is None:
            closed = "closed its output" if self._pipes.output not in self._open_outputs else "closed its input"
            return AgentError(Fault.CRASH, closed, seconds)
        return AgentError(*classify_exit(process_exit, self.stderr, self._memory_mb, self._cpu_time_s), seconds)


def start_host(
    program: Path, options: Sequence[str], environment: Mapping[str, str], memory_mb: int, cpu_time_s: int
) -> HostProcess:
    """Start the native host with pipes to it and to the third-party process; OSError if it does not start."""
    input_read, input_write = os.pipe()
    output_read, output_write = os.pipe()
    errors_read, errors_write = os.pipe()
    status_read, status_write = os.pipe()
    control_read, control_write = os.pipe()
    pipes = Pipes(input_write, output_read, errors_read, status_read, control_write)
    try:
        host = subprocess.Popen(  # noqa: S603 (running third-party programs is the purpose)
            [program, "--control-fd", str(control_read), "--status-fd", str(status_write), *options],
            stdin=input_read,
            stdout=output_write,
            stderr=errors_write,
            env=environment,
            pass_fds=(control_read, status_write),
            start_new_session=True,
        )
    except BaseException:
        for descriptor in astuple(pipes):
            os.close(descriptor)
        raise
    finally:
        for descriptor in (input_read, output_write, errors_write, status_write, control_read):
            os.close(descriptor)
    return HostProcess(host, pipes, memory_mb=memory_mb, cpu_time_s=cpu_time_s)
