"""Groups of child processes: a process with everything that it starts."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any


def get_group_options() -> dict[str, Any]:
    """Return the options of subprocess.Popen for a group of its own; an interrupt from the keyboard does not reach it.

    >>> process = subprocess.Popen([sys.executable, "-c", ""], **get_group_options())
    >>> process.wait()
    0
    """
    options: dict[str, Any]
    if sys.platform == "win32":
        options = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    else:
        options = {"start_new_session": True}
    return options


def kill_group(process: "subprocess.Popen[bytes]") -> None:
    """End a process that was started with `get_group_options`, and what it started; does not wait for its end."""
    if sys.platform == "win32":
        taskkill = Path(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "taskkill.exe")
        with suppress(OSError):
            subprocess.run(  # noqa: S603 (a program of the system)
                [taskkill, "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False
            )
        process.kill()
    else:
        with suppress(
            ProcessLookupError, PermissionError
        ):  # macOS reports a group of ended processes as PermissionError
            os.killpg(process.pid, signal.SIGKILL)


def can_fork() -> bool:
    """Whether processes are forked; macOS also has fork, but its system libraries do not work after it."""
    return sys.platform == "linux"


def fork_child(run: Callable[[], None]) -> int:
    """Run a function in a forked process, which then ends with code 0, or 1 after an exception; return its id.

    RuntimeError if `can_fork` is false.
    """
    child = -1
    if sys.platform == "linux":
        child = os.fork()
    if child < 0:
        raise RuntimeError("this system cannot fork processes")
    if child == 0:
        code = 1
        try:
            run()
            code = 0
        finally:
            os._exit(code)
    return child


def find_ended_child() -> int | None:
    """Return the id of a forked process that has ended since the last call, or None."""
    ended = 0
    if sys.platform == "linux":
        ended, _ = os.waitpid(-1, os.WNOHANG)
    return ended or None


def can_suspend() -> bool:
    """Whether `suspend_group` has an effect."""
    return sys.platform != "win32"


def suspend_group(process: "subprocess.Popen[bytes]") -> None:
    """Stop a process and what it started until `resume_group`; does nothing on Windows."""
    if sys.platform != "win32":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGSTOP)


def resume_group(process: "subprocess.Popen[bytes]") -> None:
    """Let a process continue after `suspend_group`."""
    if sys.platform != "win32":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGCONT)
