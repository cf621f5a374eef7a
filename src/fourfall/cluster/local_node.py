"""Processes of the cluster `local:N`: this one starts a scheduler and N workers, and replaces workers that die.

Run with the arguments ``PARENT node ADDRESS WORKERS``. ADDRESS and PARENT are the numbers of inherited pipes
(`system.inheritance`): the address of the scheduler is written to the first one, and all processes end when the second
one reaches its end. On systems that cannot fork, members are started with the arguments ``PARENT scheduler ADDRESS``
and ``PARENT worker URL NAME``.
"""

import asyncio
import os
import select
import subprocess
import sys
import time
from collections.abc import Sequence

import dask
from distributed import Scheduler, Worker

from fourfall.agents.child_processes import make_python_command
from fourfall.cluster.connection import import_distributed
from fourfall.cluster.worker_process import exit_with_parent
from fourfall.system.inheritance import get_number, make_inheritance_options, open_pipe
from fourfall.system.processes import can_fork, find_ended_child, fork_child

_LOOPBACK = "127.0.0.1"
_CONFIGURATION = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.memory.target": False,  # the limits of agents are those of the sandbox
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    "distributed.worker.profile.enabled": False,
}
_POLL_S = 0.5  # delay until a worker is replaced


def main(arguments: list[str]) -> None:
    """Run this process or a member until the parent process ends."""
    parent, words = open_pipe(int(arguments[0])), arguments[1:]
    import_distributed()
    dask.config.set(_CONFIGURATION)
    if words[0] == "node":
        run_node(parent, open_pipe(int(words[1]), os.O_WRONLY), int(words[2]))
    else:
        run_member(parent, words)


def run_node(parent: int, address_write: int, workers: int) -> None:
    """Start the scheduler and the workers, write the address of the scheduler, and replace workers that die."""
    members = _Members(parent, address_write)
    address_read, own_write = os.pipe()
    members.start("scheduler", ["scheduler", str(get_number(own_write))], passed=[own_write])
    os.close(own_write)
    with os.fdopen(address_read, encoding="ascii") as file:
        address = file.readline().strip()
    if not address:
        sys.exit("the scheduler of the local cluster ended")
    for number in range(workers):
        members.start(f"local-{number}", ["worker", address, f"local-{number}"])
    os.write(address_write, f"{address}\n".encode())
    while not members.wait_for_parent():
        for name in members.find_ended():
            if name == "scheduler":
                sys.exit("the scheduler of the local cluster ended")
            members.start(name, ["worker", address, name])


def run_member(parent: int, words: list[str]) -> None:
    """Run the scheduler or a worker."""
    exit_with_parent(parent)
    if words[0] == "scheduler":
        asyncio.run(run_scheduler(open_pipe(int(words[1]), os.O_WRONLY)))
    else:
        asyncio.run(run_worker(*words[1:]))


class _Members:
    """The scheduler and the workers as processes.

    They are forked where the system can do it, because importing distributed takes longer than everything else.
    """

    def __init__(self, parent: int, address_write: int) -> None:
        self._parent = parent
        self._address_write = address_write
        self._forked: dict[int, str] = {}
        self._started: dict[str, subprocess.Popen[bytes]] = {}
        if not can_fork():  # a process with threads must not fork
            exit_with_parent(parent)

    def start(self, name: str, words: list[str], passed: Sequence[int] = ()) -> None:
        """Start a member with its words, which name the pipes `passed`."""
        if can_fork():
            self._forked[fork_child(lambda: self._run_forked(words))] = name
            return
        parent, *numbers = (get_number(descriptor) for descriptor in (self._parent, *passed))
        self._started[name] = subprocess.Popen(  # noqa: S603 (a module of this package)
            make_python_command("fourfall.cluster.local_node", str(parent), *words),
            stdin=subprocess.DEVNULL,
            **make_inheritance_options(parent, *numbers),
        )

    def wait_for_parent(self) -> bool:
        """Wait for a moment; return whether the parent process has ended."""
        if can_fork():
            return bool(select.select([self._parent], [], [], _POLL_S)[0])
        time.sleep(_POLL_S)
        return False

    def find_ended(self) -> list[str]:
        """Return the names of members that have ended since the last call."""
        if can_fork():
            ended = find_ended_child()
            return [] if ended is None else [self._forked.pop(ended)]
        names = [name for name, process in self._started.items() if process.poll() is not None]
        for name in names:
            del self._started[name]
        return names

    def _run_forked(self, words: list[str]) -> None:
        os.close(self._address_write)
        run_member(self._parent, words)


async def run_scheduler(address_write: int) -> None:
    """Run a scheduler on a free port of the loopback interface and write its address."""
    async with Scheduler(
        host=_LOOPBACK, protocol="tcp", port=0, dashboard=False, dashboard_address=f"{_LOOPBACK}:0"
    ) as scheduler:
        os.write(address_write, f"{scheduler.address}\n".encode())
        os.close(address_write)
        await scheduler.finished()


async def run_worker(address: str, name: str) -> None:
    """Run a worker with one thread until it loses the scheduler."""
    async with Worker(
        address, name=name, nthreads=1, host=_LOOPBACK, dashboard=False, dashboard_address=f"{_LOOPBACK}:0"
    ) as worker:
        await worker.finished()


if __name__ == "__main__":
    main(sys.argv[1:])
