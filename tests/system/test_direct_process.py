"""Tests of third-party programs that run without the native host, as on macOS and Windows."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fourfall.agents.base import AgentError, Fault
from fourfall.agents.direct_process import DirectProcess
from fourfall.agents.process import MAX_LINE_BYTES, MAX_STDERR_BYTES
from tests.processes import wait_until

Start = Callable[..., DirectProcess]
LONG_S = 60.0


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Return a function that runs Python code as a program; all scratch folders are removed at the end."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    started = []

    def run(code: str, working_folder: Path | None = None) -> DirectProcess:
        started.append(DirectProcess([sys.executable, "-u", "-c", code], working_folder))
        return started[-1]

    yield run
    for process in started:
        process.close()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("fourfall-")] == []


def get_deadline(seconds: float = LONG_S) -> float:
    """Return the time after some seconds."""
    return time.perf_counter() + seconds


def catch(use: Callable[[], object]) -> tuple[Fault, str]:
    """Return the fault and the message of a failure."""
    with pytest.raises(AgentError) as failure:
        use()
    return failure.value.fault, str(failure.value)


def test_questions_and_answers(start: Start) -> None:
    """Lines and numbers of bytes are read in order; stderr is kept apart; the program works in its scratch folder."""
    process = start(
        "import os, sys\nprint(input().upper()); print('note', file=sys.stderr)\n"
        "print(os.getcwd() == os.environ['HOME'] == os.environ['TMPDIR']); sys.stdout.write('abcdef'); input()"
    )
    deadline = process.ask(b"question\n", LONG_S)
    assert process.read_line(deadline).rstrip() == b"QUESTION"
    assert process.read_line(deadline).rstrip() == b"True"
    assert (process.read_exactly(2, deadline), process.read_exactly(4, deadline)) == (b"ab", b"cdef")
    assert wait_until(lambda: process.stderr.strip() == "note")
    assert not process.is_past(deadline)


def test_last_words_of_a_program_count(start: Start) -> None:
    """An answer is read although the program has ended; the next read says how it ended."""
    process = start("import sys; print('4'); print('bye', file=sys.stderr); sys.exit(3)")
    assert wait_until(lambda: process._process.poll() is not None)
    assert process.read_line(get_deadline()).rstrip() == b"4"
    assert catch(lambda: process.read_line(get_deadline())) == (Fault.CRASH, "exited with code 3")
    assert process.stderr.strip() == "bye"


def test_silent_program_is_stopped_at_its_deadline(start: Start) -> None:
    """A missing answer is a timeout that names the limit."""
    process = start("input()\ninput()")
    fault, message = catch(lambda: process.read_line(process.ask(b"?\n", 0.05)))
    assert (fault, message) == (Fault.TIMEOUT, "no answer within 0.050 s")


def test_unread_input_is_a_timeout(start: Start) -> None:
    """A program that does not read a long question runs into its deadline."""
    process = start("import time; time.sleep(60)")
    fault, message = catch(lambda: process.ask(bytes(1 << 20), 0.2))
    assert (fault, message) == (Fault.TIMEOUT, "did not read its input within 0.200 s")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (f"print('x' * {MAX_LINE_BYTES}, flush=True); input()", "sent a line longer than 64 KB"),
        ("import sys; sys.stdout.write('x' * (2 << 20)); input()", "sent a line longer than 64 KB"),
    ],
)
def test_too_much_output_is_a_broken_protocol(start: Start, code: str, message: str) -> None:
    """A line without an end is refused."""
    process = start(code)
    assert catch(lambda: process.read_line(get_deadline())) == (Fault.BROKEN_PROTOCOL, message)


def test_output_without_a_request_is_limited(start: Start) -> None:
    """A program that sends more than 1 MiB before it is asked has broken the protocol."""
    process = start("import sys; sys.stdout.write('x' * (2 << 20)); input()")
    fault, message = catch(lambda: process.read_exactly(4 << 20, get_deadline()))
    assert (fault, message) == (Fault.BROKEN_PROTOCOL, "sent more than 1 MiB of output without a request")


def test_stderr_is_limited(start: Start) -> None:
    """Only the end of a long stderr is kept."""
    process = start(f"import sys; sys.stderr.write('x' * {2 * MAX_STDERR_BYTES} + 'end'); print('done'); input()")
    process.read_line(get_deadline())
    assert wait_until(lambda: process.stderr.endswith("end"))
    assert len(process.stderr) == MAX_STDERR_BYTES


def test_kill_from_another_thread_ends_a_read(start: Start) -> None:
    """A read that waits raises an error when the process is killed."""
    process = start("input()")
    threading.Timer(0.1, process.kill).start()
    assert catch(lambda: process.read_line(get_deadline()))[0] is Fault.CRASH


def test_missing_program() -> None:
    """A program that does not exist cannot be loaded."""
    fault, message = catch(lambda: DirectProcess(["/no/such/program"], None))
    assert (fault, message) == (Fault.CANNOT_LOAD, "/no/such/program: No such file or directory")
