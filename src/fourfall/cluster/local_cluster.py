"""Starts the cluster `local:N`: a scheduler and N workers as processes that only this machine can reach."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from fourfall.agents.child_processes import make_python_command
from fourfall.cluster.errors import WorkerError

_END_TIME_S = 5.0


@contextmanager
def start_local_cluster(workers: int) -> Iterator[str]:
    """Yield the address of the scheduler; on exit, and if this process ends in any way, all processes end.

    They listen on the loopback interface only, and have no dashboard. Every user of this machine can connect to them,
    as to any service on loopback.
    """
    address_read, address_write = os.pipe()
    parent_read, parent_write = os.pipe()
    process = subprocess.Popen(  # noqa: S603 (a module of this package)
        make_python_command("fourfall.cluster.local_node", str(address_write), str(parent_read), str(workers)),
        stdin=subprocess.DEVNULL,
        pass_fds=(address_write, parent_read),
        start_new_session=True,  # an interrupt from the keyboard reaches only this process
    )
    os.close(address_write)
    os.close(parent_read)
    try:
        with os.fdopen(address_read, encoding="ascii") as file:
            address = file.readline().strip()
        if not address:
            raise WorkerError("the scheduler of the local cluster did not start; its messages are above")
        yield address
    finally:
        os.close(parent_write)
        try:
            process.wait(timeout=_END_TIME_S)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, 9)
            process.wait()
