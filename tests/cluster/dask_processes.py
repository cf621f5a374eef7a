"""Starts Dask schedulers and workers as processes of their own on loopback, as a user does on several machines."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.processes import find_free_port, wait_until

_WORKER_OPTIONS = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--dashboard-address", "127.0.0.1:0")


class DaskProcesses:
    """A scheduler on a fixed port and its workers; output goes to one file per process in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = find_free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.processes: list[subprocess.Popen[bytes]] = []

    def start_scheduler(self) -> "subprocess.Popen[bytes]":
        """Start a scheduler; it accepts connections a moment later."""
        arguments = ["--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard"]
        return self._start("scheduler", "dask_scheduler", [*arguments, "--dashboard-address", "127.0.0.1:0"], {})

    def start_worker(
        self, name: str, *options: str, environment: Mapping[str, str] | None = None
    ) -> "subprocess.Popen[bytes]":
        """Start a worker with one thread."""
        arguments = [self.address, "--name", name, "--host", "127.0.0.1", "--local-directory", str(self.folder)]
        return self._start(name, "dask_worker", [*arguments, *(options or _WORKER_OPTIONS)], environment or {})

    def is_listening(self) -> bool:
        """Whether the scheduler accepts connections."""
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    def close(self) -> None:
        """End all processes."""
        for process in self.processes:
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()

    def _start(
        self, name: str, module: str, arguments: Sequence[str], environment: Mapping[str, str]
    ) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments]
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                command, stdout=log, stderr=log, env={**os.environ, **environment}, cwd=self.folder
            )
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
