"""A worker process of this machine: a module of this package in an isolated interpreter, with a pipe for messages.

The process gets the numbers of two inherited pipes (`system.inheritance`) as its first arguments. The first one is the
connection for messages. The second one reaches its end when the parent process exits, however it ends;
`exit_with_parent` then ends the worker.
"""

import contextlib
import os
import signal
import subprocess
import threading
from typing import Generic, TypeVar

from fourfall.agents.child_processes import make_python_command
from fourfall.system.inheritance import Connection, create_connections, get_number, make_inheritance_options
from fourfall.system.processes import get_group_options

Sent = TypeVar("Sent")
Received = TypeVar("Received")

_END_TIME_S = 5.0


class WorkerProcess(Generic[Sent, Received]):
    """The parent's side of a worker process; it has the niceness of the parent."""

    def __init__(self, module: str, *arguments: str) -> None:
        self.connection: Connection[Sent, Received]
        self.connection, theirs = create_connections()
        parent_read, self._parent_write = os.pipe()
        numbers = (theirs.fileno(), get_number(parent_read))
        self._process = subprocess.Popen(  # noqa: S603 (a module of this package)
            make_python_command(module, *map(str, numbers), *arguments),
            stdin=subprocess.DEVNULL,
            **make_inheritance_options(*numbers),
            **get_group_options(),  # an interrupt from the keyboard reaches only the parent process
        )
        theirs.close()
        os.close(parent_read)

    def close(self) -> str:
        """End the process and describe how it ended."""
        with contextlib.suppress(OSError):
            self.connection.close()
        if self._parent_write >= 0:
            os.close(self._parent_write)
            self._parent_write = -1
        try:
            code = self._process.wait(timeout=_END_TIME_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"exited with code {code}"


def exit_with_parent(descriptor: int) -> None:
    """Start a thread that ends this process when the other end of a pipe is closed."""

    def wait() -> None:
        os.read(descriptor, 1)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
