"""Runs a tournament on a cluster of machines with Dask, or on several processes of this machine.

On one machine:

    pip install "fourfall[cluster]"
    python examples/cluster_tournament.py examples/tournament.toml --workers 2

On a cluster, start the scheduler and the workers first, one worker for each core that plays:

    dask scheduler --host SCHEDULER --no-dashboard
    dask worker tcp://SCHEDULER:8786 --nthreads 1 --nworkers 8 --no-dashboard
    python examples/cluster_tournament.py examples/tournament.toml --cluster tcp://SCHEDULER:8786

Everyone who reaches the scheduler can run code on the workers, so use a network that only you can reach, or Dask's TLS
options. This process alone writes the games into the database; --resume plays the games that an earlier run left out.
Built-in engines and third-party agents can play. The file of a third-party agent must exist on every machine under the
same path, and the machine must be able to run it in the sandbox.
"""

import argparse
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

try:
    from distributed import Client, LocalCluster
except ModuleNotFoundError as missing:
    install = 'pip install "fourfall[cluster]"'
    raise SystemExit(f"this example needs the package {missing.name}; install it with: {install}") from None

from fourfall.agents.registry import check_address
from fourfall.arena.cluster_executor import ClusterExecutor
from fourfall.arena.event_runner import find_unfinished_event, run_event
from fourfall.arena.executor import WorkerError
from fourfall.arena.spec import SpecError
from fourfall.arena.spec_file import load_spec
from fourfall.arena.store import Store, StoreError, StoreFailure
from fourfall.arena.tables import replace_control_characters


@contextmanager
def connect(address: str | None, workers: int) -> Iterator[Client]:
    """Yield a client of a running scheduler, or of worker processes of this machine that nobody else can reach."""
    if address is not None:
        try:
            client = Client(address, timeout=10)
        except (OSError, ValueError) as error:
            raise SystemExit(f"--cluster {address}: no connection to a scheduler: {error}") from None
        with client:
            yield client
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends this process, which then ends the workers
    cluster = LocalCluster(n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None)
    signal.signal(signal.SIGINT, handler)
    with cluster, Client(cluster) as client:
        yield client


def run_tournament(store: Store, event: int, executor: ClusterExecutor) -> None:
    """Play the missing games of an event on the workers, and print each result when it is stored."""
    planned = store.get_event(event).planned
    with closing(run_event(store, event, (), executor=executor)) as records:
        for record in records:
            result = "draw" if record.winner is None else f"{record.names[record.winner]} won"
            failure = "" if record.culprit is None else f" ({record.ending} of {record.names[record.culprit]})"
            count = len(store.get_played_numbers(event))
            line = f"{count} of {planned}: {record.names[0]} against {record.names[1]}: {result}{failure}"
            print(replace_control_characters(line), flush=True)


def main() -> None:
    """Run the example."""
    parser = argparse.ArgumentParser(description="Run a tournament on a Dask cluster.")
    parser.add_argument("spec", type=Path, help="tournament file (TOML), as for fourfall tournament")
    parser.add_argument("--db", type=Path, default=Path("cluster.db"), help="database (default: cluster.db)")
    parser.add_argument("--resume", action="store_true", help="play the games that an earlier run left out")
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--cluster", metavar="ADDRESS", help="address of a scheduler, for example tcp://10.0.0.1:8786")
    place.add_argument("--workers", type=int, default=2, help="worker processes on this machine (default: 2)")
    arguments = parser.parse_args()
    if arguments.workers < 1:
        parser.error("--workers must be at least 1")
    try:
        spec = load_spec(arguments.spec, check_address)
        with Store(arguments.db) as store, connect(arguments.cluster, arguments.workers) as client:
            executor = ClusterExecutor(client, [agent.address for agent in spec.agents], sandbox=spec.sandbox)
            event = find_unfinished_event(store, spec) if arguments.resume else store.create_event(spec)
            run_tournament(store, event, executor)
    except (SpecError, StoreError) as error:
        parser.error(str(error))
    except (StoreFailure, WorkerError) as error:
        raise SystemExit(str(error)) from None
    except KeyboardInterrupt:
        raise SystemExit("Stopped; the finished games are stored. Continue with --resume.") from None
    print(f"Show the standings: fourfall rate {arguments.db} --event {event}")


if __name__ == "__main__":
    main()
