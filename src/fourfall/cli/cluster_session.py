"""Creates the executor with which commands play games on a cluster."""

from collections.abc import Callable, Iterable

from fourfall.arena.cluster_executor import ClusterExecutor
from fourfall.arena.event_workers import add_worker
from fourfall.arena.store import Store
from fourfall.cluster.connection import Connection
from fourfall.cluster.worker_report import WorkerReport


def create_cluster_executor(
    connection: Connection, addresses: Iterable[str], store: Store, get_event: Callable[[], int], *, sandbox: bool
) -> ClusterExecutor:
    """Return an executor for games of these agents, which stores its workers in the event that `get_event` returns.

    `get_event` is called when games are played, so the event can be created after the files of agents were checked.
    """

    def store_worker(name: str, report: WorkerReport) -> None:
        add_worker(store, get_event(), name, report)

    return ClusterExecutor(connection, addresses, sandbox=sandbox, on_worker=store_worker)
