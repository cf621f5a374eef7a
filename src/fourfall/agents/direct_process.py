"""Runs a third-party program as a child process without the native host, on systems that have no sandbox.

Nothing is forbidden to the program, and neither its memory nor its processor time is limited. Threads read its pipes,
because Windows cannot wait for several pipes at once.
"""

import contextlib
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from fourfall.agents.base import AgentError, Fault
from fourfall.agents.process import MAX_LINE_BYTES, MAX_STDERR_BYTES, MAX_UNREAD_BYTES, Process
from fourfall.agents.process_exit import ProcessExit
from fourfall.system.processes import get_group_options, kill_group, resume_group, suspend_group

# A process that closed its output ends shortly afterwards; its exit code explains more than the closed pipe.
_EXIT_S = 0.4
_CLOSE_S = 10.0
_CHECK_S = 0.1  # interval of checks whether the process has ended although a child of it holds its output open
# A longer time to send a question means that the process did not read its input.
_PROMPT_S = 0.01

# Variables without which programs of the system do not start; third-party code gets no other variables of the user.
_SYSTEM_VARIABLES = ("PATH", "LANG", "SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "NUMBER_OF_PROCESSORS")
_HOME_VARIABLES = ("HOME", "TMPDIR", "USERPROFILE", "TEMP", "TMP")


class DirectProcess(Process):
    """A program with pipes to its standard streams, in a process group of its own.

    Deadlines count the time of the clock: no time is given back on a busy machine, so `delay_s` is always 0. `freeze`
    has no effect on Windows.
    """

    def __init__(self, command: Sequence[str], working_folder: Path | None) -> None:
        self._scratch_folder = Path(tempfile.mkdtemp(prefix="fourfall-"))
        try:
            self._process = subprocess.Popen(  # noqa: S603 (running third-party programs is the purpose)
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=working_folder or self._scratch_folder,
                env=_make_environment(self._scratch_folder),
                **get_group_options(),
            )
        except OSError as error:
            shutil.rmtree(self._scratch_folder, ignore_errors=True)
            raise AgentError(Fault.CANNOT_LOAD, f"{command[0]}: {error.strerror}") from None
        self._changed = threading.Condition()  # guards everything below
        self._output = bytearray()
        self._stderr = bytearray()
        self._has_output_ended = False
        self._has_input_ended = False
        self._unsent = 0
        self._is_closed = False
        self._questions: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._limit_s: float | None = None  # of the last question
        assert self._process.stdin and self._process.stdout and self._process.stderr  # noqa: S101, PT018
        self._threads = [
            threading.Thread(target=self._send, args=(self._process.stdin,), daemon=True),
            threading.Thread(target=self._receive_output, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._receive_stderr, args=(self._process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The process id of the program."""
        return self._process.pid

    @property
    def stderr(self) -> str:
        """The last 64 KB that the process wrote to its standard error."""
        with self._changed:
            return self._stderr.decode("utf-8", errors="replace")

    @property
    def delay_s(self) -> float:
        """Always 0: delays of the machine are not measured."""
        return 0.0

    def freeze(self) -> None:
        """Stop the program and its children, except on Windows."""
        suspend_group(self._process)

    def thaw(self) -> None:
        """Let the program and its children run."""
        resume_group(self._process)

    def ask(self, question: bytes, time_s: float) -> float:
        """Send a question; return the deadline of the answer, `time_s` seconds after the question was delivered."""
        self._limit_s = time_s
        deadline = time.perf_counter() + time_s
        return deadline if self.write(question, deadline) else time.perf_counter() + time_s

    def is_past(self, deadline: float) -> bool:
        """Whether a deadline has passed."""
        return time.perf_counter() >= deadline

    def write(self, data: bytes, deadline: float) -> bool:
        """Send all of the data; return whether the process had to read earlier data first."""
        started = time.perf_counter()
        with self._changed:
            self._unsent += len(data)
        self._questions.put(data)
        self._wait_for(
            lambda: self._unsent == 0, lambda: self._has_input_ended, deadline, started, "did not read its input"
        )
        return time.perf_counter() - started > _PROMPT_S

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

    def kill(self) -> None:
        """End the program with all its children, from any thread; does not wait."""
        kill_group(self._process)

    def close(self) -> None:
        """End the program with all its children, and wait until they have ended."""
        if self._is_closed:
            return
        self._is_closed = True
        kill_group(self._process)
        self._questions.put(None)
        self._process.wait()
        end = time.perf_counter() + _CLOSE_S
        for thread in self._threads:  # a process that left the group may hold a pipe open
            thread.join(timeout=max(0.0, end - time.perf_counter()))
        shutil.rmtree(self._scratch_folder, ignore_errors=True)

    def _read(self, find_end: Callable[[], int | None], deadline: float) -> bytes:
        """Read until `find_end` returns how many bytes to take."""
        started = time.perf_counter()
        self._wait_for(lambda: find_end() is not None, lambda: self._has_output_ended, deadline, started, "no answer")
        with self._changed:
            count = find_end()
            data = bytes(self._output[:count])
            del self._output[:count]
            self._changed.notify_all()
        return data

    def _wait_for(
        self,
        is_done: Callable[[], bool],
        has_failed: Callable[[], bool],
        deadline: float,
        started: float,
        problem: str,
    ) -> None:
        """Wait until `is_done`; raise AgentError if the process ends before, or at the deadline with `problem`."""
        while True:
            with self._changed:
                if is_done():
                    return
                if len(self._output) > MAX_UNREAD_BYTES:
                    detail = f"sent more than {MAX_UNREAD_BYTES // 1024**2} MiB of output without a request"
                    raise AgentError(Fault.BROKEN_PROTOCOL, detail)
                left_s = deadline - time.perf_counter()
                if not has_failed() and left_s > 0:
                    self._changed.wait(min(left_s, _CHECK_S))
                    if is_done():
                        return
            if has_failed() or self._process.poll() is not None:
                self._wait_for_rest()
                with self._changed:
                    if is_done():
                        return
                raise self._explain_failure(started)
            if time.perf_counter() >= deadline:
                self.freeze()
                limit_s = max(0.0, deadline - started) if self._limit_s is None else self._limit_s
                raise AgentError(Fault.TIMEOUT, f"{problem} within {limit_s:.3f} s", time.perf_counter() - started)

    def _wait_for_rest(self) -> None:
        """Wait shortly for the exit of a process that has closed its pipes, and for its last output."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=_EXIT_S)
            for thread in self._threads[1:]:
                thread.join(timeout=_EXIT_S)

    def _explain_failure(self, started: float) -> AgentError:
        """Make an error that says why the process does not answer: it has ended, or closed its pipes."""
        seconds = time.perf_counter() - started
        code = self._process.poll()
        if code is None:
            closed = "closed its output" if self._has_output_ended else "closed its input"
            return AgentError(Fault.CRASH, closed, seconds)
        process_exit = ProcessExit(code if code >= 0 else None, -code if code < 0 else None, memory_kib=0, cpu_ms=0)
        return AgentError(Fault.CRASH, process_exit.describe(), seconds)

    def _send(self, pipe: BinaryIO) -> None:
        """Write the questions in the order of `write`, in a thread."""
        with contextlib.suppress(OSError), pipe:
            while (data := self._questions.get()) is not None:
                rest = memoryview(data)
                while rest:
                    rest = rest[pipe.write(rest) :]
                with self._changed:
                    self._unsent -= len(data)
                    self._changed.notify_all()
        with self._changed:
            self._has_input_ended = True
            self._changed.notify_all()

    def _receive_output(self, pipe: BinaryIO) -> None:
        """Store the standard output, in a thread; a program that sends too much has to wait."""
        with contextlib.suppress(OSError), pipe:
            while data := pipe.read(65536):
                with self._changed:
                    self._output += data
                    self._changed.notify_all()
                    self._changed.wait_for(lambda: len(self._output) <= MAX_UNREAD_BYTES or self._is_closed)
        with self._changed:
            self._has_output_ended = True
            self._changed.notify_all()

    def _receive_stderr(self, pipe: BinaryIO) -> None:
        """Store the end of the standard error, in a thread."""
        with contextlib.suppress(OSError), pipe:
            while data := pipe.read(65536):
                with self._changed:
                    self._stderr += data
                    del self._stderr[:-MAX_STDERR_BYTES]


def _make_environment(scratch_folder: Path) -> dict[str, str]:
    environment = {name: os.environ[name] for name in _SYSTEM_VARIABLES if name in os.environ}
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
    return environment | dict.fromkeys(_HOME_VARIABLES, str(scratch_folder))
