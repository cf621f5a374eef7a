"""Starts the cluster `local:N`: a scheduler and N workers as processes that only this machine can reach."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from fourfall.agents.child_processes import make_python_command
from fourfall.cluster.errors import WorkerError
from fourfall.system.inheritance import get_number, make_inheritance_options
from fourfall.system.processes import get_group_options, kill_group

_END_TIME_S = 5.0


@contextmanager
def start_local_cluster(workers: int) -> Iterator[str]:
    """Yield the address of the scheduler; on exit, and if this process ends in any way, all processes end.

    They listen on the loopback interface only, and have no dashboard. Every user of this machine can connect to them,
    as to any service on loopback.
    """
    address_read, address_write = os.pipe()
    parent_read, parent_write = os.pipe()
    parent, address = get_number(parent_read), get_number(address_write)
    process = subprocess.Popen(  # noqa: S603 (a module of this package)
        make_python_command("fourfall.cluster.local_node", str(parent), "node", str(address), str(workers)),
        stdin=subprocess.DEVNULL,
        **make_inheritance_options(parent, address),
        **get_group_options(),  # an interrupt from the keyboard reaches only this process
    )
    os.close(address_write)
    os.close(parent_read)
    try:
        with os.fdopen(address_read, encoding="ascii") as file:
            url = file.readline().strip()
        if not url:
            raise WorkerError("the scheduler of the local cluster did not start; its messages are above")
        yield url
    finally:
        os.close(parent_write)
        try:
            process.wait(timeout=_END_TIME_S)
        except subprocess.TimeoutExpired:
            kill_group(process)
            process.wait()
