"""Stores which workers of a cluster played an event: their machines, versions and speeds."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from fourfall.arena.store import Store
from fourfall.cluster.worker_report import WorkerReport

# Created with the first worker, so a database without one does not have it, and the version of the schema is unchanged.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS event_workers (
    event INTEGER NOT NULL REFERENCES events (id),
    name TEXT NOT NULL,              -- as in the records of its games
    joined TEXT NOT NULL,
    report TEXT NOT NULL,            -- JSON: machine, versions, speed
    PRIMARY KEY (event, name, joined)
) WITHOUT ROWID
"""


@dataclass(frozen=True)
class EventWorker:
    """A worker of an event; a worker that was examined several times has several entries."""

    name: str
    joined: str
    report: dict[str, object]


def add_worker(store: Store, event: int, name: str, report: WorkerReport) -> None:
    """Store what a worker reported; the process that runs the event calls this before it stores games of the worker."""
    joined = datetime.now(UTC).isoformat(timespec="milliseconds")
    text = json.dumps(asdict(report), ensure_ascii=False, separators=(",", ":"))
    with store.transact() as connection:
        connection.execute(_SCHEMA)
        connection.execute("INSERT OR REPLACE INTO event_workers VALUES (?, ?, ?, ?)", [event, name, joined, text])


def list_workers(store: Store, event: int) -> list[EventWorker]:
    """List the workers of an event in the order in which they joined; empty for events without a cluster."""
    if not list(store.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'event_workers'")):
        return []
    return list(_read_workers(store, event))


def _read_workers(store: Store, event: int) -> Iterator[EventWorker]:
    query = "SELECT name, joined, report FROM event_workers WHERE event = ? ORDER BY joined, name"
    for name, joined, text in store.query(query, [event]):
        try:
            report = json.loads(text)
        except ValueError:
            report = None
        yield EventWorker(str(name), str(joined), report if isinstance(report, dict) else {})
