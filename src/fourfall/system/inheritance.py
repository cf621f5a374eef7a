"""Passes open pipes and connections to a child process, which finds them by numbers in its arguments.

The number is a file descriptor on POSIX systems and a handle on Windows.
"""

import multiprocessing
import os
import subprocess
import sys
from typing import Any

if sys.platform == "win32":
    import msvcrt
    from multiprocessing.connection import PipeConnection as Connection
else:
    from multiprocessing.connection import Connection

__all__ = ["Connection", "create_connections", "get_number", "make_inheritance_options", "open_connection", "open_pipe"]


def create_connections() -> "tuple[Connection[Any, Any], Connection[Any, Any]]":
    """Return two connected ends for messages in both directions."""
    return multiprocessing.Pipe()


def get_number(descriptor: int) -> int:
    """Return the number by which a child process can open a descriptor."""
    number = descriptor
    if sys.platform == "win32":
        number = msvcrt.get_osfhandle(descriptor)
    return number


def make_inheritance_options(*numbers: int) -> dict[str, Any]:
    """Return the options of subprocess.Popen with which the child inherits these pipes, and nothing else.

    The number of a connection is its `fileno()`, that of a descriptor is returned by `get_number`.
    """
    options: dict[str, Any]
    if sys.platform == "win32":
        for number in numbers:
            os.set_handle_inheritable(number, True)
        options = {"startupinfo": subprocess.STARTUPINFO(lpAttributeList={"handle_list": list(numbers)})}
    else:
        options = {"pass_fds": numbers}
    return options


def open_connection(number: int) -> "Connection[Any, Any]":
    """Open an inherited connection in the child process."""
    return Connection(number)


def open_pipe(number: int, flags: int = os.O_RDONLY) -> int:
    """Return the descriptor of an inherited pipe in the child process."""
    descriptor = number
    if sys.platform == "win32":
        descriptor = msvcrt.open_osfhandle(number, flags)
    return descriptor
