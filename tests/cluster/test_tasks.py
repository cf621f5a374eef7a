"""Tests `run_tasks`: processes of this machine, a local cluster, and a scheduler with workers that are killed."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from fourfall.cluster.address import parse_cluster_address
from fourfall.cluster.connection import connect
from fourfall.cluster.dispatcher import Dispatcher
from fourfall.cluster.errors import ClusterAddressError, WorkerError
from fourfall.cluster.status import WorkerState
from fourfall.cluster.tasks import run_tasks
from tests.cluster.dask_processes import DaskProcesses
from tests.processes import find_free_port, find_processes, wait_until


@pytest.fixture(params=["processes", "scheduler"])
def cluster(request: pytest.FixtureRequest) -> str | None:
    """Return where tasks run: in processes of this machine, or on a scheduler's workers."""
    if request.param == "processes":
        return None
    dask: DaskProcesses = request.getfixturevalue("dask")
    return dask.address


def test_every_task_is_yielded_once(cluster: str | None) -> None:
    """Every task comes back with its result."""
    assert sorted(run_tasks(abs, range(-40, 0), cluster=cluster, workers=2)) == [(-n, n) for n in range(40, 0, -1)]
    assert list(run_tasks(abs, [], cluster=cluster)) == []


def test_exception_of_the_function_is_raised(cluster: str | None) -> None:
    """The caller gets the exception of the function."""
    with pytest.raises(ValueError, match="invalid literal"):
        list(run_tasks(int, ["1", "2", "x", "4"], cluster=cluster))


def test_tasks_are_taken_when_workers_are_free(cluster: str | None) -> None:
    """An infinite iterable of tasks is possible, and closing the generator ends the run."""

    def count() -> Iterator[int]:
        number = 0
        while True:
            number += 1
            taken.append(number)
            yield number

    taken: list[int] = []
    with closing(run_tasks(abs, count(), cluster=cluster, workers=2)) as results:
        for _ in range(3):
            next(results)
    assert len(taken) < 20


def test_task_that_ends_its_process(tmp_path: Path) -> None:
    """After three deaths in one task the run fails with a message that names the task."""
    with pytest.raises(
        WorkerError, match=r"3 worker processes died in one task \(7\); the last one exited with code 7"
    ):
        list(run_tasks(os._exit, [7], workers=1))


def test_task_of_a_killed_process_is_run_again() -> None:
    """Killed processes are replaced, and no task is lost or yielded twice."""
    results = run_tasks(time.sleep, [0.5 + number / 1000 for number in range(4)], workers=2)
    tasks = []
    with closing(results):
        tasks.append(next(results)[0])
        for process in find_processes("fourfall.cluster.task_worker"):
            if get_parent(process) == os.getpid():
                os.kill(process, signal.SIGKILL)
        tasks += [task for task, _ in results]
    assert sorted(tasks) == [0.5, 0.501, 0.502, 0.503]


def test_tasks_of_killed_workers_are_run_again(dask: DaskProcesses) -> None:
    """A worker is killed in its task and another one joins; every task is yielded once."""
    victim = dask.start_worker("victim")
    tasks = [0.3 + number / 1000 for number in range(12)]
    done = []
    for task, _ in run_tasks(time.sleep, tasks, cluster=dask.address):
        done.append(task)
        if len(done) == 4:
            victim.kill()
            dask.start_worker("late")
    assert sorted(done) == tasks


def test_run_that_ends_before_a_worker_is_examined(dask: DaskProcesses) -> None:
    """The report of a worker that was not ready in one run of a dispatcher arrives in a later one."""
    with connect(dask.address) as connection:
        dispatcher: Dispatcher[int, int] = Dispatcher(connection, abs)
        assert wait_until(lambda: len(connection.list_workers()) >= 2)

        def is_ready() -> bool:
            assert list(dispatcher.run([-1])) == [(-1, 1)]
            return {worker.name: worker.state for worker in dispatcher.status.workers}["worker-1"] is WorkerState.OK

        dask.processes[2].send_signal(signal.SIGSTOP)
        try:
            assert not is_ready()
        finally:
            dask.processes[2].send_signal(signal.SIGCONT)
        assert wait_until(is_ready)


def test_local_use_does_not_import_distributed() -> None:
    """Without a cluster the package distributed is not imported, and need not be installed."""
    program = (
        "import sys\nsys.modules['distributed'] = None\nfrom fourfall.cluster.tasks import run_tasks\n"
        "print(sum(result for _, result in run_tasks(abs, [-1, -2], workers=1)))\n"
        "try:\n    list(run_tasks(abs, [1], cluster='local:1'))\n"
        "except RuntimeError as error:\n    print(error)\n"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert output.splitlines()[0] == "3"
    assert 'a cluster needs the package distributed; install it with: pip install "fourfall[cluster]"' in output


def test_local_cluster_listens_on_loopback_and_ends_with_its_driver() -> None:
    """All sockets of `local:2` are on loopback; when the driver is killed, no process remains."""
    program = (
        "import time\nfrom fourfall.cluster.tasks import run_tasks\n"
        "for task, _ in run_tasks(time.sleep, [0.01, 60, 60], cluster='local:2'): print(task, flush=True)\n"
    )
    driver = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    try:
        assert driver.stdout is not None
        assert driver.stdout.readline() == b"0.01\n"
        processes = find_processes("fourfall.cluster.local_node")
        node = [process for process in processes if get_parent(process) == driver.pid]
        members = [process for process in processes if get_parent(process) in node]
        assert len(members) == 3
        hosts = {host for process in members for host in list_listening_hosts(process)}
        assert hosts == {"127.0.0.1"}
    finally:
        driver.kill()
        driver.communicate()
    assert wait_until(lambda: not any(map(is_running, [*node, *members])))


def read_status(process: int) -> list[str]:
    """Return the state of a process, the id of its parent and more."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def get_parent(process: int) -> int:
    """Return the id of the parent process."""
    return int(read_status(process)[1])


def is_running(process: int) -> bool:
    """Whether a process has not ended; one whose parent has not asked for its exit code has."""
    try:
        return read_status(process)[0] != "Z"
    except OSError:
        return False


def list_listening_hosts(process: int) -> set[str]:
    """Return the IPv4 addresses on which a process listens for TCP connections; IPv6 counts as `ipv6`."""
    links = [str(link.readlink()) for link in Path(f"/proc/{process}/fd").iterdir() if link.is_symlink()]
    own = {link[8:-1] for link in links if link.startswith("socket:[")}
    hosts = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{process}/net/{table}").read_text().splitlines()[1:]:
            _, local, _, state, *fields = line.split()
            if state == "0A" and fields[5] in own:
                number = bytes.fromhex(local.partition(":")[0])
                hosts.add(socket.inet_ntoa(number[::-1]) if table == "tcp" else "ipv6")
    return hosts


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("10.0.0.1:8786", "is not the address of a cluster; write tcp://HOST:PORT"),
        ("tcp://10.0.0.1", "is not the address of a cluster"),
        ("tcp://10.0.0.1:99999", "the port must be from 1 to 65535"),
        ("ucx://10.0.0.1:8786", "is not the address of a cluster"),
        ("local:0", "the number of workers must be from 1 to 1024"),
        ("local:", "is not the address of a cluster"),
        ("", "is not the address of a cluster"),
    ],
)
def test_malformed_address(address: str, words: str) -> None:
    """The message says which forms are allowed."""
    with pytest.raises(ClusterAddressError, match=words):
        parse_cluster_address(address)


def test_unreachable_scheduler() -> None:
    """The message names the address and how a scheduler is started."""
    address = f"tcp://127.0.0.1:{find_free_port()}"
    words = f"no connection to the scheduler {address}: .*dask scheduler"
    with pytest.raises(WorkerError, match=words), connect(address, connect_s=0.5):
        pass


def test_port_of_another_service() -> None:
    """A service that is not a scheduler gives the same error instead of waiting for ever."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        words = f"no connection to the scheduler {address}: .* does not answer like a scheduler"
        with pytest.raises(WorkerError, match=words), connect(address, connect_s=0.5):
            pass


def test_tls_without_certificates() -> None:
    """The message names the settings of the certificates; the client that did not connect writes nothing later."""
    program = (
        "import gc, sys\n"
        "from fourfall.cluster.connection import connect\n"
        "from fourfall.cluster.errors import WorkerError\n"
        "try:\n    with connect(sys.argv[1], connect_s=0.5): pass\n"
        "except WorkerError as error:\n    print(error)\n"
        "gc.collect()\n"
    )
    command = [sys.executable, "-c", program, f"tls://127.0.0.1:{find_free_port()}"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "Dask reads the certificates from" in result.stdout
    assert result.stderr == ""
