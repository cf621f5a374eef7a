"""Connection to a Dask scheduler: lists its workers, sends them calls and collects the outcomes.

The package distributed is imported when a connection is opened.
"""

import contextlib
import logging
import queue
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fourfall.cluster.address import parse_cluster_address
from fourfall.cluster.errors import WorkerError
from fourfall.cluster.local_cluster import start_local_cluster
from fourfall.cluster.outcome import Outcome, run_function
from fourfall.extras import describe_missing_package

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_S = 5.0
"""Time for the first connection to a scheduler."""

RECONNECT_S = 60.0
"""Time for which a lost scheduler, or the first or the last worker of a cluster, is waited for."""

_CLOSE_S = 3.0
_RPC_S = 10.0  # for an answer of the scheduler
_FETCH_S = 2.0  # for outcomes of several workers together
_FETCH_ALONE_S = 30.0


class ConnectionLostError(Exception):
    """The scheduler does not answer any more."""


@dataclass(frozen=True)
class WorkerIdentity:
    """A worker as the scheduler knows it; `last_seen` changes with every sign of life."""

    address: str
    name: str
    threads: int
    last_seen: float


@dataclass(frozen=True)
class Finished:
    """A finished call; without an outcome, its worker or the scheduler was lost."""

    key: str
    outcome: Outcome[Any] | None


@contextmanager
def connect(address: str, *, connect_s: float = CONNECT_S) -> Iterator["Connection"]:
    """Yield a connection to a cluster; `local:N` starts its processes, which end with this one.

    ClusterAddressError: the address is malformed. WorkerError: there is no scheduler, or a package is missing.
    """
    parsed = parse_cluster_address(address)
    import_distributed()
    with contextlib.ExitStack() as stack:
        scheduler = parsed.scheduler or stack.enter_context(start_local_cluster(parsed.local_workers))
        connection = Connection(scheduler, connect_s)
        stack.callback(connection.close)
        yield connection


def import_distributed() -> None:
    """Import the package distributed and silence its log; WorkerError says how to install it.

    The log has tracebacks for every lost connection. The status of the workers says the same in plain words.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import distributed  # noqa: F401
    except ModuleNotFoundError as missing:
        raise WorkerError(describe_missing_package("a cluster", "cluster", missing)) from None
    for name in ("distributed", "tornado", "asyncio", "dask"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    for name in list(logging.Logger.manager.loggerDict):
        if name.startswith("distributed."):
            logging.getLogger(name).setLevel(logging.NOTSET)


class Connection:
    """A client of a scheduler. Only one thread may use it."""

    def __init__(self, scheduler: str, connect_s: float = CONNECT_S) -> None:
        self.scheduler = scheduler
        self._finished: queue.SimpleQueue[Finished] = queue.SimpleQueue()
        self._futures: dict[str, Future] = {}
        self._prefix = f"fourfall-{uuid.uuid4().hex}"
        self._count = 0
        self._client = _open_client(scheduler, connect_s)
        self._collector = _Collector(self._client, self._finished)

    def list_workers(self) -> dict[str, WorkerIdentity]:
        """Return the workers by address; ConnectionLostError if the scheduler does not answer."""
        if self._client.status != "running":
            raise ConnectionLostError
        try:
            identity = self._client.sync(self._client.scheduler.identity, n_workers=-1, callback_timeout=_RPC_S)
        except Exception:  # what distributed raises depends on the moment of the failure
            raise ConnectionLostError from None
        return {
            address: WorkerIdentity(address, str(worker["name"]), worker["nthreads"], worker["last_seen"])
            for address, worker in identity["workers"].items()
        }

    def submit(self, worker: str, function: Callable[..., Any], *arguments: object) -> str:
        """Start a call on one worker and return its key; `take_finished` returns its outcome."""
        self._count += 1
        key = f"{self._prefix}-{self._count}"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about the size of arguments
                future = self._client.submit(
                    run_function, function, *arguments, key=key, workers=[worker], allow_other_workers=False, pure=False
                )
        except Exception:
            raise ConnectionLostError from None
        self._futures[key] = future
        future.add_done_callback(self._collector.add)
        return key

    def take_finished(self, timeout_s: float) -> list[Finished]:
        """Wait for finished calls and return them; an empty list after the timeout. Cancelled calls are left out."""
        found: list[Finished] = []
        with contextlib.suppress(queue.Empty):
            found.append(self._finished.get(timeout=timeout_s))
            while True:
                found.append(self._finished.get_nowait())
        return [finished for finished in found if self._futures.pop(finished.key, None) is not None]

    def cancel(self, keys: Iterable[str]) -> None:
        """Forget calls: those that have not started are not run, and the outcomes of the others are dropped."""
        futures = [future for key in keys if (future := self._futures.pop(key, None)) is not None]
        if futures and self._client.status == "running":
            with contextlib.suppress(Exception):
                self._client.sync(self._client._cancel, futures, callback_timeout=_RPC_S)

    def reconnect(self, patience_s: float, is_cancelled: Callable[[], bool] = lambda: False) -> None:
        """Connect again to a scheduler that was lost; all calls are forgotten. WorkerError if it does not come back."""
        self.close()
        deadline = time.monotonic() + patience_s
        while not is_cancelled():
            try:
                self._client = _open_client(self.scheduler, min(CONNECT_S, max(0.5, deadline - time.monotonic())))
            except WorkerError:
                if time.monotonic() < deadline:
                    time.sleep(0.2)
                    continue
                raise WorkerError(
                    f"the scheduler {self.scheduler} was lost and did not come back within {patience_s:g} s; what is "
                    "finished is kept; when the scheduler runs again, continue with --resume"
                ) from None
            self._collector = _Collector(self._client, self._finished)
            return

    def close(self) -> None:
        """Cancel all calls and close the connection."""
        self.cancel(list(self._futures))
        self._collector.close()
        with contextlib.suppress(Exception):
            self._client.close(timeout=_CLOSE_S)


class _Collector:
    """Thread that fetches the outcomes of finished calls, many with one message."""

    def __init__(self, client: "Client", finished: "queue.SimpleQueue[Finished]") -> None:
        self._client = client
        self._finished = finished
        self._done: queue.SimpleQueue[Future | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    def add(self, future: "Future") -> None:
        self._done.put(future)

    def close(self) -> None:
        self._done.put(None)

    def _run(self) -> None:
        while True:
            futures = [self._done.get()]
            with contextlib.suppress(queue.Empty):
                while True:
                    futures.append(self._done.get_nowait())
            for key, outcome in self._fetch([future for future in futures if future is not None]).items():
                self._finished.put(Finished(key, outcome))
            if None in futures:
                return

    def _fetch(self, futures: "list[Future]") -> dict[str, Outcome[Any] | None]:
        outcomes: dict[str, Outcome[Any] | None] = {}
        ready = {}
        for future in futures:
            outcomes[future.key] = None
            if future.status == "finished":
                ready[future.key] = future
            elif future.status == "error":  # the worker could not even call the function
                with contextlib.suppress(Exception):
                    error = future.exception(timeout=_RPC_S)
                    outcomes[future.key] = Outcome(error=error if isinstance(error, Exception) else None)
        if ready:
            try:
                outcomes |= self._gather(list(ready), _FETCH_S)
            except Exception:  # a worker stands still or was lost: its outcomes must not hold up those of others
                for key in ready:
                    del outcomes[key]
                    threading.Thread(target=self._fetch_alone, args=(ready[key],), daemon=True).start()
        return outcomes

    def _fetch_alone(self, future: "Future") -> None:
        """Fetch one outcome; the reference to the future keeps its result at the worker."""
        outcome: Outcome[Any] | None = None
        with contextlib.suppress(Exception):
            outcome = self._gather([future.key], _FETCH_ALONE_S)[future.key]
        self._finished.put(Finished(future.key, outcome))

    def _gather(self, keys: list[str], timeout_s: float) -> dict[str, Outcome[Any]]:
        """Ask the scheduler for results; an exception if it does not get them all.

        `Client.gather` shares its state between concurrent calls: one that times out can make the others fail.
        """
        answer = self._client.sync(self._client.scheduler.gather, keys=keys, callback_timeout=timeout_s)
        outcomes: dict[str, Outcome[Any]] = answer["data"]
        return outcomes


def _open_client(scheduler: str, timeout_s: float) -> "Client":
    """Connect in a thread: for a service that accepts connections and sends nothing, distributed waits without end."""
    answers: queue.SimpleQueue[Client | Exception] = queue.SimpleQueue()
    threading.Thread(target=_connect_client, args=(scheduler, timeout_s, answers), daemon=True).start()
    try:
        answer = answers.get(timeout=2 * timeout_s)
    except queue.Empty:
        answer = TimeoutError("something accepts connections there, but does not answer like a scheduler")
    if isinstance(answer, Exception):
        raise WorkerError(_describe_connection_error(scheduler, answer)) from None
    return answer


def _connect_client(scheduler: str, timeout_s: float, answers: "queue.SimpleQueue[Client | Exception]") -> None:
    from distributed import Client

    class QuietClient(Client):  # type: ignore[misc]
        def __del__(self) -> None:
            """Do nothing: one that did not connect would wait 10 s and write a traceback. `Connection` closes it."""

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about versions; each worker is checked before it gets work
            answers.put(QuietClient(scheduler, timeout=timeout_s, set_as_default=False, name="fourfall"))
    except Exception as error:
        answers.put(error)


def _describe_connection_error(scheduler: str, error: Exception) -> str:
    reason = str(error).partition("\n")[0]
    if scheduler.startswith("tcp:") and "encryption required" in reason:
        return (
            f"no connection to the scheduler {scheduler}: the configuration of Dask requires encryption "
            "(distributed.comm.require-encryption); write tls:// instead of tcp://"
        )
    if scheduler.startswith("tls:") and ("TLS" in reason or "ssl" in reason.lower()):
        return (
            f"no connection to the scheduler {scheduler}: {reason}; Dask reads the certificates from "
            "distributed.comm.tls in its configuration, or from DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "
            "...__CLIENT__CERT and ...__CLIENT__KEY"
        )
    return (
        f"no connection to the scheduler {scheduler}: {reason}; check the address, and that a scheduler runs there "
        "(start one with: dask scheduler --no-dashboard)"
    )
