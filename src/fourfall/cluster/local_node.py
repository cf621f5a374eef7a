"""Processes of the cluster `local:N`: this one starts a scheduler and N workers, and replaces workers that die.

Run with the arguments ``ADDRESS PARENT WORKERS``. ADDRESS and PARENT are descriptors: the address of the scheduler is
written to the first one, and all processes end when the second one reaches its end.
"""

import asyncio
import os
import select
import sys
from collections.abc import Callable, Coroutine

import dask
from distributed import Scheduler, Worker

from fourfall.cluster.connection import import_distributed
from fourfall.cluster.worker_process import exit_with_parent

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
_POLL_S = 0.5  # also the delay until a worker is replaced


def main(arguments: list[str]) -> None:
    """Run until the parent process ends."""
    address_write, parent, workers = (int(argument) for argument in arguments)
    import_distributed()
    dask.config.set(_CONFIGURATION)
    # The processes are forked, because importing distributed takes longer than everything else.
    address_read, own_write = os.pipe()
    scheduler = _fork(lambda: run_scheduler(own_write), parent, closed=[address_write])
    os.close(own_write)
    with os.fdopen(address_read, encoding="ascii") as file:
        address = file.readline().strip()
    if not address:
        sys.exit("the scheduler of the local cluster ended")

    def start_worker(name: str) -> int:
        return _fork(lambda: run_worker(address, name), parent, closed=[address_write])

    names = {start_worker(f"local-{number}"): f"local-{number}" for number in range(workers)}
    os.write(address_write, f"{address}\n".encode())
    while not select.select([parent], [], [], _POLL_S)[0]:
        ended, _ = os.waitpid(-1, os.WNOHANG)
        if ended == scheduler:
            sys.exit("the scheduler of the local cluster ended")
        if ended:
            name = names.pop(ended)
            names[start_worker(name)] = name


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


def _fork(run: Callable[[], Coroutine[object, object, None]], parent: int, *, closed: list[int]) -> int:
    """Run a coroutine in a child process, without the descriptors `closed`; return the id of the process."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        for descriptor in closed:
            os.close(descriptor)
        exit_with_parent(parent)
        asyncio.run(run())
        code = 0
    finally:
        os._exit(code)


if __name__ == "__main__":
    main(sys.argv[1:])
