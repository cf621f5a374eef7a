"""Owns the tests of talking to foreign processes: whatever they do is named, and within their time."""

import time

import pytest

from fourfall.agents import sandbox
from fourfall.agents.base import Conditions, Fault
from fourfall.agents.sandbox import launch_library, launch_program
from tests.agents.conftest import LATE_S, LIMIT_S, SMALL, HostileSet, ask, begin, fate, line

pytestmark = [
    pytest.mark.usefixtures("no_scratch_left", "nothing_left"),
    pytest.mark.skipif(bool(sandbox.missing_protections()), reason="this machine cannot jail foreign code"),
]

FATES = [
    ("segfault", Fault.CRASH, "killed by SIGSEGV"),
    ("abort", Fault.CRASH, "killed by SIGABRT"),
    ("exit-0", Fault.CRASH, "exited with code 0 instead of answering"),
    ("exit-3", Fault.CRASH, "exited with code 3"),
    ("loop", Fault.TIMEOUT, "no answer within 0.5"),
    ("sleep", Fault.TIMEOUT, "no answer within 0.5"),
    ("stubborn", Fault.TIMEOUT, "no answer within 0.5"),
    ("hog-rudely", Fault.MEMORY_EXCEEDED, "killed by SIGSEGV; 128 MiB allowed"),
    ("close", Fault.CRASH, "closed its output"),
]


def limit_s(fault: Fault) -> float:
    """Return a limit that a late process misses soon, and that others do not miss even on a busy machine."""
    return LIMIT_S if fault is Fault.TIMEOUT else 3.0


@pytest.mark.parametrize(("deed", "fault", "detail"), FATES)
def test_a_program_meets_its_fate(
    hostile: HostileSet, conditions: Conditions, deed: str, fault: Fault, detail: str
) -> None:
    """A program that does not answer is named for what it did, at once or as soon as its time is up."""
    with launch_program([str(hostile.program), deed], conditions, cpu_time_s=10) as process:
        found, told, took = fate(lambda: line(process, limit_s(fault)))
    assert (found, told[: len(detail)]) == (fault, detail)
    assert took < limit_s(fault) + LATE_S


@pytest.mark.parametrize(
    ("deed", "fault", "detail"), [row for row in FATES if row[0] != "close"] + [("late-segfault", *FATES[0][1:])]
)
def test_a_library_meets_its_fate(hostile: HostileSet, deed: str, fault: Fault, detail: str) -> None:
    """A library that does not answer is named for what it did; a crash while clearing up is its own crash."""
    with begin(launch_library(hostile.library(deed), SMALL, cpu_time_s=10)) as process:
        if deed == "late-segfault":
            assert ask(process) == "5 2"
        found, told, took = fate(lambda: ask(process, limit_s(fault)))
    assert (found, told[: len(detail)]) == (fault, detail)
    assert took < limit_s(fault) + LATE_S


@pytest.mark.parametrize(
    ("deed", "message"),
    [
        ("throw", "! exception thrown on purpose"),
        ("throw-number", "! exception of an unknown type"),
        ("hog", "! memory exceeded"),
        ("null", "! exception getPoint returned a null pointer"),
    ],
)
def test_a_library_that_throws_is_caught(hostile: HostileSet, conditions: Conditions, deed: str, message: str) -> None:
    """Exceptions become messages, those for want of memory among them."""
    with begin(launch_library(hostile.library(deed), conditions, cpu_time_s=10)) as process:
        assert ask(process) == message


@pytest.mark.parametrize(
    ("deed", "words"),
    [("hog", "killed by SIGABRT"), ("hog-together", "its processes took"), ("hog-shared", "its processes took")],
)
def test_a_program_that_takes_too_much_memory(hostile: HostileSet, deed: str, words: str) -> None:
    """One process beyond the cap is told by its last words, many together by what they have in use."""
    with launch_program([str(hostile.program), deed], SMALL, cpu_time_s=10) as process:
        fault, told, took = fate(lambda: line(process))
    assert (fault, told[: len(words)]) == (Fault.MEMORY_EXCEEDED, words)
    assert took < 10


def test_reserved_address_space_is_free(hostile: HostileSet) -> None:
    """A runtime that reserves a terabyte and uses little of it may run."""
    with launch_program([str(hostile.program), "reserve"], SMALL, cpu_time_s=10) as process:
        assert line(process) == "done"
        process.close()
    assert process.stderr == "reserve: succeeded\n"


def test_a_library_that_behaves(hostile: HostileSet) -> None:
    """Noise on standard output is swallowed, threads are allowed, arrays are fresh for every question."""
    for deed in ("noise", "threads", "scribble"):
        with begin(launch_library(hostile.library(deed), SMALL, cpu_time_s=10)) as process:
            assert [ask(process) for _ in range(3)] == ["5 2"] * 3
            process.close()
            assert ("threads: 4\n" * 3 if deed == "threads" else "") == process.stderr


def test_a_flood_of_errors_is_cut(hostile: HostileSet, conditions: Conditions) -> None:
    """Five megabytes of errors block nobody, and the last 64 KB are kept."""
    with launch_program([str(hostile.program), "flood"], conditions, cpu_time_s=10) as process:
        assert line(process) == "done"
        process.close()
    assert len(process.stderr) == 64 * 1024
    assert process.stderr.endswith("the last line\n")


@pytest.mark.parametrize(
    ("deed", "fault", "detail"),
    [
        ("half", Fault.TIMEOUT, "no answer within 0.5"),
        ("flood-ahead", Fault.BROKEN_PROTOCOL, "sent a line without an end"),
    ],
)
def test_half_and_endless_lines(hostile: HostileSet, deed: str, fault: Fault, detail: str) -> None:
    """Half a line is waited for, a line without an end is not."""
    with launch_program([str(hostile.program), deed], SMALL, cpu_time_s=10) as process:
        found, told, took = fate(lambda: line(process, LIMIT_S))
    assert (found, told[: len(detail)]) == (fault, detail)
    assert took < LIMIT_S + LATE_S


def test_more_than_was_asked_for(hostile: HostileSet) -> None:
    """A flood of answers while a question is still being sent ends the game, not the memory."""
    with launch_program([str(hostile.program), "flood-ahead"], SMALL, cpu_time_s=10) as process:
        fault, told, _ = fate(lambda: process.write(bytes(1_000_000), time.perf_counter() + 3))
    assert (fault, told) == (Fault.BROKEN_PROTOCOL, "sent far more than it was asked for")


def test_a_last_answer_counts(hostile: HostileSet, conditions: Conditions) -> None:
    """What a program wrote before it ended is read; its end is noticed at the next question."""
    with launch_program([str(hostile.program), "answer-and-exit"], conditions, cpu_time_s=10) as process:
        time.sleep(0.05)
        assert line(process) == "done"
        fault, told, _ = fate(lambda: process.write(b"x" * 100_000, time.perf_counter() + LIMIT_S))
    assert (fault, told) == (Fault.CRASH, "exited with code 0 instead of answering")


def test_a_question_that_is_not_read(hostile: HostileSet) -> None:
    """Writing to a process that does not read ends when its time is up."""
    with launch_program([str(hostile.program), "sleep"], SMALL, cpu_time_s=10) as process:
        fault, told, took = fate(lambda: process.write(bytes(1_000_000), time.perf_counter() + 0.2))
    assert (fault, told[:37]) == (Fault.TIMEOUT, "did not read its question within 0.20")
    assert took < 0.2 + LATE_S


@pytest.mark.parametrize("deed", ["loop", "stubborn"])
def test_processor_time_is_capped(hostile: HostileSet, deed: str) -> None:
    """The cap ends a process that nobody waits for, one that ignores all signals a second later."""
    with launch_program([str(hostile.program), deed], SMALL, cpu_time_s=1) as process:
        fault, told, _ = fate(lambda: line(process, 20))
    assert (fault, told) == (Fault.TIMEOUT, "used up its 1 s of processor time")
