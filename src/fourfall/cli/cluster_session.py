"""Connects the commands that play games to a cluster."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from fourfall.arena.cluster_executor import ClusterExecutor
from fourfall.cluster.connection import connect


@contextmanager
def open_cluster_executor(cluster: str, addresses: Sequence[str], *, sandbox: bool) -> Iterator[ClusterExecutor]:
    """Yield an executor for games of these agents; `local:N` starts the workers, which end with the context.

    WorkerError: there is no scheduler, or the package distributed is missing.
    """
    with connect(cluster) as connection:
        yield ClusterExecutor(connection, addresses, sandbox=sandbox)
