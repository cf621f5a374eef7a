"""Owns how a foreign process ended, as the host reports it, and which fault that is."""

import signal
from dataclasses import dataclass

from fourfall.agents.base import Fault

# The signs that a process ended for want of memory, besides having used nearly all of it.
MEMORY_SIGNS = ("std::bad_alloc", "MemoryError", "Cannot allocate memory", "out of memory", "OutOfMemoryError")


@dataclass(frozen=True)
class ProcessExit:
    """How a foreign process ended: by itself with a code or by a signal, and what it had used.

    `memory_kib` is the most memory that one process had in use. The host itself ends those that together have more
    than allowed, and says so with `hoarded`.
    """

    code: int | None
    signal: int | None
    memory_kib: int
    cpu_ms: int
    hoarded: bool = False

    @classmethod
    def parse(cls, line: str) -> "ProcessExit":
        """Read the host's report.

        >>> ProcessExit.parse("signal 11 2048 15").told()
        'killed by SIGSEGV'
        """
        how, number, memory, cpu = line.split()
        code = int(number) if how == "exit" else None
        return cls(code, None if how == "exit" else int(number), int(memory), int(cpu), how == "memory")

    def told(self) -> str:
        """Say it in words."""
        if self.hoarded:
            return f"its processes took {self.memory_kib // 1024} MiB together"
        if self.signal is not None:
            return f"killed by {_signal_name(self.signal)}"
        return "exited with code 0 instead of answering" if self.code == 0 else f"exited with code {self.code}"


def classify_exit(ending: ProcessExit, stderr: str, memory_mb: int, cpu_s: int) -> tuple[Fault, str]:
    """Name the fault of a process that ended instead of answering, under these limits.

    >>> classify_exit(ProcessExit.parse("exit 1 30000 15"), "MemoryError", memory_mb=512, cpu_s=10)
    (<Fault.MEMORY_EXCEEDED: 'memory exceeded'>, 'exited with code 1; 512 MiB allowed')
    """
    if _lacked_memory(ending, stderr, memory_mb):
        return Fault.MEMORY_EXCEEDED, f"{ending.told()}; {memory_mb} MiB allowed"
    # The limit of processor time sends SIGXCPU, and SIGKILL a second later to those that ignore it.
    used_up = ending.signal == signal.SIGKILL and ending.cpu_ms >= 1000 * cpu_s
    if used_up or ending.signal == signal.SIGXCPU:
        return Fault.TIMEOUT, f"used up its {cpu_s} s of processor time"
    return Fault.CRASH, ending.told()


def _lacked_memory(ending: ProcessExit, stderr: str, memory_mb: int) -> bool:
    """Whether an end was for want of memory.

    The kernel does not say so: a refused allocation looks like any other crash. The evidence is that the host found
    too much in use, that nearly all was in use at the end, or what the C++ and Python runtimes say last.
    """
    if ending.code == 0:
        return False
    nearly_all = 0 < 0.9 * 1024 * memory_mb <= ending.memory_kib
    return ending.hoarded or nearly_all or any(sign in stderr[-2000:] for sign in MEMORY_SIGNS)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
