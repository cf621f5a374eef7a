"""Runs a function for many tasks, on all cores of this machine or on a cluster."""

from collections.abc import Callable, Generator, Iterable
from typing import TypeVar

from fourfall.cluster.process_pool import run_in_processes

T = TypeVar("T")
R = TypeVar("R")


def run_tasks(
    function: Callable[[T], R], tasks: Iterable[T], *, cluster: str | None = None, workers: int | None = None
) -> Generator[tuple[T, R]]:
    """Yield each task with its result, in the order of completion.

    If a worker is lost, its task is run again by another one; no task is yielded twice. Tasks are taken from the
    iterable when workers are free. An exception of the function is raised here, and ends the run. Closing the generator
    or an interrupt (Ctrl-C) ends the processes of this machine at once; a task that a worker of a remote cluster has
    begun is finished there, and its result is dropped.

    Args:
        function: a function of a module; it, the tasks and the results are pickled. The workers must have the module.
        tasks: the arguments, one for each call.
        cluster: address of a cluster, `tcp://HOST:PORT`, `tls://HOST:PORT` or `local:N`, which needs the extra
            `cluster`. By default, processes of this machine are used, which have the niceness of this process.
        workers: number of processes without a cluster, by default the number of cores that this process may use.

    Raises:
        ClusterAddressError: the address of the cluster is malformed.
        WorkerError: the cluster cannot be reached, its workers cannot be used, or several workers died in one task.

    >>> sorted(run_tasks(len, ["a", "bb", "ccc"], workers=2))
    [('a', 1), ('bb', 2), ('ccc', 3)]
    """
    if cluster is None:
        yield from run_in_processes(function, tasks, workers)
        return
    from fourfall.cluster.connection import connect
    from fourfall.cluster.dispatcher import Dispatcher

    with connect(cluster) as connection:
        dispatcher: Dispatcher[T, R] = Dispatcher(connection, function)
        yield from dispatcher.run(tasks)
