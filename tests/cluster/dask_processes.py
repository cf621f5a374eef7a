"""Starts Dask schedulers and workers as processes of their own on loopback, as a user does on several machines.

They are forked by a server process that has imported distributed, and run the functions of the commands
`dask scheduler` and `dask worker`. They end with the process that started them, however it ends.
"""

import contextlib
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.connection import wait
from pathlib import Path

from tests.processes import find_free_port, wait_until

_WORKER_OPTIONS = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--dashboard-address", "127.0.0.1:0")
_MODULES = ("distributed.cli.dask_scheduler", "distributed.cli.dask_worker")
_FORKS = multiprocessing.get_context("forkserver")
# Not Fourfall itself, because some workers have another version of it.
_FORKS.set_forkserver_preload([*_MODULES, "tests.cluster.dask_processes"])


class DaskProcess:
    """A running scheduler or worker."""

    def __init__(self, module: str, arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        settings = {**os.environ, **environment}
        self._process = _FORKS.Process(target=_run_command, args=(module, list(arguments), settings, log), daemon=True)
        self._process.start()

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal unless the process has ended."""
        if self._process.is_alive() and self._process.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, number)

    def kill(self) -> None:
        """Kill the process, also if it is stopped, and wait for its end."""
        self.send_signal(signal.SIGKILL)
        self._process.join()


class DaskProcesses:
    """A scheduler on a fixed port and its workers; output goes to one file per process in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = find_free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.processes: list[DaskProcess] = []

    def start_scheduler(self) -> DaskProcess:
        """Start a scheduler; it accepts connections a moment later."""
        arguments = ["--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard"]
        return self._start("scheduler", _MODULES[0], [*arguments, "--dashboard-address", "127.0.0.1:0"], {})

    def start_worker(self, name: str, *options: str, environment: Mapping[str, str] | None = None) -> DaskProcess:
        """Start a worker with one thread."""
        arguments = [self.address, "--name", name, "--host", "127.0.0.1", "--local-directory", str(self.folder)]
        return self._start(name, _MODULES[1], [*arguments, *(options or _WORKER_OPTIONS)], environment or {})

    def is_listening(self) -> bool:
        """Whether the scheduler accepts connections."""
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    def close(self) -> None:
        """End all processes."""
        for process in self.processes:
            process.kill()

    def _start(self, name: str, module: str, arguments: Sequence[str], environment: Mapping[str, str]) -> DaskProcess:
        process = DaskProcess(module, arguments, environment, self.folder / f"{name}.log")
        self.processes.append(process)
        return process


@contextmanager
def start_dask(folder: Path, workers: int = 0) -> Iterator[DaskProcesses]:
    """Yield a running scheduler with workers that are called worker-0, worker-1 and so on."""
    dask = DaskProcesses(folder)
    try:
        dask.start_scheduler()
        for number in range(workers):
            dask.start_worker(f"worker-{number}")
        assert wait_until(dask.is_listening), "the scheduler does not start"
        yield dask
    finally:
        dask.close()


def _run_command(module: str, arguments: list[str], environment: dict[str, str], log: Path) -> None:
    """Run a command of Dask in this process, which the server has just forked."""
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = [folder for folder in environment.get("PYTHONPATH", "").split(os.pathsep) if folder]
    os.chdir(log.parent)
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    sys.argv = [module, *arguments]
    sys.modules[module].main(arguments)


def _exit_with_parent() -> None:
    """Wait until the process that called `start` ends; then end this one."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
