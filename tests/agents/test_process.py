"""Tests of `Process`: every misbehaviour of a third-party process is classified correctly and within its time."""

import threading
import time

import pytest

from fourfall.agents.base import AgentError, Conditions, Fault
from fourfall.agents.sandbox import launch_library, launch_program
from tests.agents.conftest import (
    MOVE_TIME_S,
    SMALL,
    TOLERANCE_S,
    HostileAgents,
    ask_library,
    catch_failure,
    read_line,
    start_library,
)
from tests.marks import needs_sandbox

pytestmark = [
    pytest.mark.usefixtures("no_scratch_left", "no_process_left"),
    needs_sandbox,
]

FAULTS = [
    ("segfault", Fault.CRASH, "killed by SIGSEGV"),
    ("abort", Fault.CRASH, "killed by SIGABRT"),
    ("exit-0", Fault.CRASH, "exited with code 0 instead of answering"),
    ("exit-3", Fault.CRASH, "exited with code 3"),
    ("loop", Fault.TIMEOUT, "no answer within 0."),
    ("sleep", Fault.TIMEOUT, "no answer within 0."),
    ("ignore-signals", Fault.TIMEOUT, "no answer within 0."),
    ("allocate-unchecked", Fault.MEMORY_EXCEEDED, "killed by SIGSEGV; 128 MiB allowed"),
    ("close-descriptors", Fault.CRASH, "closed its output"),
]


def get_limit_s(fault: Fault) -> float:
    """Return a short limit for timeouts, and for other faults one that is kept even on a busy machine."""
    return MOVE_TIME_S if fault is Fault.TIMEOUT else 10.0


@pytest.mark.parametrize(("action", "fault", "detail"), FAULTS)
def test_faults_of_programs(
    hostile: HostileAgents, conditions: Conditions, action: str, fault: Fault, detail: str
) -> None:
    """A program that does not answer fails with the right fault, at once or at its deadline."""
    with launch_program([str(hostile.program), action], conditions, cpu_time_s=10) as process:
        found, message, seconds = catch_failure(lambda: read_line(process, get_limit_s(fault)))
    assert (found, message[: len(detail)]) == (fault, detail)
    assert seconds < get_limit_s(fault) + TOLERANCE_S
    assert fault is not Fault.TIMEOUT or seconds > 0.9 * MOVE_TIME_S


@pytest.mark.parametrize(
    ("action", "fault", "detail"),
    [row for row in FAULTS if row[0] != "close-descriptors"] + [("segfault-in-clear-point", *FAULTS[0][1:])],
)
def test_faults_of_libraries(hostile: HostileAgents, action: str, fault: Fault, detail: str) -> None:
    """A library that does not answer fails with the right fault; a crash in clearPoint fails the next question."""
    with start_library(launch_library(hostile.library(action), SMALL, cpu_time_s=10)) as process:
        if action == "segfault-in-clear-point":
            assert ask_library(process) == "5 2"
        found, message, seconds = catch_failure(lambda: ask_library(process, get_limit_s(fault)))
    assert (found, message[: len(detail)]) == (fault, detail)
    assert seconds < get_limit_s(fault) + TOLERANCE_S
    assert fault is not Fault.TIMEOUT or seconds > 0.9 * MOVE_TIME_S


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("throw", "! exception thrown on purpose"),
        ("throw-number", "! exception of an unknown type"),
        ("allocate", "! memory exceeded"),
        ("return-null", "! exception getPoint returned a null pointer"),
    ],
)
def test_exceptions_of_libraries_become_messages(
    hostile: HostileAgents, conditions: Conditions, action: str, message: str
) -> None:
    """The host catches exceptions, also std::bad_alloc, and reports them."""
    with start_library(launch_library(hostile.library(action), conditions, cpu_time_s=10)) as process:
        assert ask_library(process) == message


@pytest.mark.parametrize(
    ("action", "detail"),
    [
        ("allocate", "killed by SIGABRT"),
        ("allocate-in-children", "its processes used"),
        ("allocate-shared", "its processes used"),
    ],
)
def test_programs_that_exceed_their_memory(hostile: HostileAgents, action: str, detail: str) -> None:
    """One process is detected by its stderr, several processes together by the memory that they use."""
    with launch_program([str(hostile.program), action], SMALL, cpu_time_s=10) as process:
        fault, message, seconds = catch_failure(lambda: read_line(process))
    assert (fault, message[: len(detail)]) == (Fault.MEMORY_EXCEEDED, detail)
    assert seconds < 10


def test_reserved_address_space_does_not_count_as_memory(hostile: HostileAgents) -> None:
    """A runtime may reserve a terabyte of which it uses little."""
    with launch_program([str(hostile.program), "reserve-address-space"], SMALL, cpu_time_s=10) as process:
        assert read_line(process) == "done"
        process.close()
    assert process.stderr == "reserve: succeeded\n"


def test_harmless_actions_of_libraries(hostile: HostileAgents) -> None:
    """Standard output is discarded, threads are allowed, and every question brings new arrays."""
    for action in ("print-to-stdout", "start-threads", "overwrite-arrays"):
        with start_library(launch_library(hostile.library(action), SMALL, cpu_time_s=10)) as process:
            assert [ask_library(process) for _ in range(3)] == ["5 2"] * 3
            process.close()
            assert ("threads: 4\n" * 3 if action == "start-threads" else "") == process.stderr


def test_only_the_end_of_stderr_is_kept(hostile: HostileAgents, conditions: Conditions) -> None:
    """Five megabytes of stderr do not block the process, and the last 64 KB are kept."""
    with launch_program([str(hostile.program), "flood-stderr"], conditions, cpu_time_s=10) as process:
        assert read_line(process) == "done"
        process.close()
    assert len(process.stderr) == 64 * 1024
    assert process.stderr.endswith("the last line\n")


@pytest.mark.parametrize(
    ("action", "fault", "detail"),
    [
        ("half-line", Fault.TIMEOUT, "no answer within 0."),
        ("endless-output", Fault.BROKEN_PROTOCOL, "sent a line longer than 64 KB"),
    ],
)
def test_incomplete_and_endless_lines(hostile: HostileAgents, action: str, fault: Fault, detail: str) -> None:
    """An incomplete line ends in a timeout, a line that is too long fails at once."""
    with launch_program([str(hostile.program), action], SMALL, cpu_time_s=10) as process:
        found, message, seconds = catch_failure(lambda: read_line(process, MOVE_TIME_S))
    assert (found, message[: len(detail)]) == (fault, detail)
    assert seconds < MOVE_TIME_S + TOLERANCE_S


def test_too_much_unread_output(hostile: HostileAgents) -> None:
    """Output that nobody asked for is limited while a question is being sent."""
    with launch_program([str(hostile.program), "endless-output"], SMALL, cpu_time_s=10) as process:
        fault, message, _ = catch_failure(lambda: process.write(bytes(1_000_000), time.perf_counter() + 10))
    assert (fault, message) == (Fault.BROKEN_PROTOCOL, "sent more than 1 MiB of output without a request")


def test_an_answer_before_the_exit_counts(hostile: HostileAgents, conditions: Conditions) -> None:
    """What a program wrote before it exited is read; the exit is detected at the next question."""
    with launch_program([str(hostile.program), "answer-and-exit"], conditions, cpu_time_s=10) as process:
        time.sleep(0.05)
        assert read_line(process) == "done"
        fault, message, _ = catch_failure(lambda: process.write(b"x" * 100_000, time.perf_counter() + MOVE_TIME_S))
    assert (fault, message) == (Fault.CRASH, "exited with code 0 instead of answering")


def test_a_process_that_does_not_read_its_input(hostile: HostileAgents) -> None:
    """Writing to a process that does not read ends at the deadline."""
    with launch_program([str(hostile.program), "sleep"], SMALL, cpu_time_s=10) as process:
        fault, message, seconds = catch_failure(lambda: process.write(bytes(1_000_000), time.perf_counter() + 0.2))
    assert (fault, message[:32]) == (Fault.TIMEOUT, "did not read its input within 0.")
    assert seconds < 0.2 + TOLERANCE_S


@pytest.mark.parametrize("action", ["loop", "ignore-signals"])
def test_processor_time_is_limited(hostile: HostileAgents, action: str) -> None:
    """The limit ends a busy process; one that ignores signals is killed a second later."""
    with launch_program([str(hostile.program), action], SMALL, cpu_time_s=1) as process:
        fault, message, _ = catch_failure(lambda: read_line(process, 20))
    assert (fault, message) == (Fault.TIMEOUT, "used up its 1 s of processor time")


@pytest.mark.parametrize("action", ["sleep", "ignore-signals", "fork-bomb"])
def test_kill_from_another_thread_ends_a_read(hostile: HostileAgents, conditions: Conditions, action: str) -> None:
    """The read fails at once; kill may be repeated, also after close."""
    with launch_program([str(hostile.program), action], conditions, cpu_time_s=10) as process:
        if action == "fork-bomb":
            assert read_line(process) == "done"
        threading.Timer(0.1, process.kill).start()
        begin = time.perf_counter()
        with pytest.raises(AgentError):
            read_line(process)
        assert time.perf_counter() - begin < 0.1 + TOLERANCE_S
        process.kill()
    process.kill()
