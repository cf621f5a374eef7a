"""Memory and processor of the machine."""

import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

if sys.platform == "win32":
    import ctypes

_PROCESSOR_KEYS = ("model name", "Processor", "Hardware", "cpu model")


@dataclass(frozen=True)
class Memory:
    """Memory of the machine in MiB; `free_mb` is None if the system does not tell it."""

    total_mb: int
    free_mb: int | None


def read_memory() -> Memory:
    """Return the memory of the machine and how much of it programs can still use.

    >>> read_memory().total_mb > 0
    True
    """
    if sys.platform == "linux":
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        kib = {name: int(value.split()[0]) for name, value in (line.split(":") for line in lines)}
        memory = Memory(kib["MemTotal"] // 1024, kib["MemAvailable"] // 1024)
    elif sys.platform == "win32":
        memory = _read_windows_memory()
    else:
        memory = Memory(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20, None)
    return memory


@cache
def read_processor() -> str:
    """Return the model name of the processor, or the architecture if the system does not tell more."""
    if sys.platform == "linux":
        name = _read_linux_processor()
    elif sys.platform == "darwin":
        name = _read_macos_processor()
    else:
        name = platform.processor()
    return name or platform.machine()


def _read_linux_processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    values = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    return next((values[key] for key in _PROCESSOR_KEYS if values.get(key)), "")


def _read_macos_processor() -> str:
    command = ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ""


if sys.platform == "win32":

    class _MemoryStatus(ctypes.Structure):
        """The structure MEMORYSTATUSEX of the Windows API."""

        _fields_ = (
            ("length", ctypes.c_uint32),
            ("load", ctypes.c_uint32),
            *((name, ctypes.c_uint64) for name in ("total", "free", *(f"other_{number}" for number in range(5)))),
        )

    def _read_windows_memory() -> Memory:
        status = _MemoryStatus()
        status.length = ctypes.sizeof(status)
        ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))
        return Memory(status.total >> 20, status.free >> 20)
