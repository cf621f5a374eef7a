"""Tests that long native calls release the GIL and can be interrupted by Ctrl-C."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from fourfall import Board, BoardBatch, perft, rollouts

BATCH = BoardBatch(1000, 12, 12)
INTERRUPTED = """
import _thread, threading
from fourfall import Board, perft, rollouts

entered = threading.Event()

def interrupt():
    entered.wait()
    for _ in range(1_000_000):
        pass
    _thread.interrupt_main()

threading.Thread(target=interrupt).start()
try:
    entered.set()
    {call}
except KeyboardInterrupt:
    print("interrupted")
"""
FORKED = """
import os, signal, threading
from fourfall import Board, solve

def run_child():
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.05)
    try:
        solve(Board(12, 12))
    except KeyboardInterrupt:
        os._exit(0)
    os._exit(1)

def fork():
    child = os.fork()
    if child == 0:
        run_child()
    status.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

signal.signal(signal.SIGALRM, signal.default_int_handler)
status = []
thread = threading.Thread(target=fork)
thread.start()
thread.join()
print(*status)
"""


@pytest.fixture
def long_switch_interval() -> Iterator[None]:
    """Make the interpreter switch threads only when a call releases the GIL."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("long_switch_interval")
@pytest.mark.parametrize(
    "call",
    [
        lambda: rollouts(Board(12, 12), 200),
        lambda: perft(Board(12, 12), 5),
        lambda: BATCH.step(BATCH.masks.argmax(axis=1)),
    ],
    ids=["rollouts", "perft", "step"],
)
def test_other_threads_run_during_the_call(call: Callable[[], object]) -> None:
    """A thread that waits for the GIL gets it during the call."""
    gate = threading.Lock()
    advanced: list[bool] = []

    def advance() -> None:
        with gate:
            advanced.append(True)

    gate.acquire()
    thread = threading.Thread(target=advance)
    thread.start()
    gate.release()
    assert not advanced
    for _ in range(1000):
        call()
        if advanced:
            break
    advanced_during_call = bool(advanced)
    thread.join()
    assert advanced_during_call


@pytest.mark.parametrize("call", ["rollouts(Board(12, 12), 2**62)", "perft(Board(6, 7), 40)"])
def test_long_call_can_be_interrupted(call: str) -> None:
    """Another thread counts to a million and then interrupts a call that would run for years."""
    script = INTERRUPTED.format(call=call)
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert (result.returncode, result.stdout) == (0, "interrupted\n")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_long_call_can_be_interrupted_in_a_process_forked_by_a_thread() -> None:
    """The thread that forks is the main thread of the new process, where Python handles signals."""
    command = [sys.executable, "-W", "ignore", "-c", FORKED]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (result.returncode, result.stdout) == (0, "0\n"), result.stderr
