"""Parses the host's report on how a third-party process ended, and classifies it as a fault."""

import signal
from dataclasses import dataclass

from fourfall.agents.base import Fault

# Messages of language runtimes that show a lack of memory.
OUT_OF_MEMORY_MESSAGES = (
    "std::bad_alloc",
    "MemoryError",
    "Cannot allocate memory",
    "out of memory",
    "OutOfMemoryError",
)


@dataclass(frozen=True)
class ProcessExit:
    """How a third-party process ended: with an exit code or by a signal, and the resources it used.

    `memory_kib` is the largest memory use of one process. If all processes of a sandbox together exceed the memory
    limit, the host ends them: then `has_exceeded_memory` is true and `memory_kib` is their sum.
    """

    code: int | None
    signal: int | None
    memory_kib: int
    cpu_ms: int
    has_exceeded_memory: bool = False

    @classmethod
    def parse(cls, line: str) -> "ProcessExit":
        """Read the host's report.

        >>> ProcessExit.parse("signal 11 2048 15").describe()
        'killed by SIGSEGV'
        """
        kind, number, memory, cpu = line.split()
        code = int(number) if kind == "exit" else None
        return cls(code, None if kind == "exit" else int(number), int(memory), int(cpu), kind == "memory")

    def describe(self) -> str:
        """Describe it in words."""
        if self.has_exceeded_memory:
            return f"its processes used {self.memory_kib // 1024} MiB together"
        if self.signal is not None:
            return f"killed by {_get_signal_name(self.signal)}"
        return "exited with code 0 instead of answering" if self.code == 0 else f"exited with code {self.code}"


def classify_exit(process_exit: ProcessExit, stderr: str, memory_mb: int, cpu_time_s: int) -> tuple[Fault, str]:
    """Return the fault of a process that ended instead of answering, and a description, under these limits.

    >>> classify_exit(ProcessExit.parse("exit 1 30000 15"), "MemoryError", memory_mb=512, cpu_time_s=10)
    (<Fault.MEMORY_EXCEEDED: 'memory exceeded'>, 'exited with code 1; 512 MiB allowed')
    """
    if _is_out_of_memory(process_exit, stderr, memory_mb):
        return Fault.MEMORY_EXCEEDED, f"{process_exit.describe()}; {memory_mb} MiB allowed"
    # The kernel sends SIGXCPU at the limit of processor time, and SIGKILL one second later.
    name = None if process_exit.signal is None else _get_signal_name(process_exit.signal)
    was_killed_late = name == "SIGKILL" and process_exit.cpu_ms >= 1000 * cpu_time_s
    if was_killed_late or name == "SIGXCPU":
        return Fault.TIMEOUT, f"used up its {cpu_time_s} s of processor time"
    return Fault.CRASH, process_exit.describe()


def _is_out_of_memory(process_exit: ProcessExit, stderr: str, memory_mb: int) -> bool:
    """Whether a process ended because of a lack of memory.

    The kernel does not report this: a refused allocation looks like any other crash. It is assumed if the host measured
    too much memory in use, if 90 % of the limit was in use at the end, or if the end of stderr has a known message of a
    C++ or Python runtime.
    """
    if process_exit.code == 0:
        return False
    has_used_nearly_all = 0 < 0.9 * 1024 * memory_mb <= process_exit.memory_kib
    has_message = any(message in stderr[-2000:] for message in OUT_OF_MEMORY_MESSAGES)
    return process_exit.has_exceeded_memory or has_used_nearly_all or has_message


def _get_signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
