"""Owns the manners of the calls that may take long: other threads run meanwhile, and Ctrl-C ends them."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from fourfall import Board, perft, rollouts

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


@pytest.fixture
def unhurried_interpreter() -> Iterator[None]:
    """Hands the lock to another thread only where a call gives it away."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("unhurried_interpreter")
@pytest.mark.parametrize(
    "call", [lambda: rollouts(Board(12, 12), 200), lambda: perft(Board(12, 12), 5)], ids=["rollouts", "perft"]
)
def test_other_threads_run_meanwhile(call: Callable[[], object]) -> None:
    """A thread that waits for the interpreter's lock gets it during the call."""
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
    seen = bool(advanced)
    thread.join()
    assert seen


@pytest.mark.parametrize("call", ["rollouts(Board(12, 12), 2**62)", "perft(Board(6, 7), 40)"])
def test_an_endless_call_can_be_interrupted(call: str) -> None:
    """While a call that would run for years is under way, another thread counts to a million and interrupts it."""
    script = INTERRUPTED.format(call=call)
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert (result.returncode, result.stdout) == (0, "interrupted\n")
