"""Finds running processes and free ports, and waits for conditions."""

import os
import random
import socket
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE_S = 30.0
"""How long tests wait for what usually takes milliseconds; only a failing test, or one on a busy machine, waits so."""

_FIXED_PORTS = range(12_000, 32_000)
"""Linux gives ports from 32768 on to connections of any process."""


def find_processes(*words: str) -> list[int]:
    """Return the running processes whose command line contains all the words."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                command = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if all(word.encode() in command for word in words):
                found.append(int(folder.name))
    return found


def wait_until(condition: Callable[[], object], patience_s: float = PATIENCE_S) -> bool:
    """Wait for a condition; return whether it became true in time."""
    deadline = time.monotonic() + patience_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def wait_until_computing(process: int, seconds: float = 0.2) -> None:
    """Wait until a process has used this much more processor time."""
    begin = read_cpu_time_s(process)
    assert wait_until(lambda: read_cpu_time_s(process) >= begin + seconds), "the process does not compute"


def read_cpu_time_s(process: int) -> float:
    """Return the processor time of a process with all its threads, also of those that have ended."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def find_free_port() -> int:
    """Return an unused port of this machine that no connection of another process gets by chance."""
    for port in random.sample(_FIXED_PORTS, 100):
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("no free port")
