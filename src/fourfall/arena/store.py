"""Owns the games on disk: events and their games in one SQLite file, each game appended in one transaction."""

import difflib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from fourfall.arena.claim import claimed
from fourfall.arena.database import StoreError, StoreFailure, connect, plain_errors, transaction
from fourfall.arena.record import GameRecord
from fourfall.arena.schedule import count
from fourfall.arena.spec import Spec
from fourfall.arena.sprt import Result

__all__ = ["Event", "Store", "StoreError", "StoreFailure", "StoredGame"]

_RESULTS = {
    None: "(first = :agent OR second = :agent)",
    "won": "(first = :agent AND winner = 0 OR second = :agent AND winner = 1)",
    "lost": "(first = :agent AND winner = 1 OR second = :agent AND winner = 0)",
    "drawn": "((first = :agent OR second = :agent) AND winner IS NULL)",
}


@dataclass(frozen=True)
class Event:
    """A tournament in the database: its spec, unless the games were imported, and how many games it has of how many."""

    id: int
    name: str
    spec: Spec | None
    planned: int | None
    games: int
    created: str

    @property
    def is_complete(self) -> bool:
        """Whether every scheduled game is there."""
        return self.planned is None or self.games >= self.planned


@dataclass(frozen=True)
class StoredGame:
    """A game with the number under which it can be asked for, and its event."""

    id: int
    event: int
    record: GameRecord


class Store:
    """The arena's database; creates the file unless told otherwise.

    >>> import tempfile
    >>> from fourfall.arena.record import EXAMPLE
    >>> from fourfall.arena.spec import match_spec
    >>> with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "arena.db") as store:
    ...     event = store.create_event(match_spec("seed-000", "seed-002", 1))
    ...     game = store.add(event, EXAMPLE)
    ...     store.played(event), store.record(game) == EXAMPLE, store.event().is_complete
    ({0}, True, False)
    """

    def __init__(self, path: Path | str, *, create: bool = True, read_only: bool = False) -> None:
        self.path = Path(path)
        self._connection = connect(self.path, create=create and not read_only, read_only=read_only)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; the store cannot be used after that."""
        self._connection.close()

    def create_event(self, spec: Spec) -> int:
        """Begin an event; its number."""
        return self._create(spec.name, json.dumps(spec.to_dict(), ensure_ascii=False), count(spec))

    def events(self) -> list[Event]:
        """List the events, oldest first."""
        return [_event(row) for row in self._rows(f"{_EVENTS} GROUP BY events.id ORDER BY events.id")]

    def event(self, number: int | None = None) -> Event:
        """Return an event, the latest if no number is given."""
        if number is None:
            rows = self._rows(f"{_EVENTS} GROUP BY events.id ORDER BY events.id DESC LIMIT 1")
        else:
            rows = self._rows(f"{_EVENTS} WHERE events.id = ? GROUP BY events.id", [_whole(number)])
        for row in rows:
            return _event(row)
        raise StoreError(f"{self.path}: there is no event" + ("" if number is None else f" {number}"))

    def claim(self, event: int) -> AbstractContextManager[None]:
        """Hold an event while running it: no other process can, until this one leaves or dies."""
        return claimed(self.path, event)

    def add(self, event: int, record: GameRecord) -> int:
        """Append a finished game; it is on disk when this returns its number. A game is never added twice."""
        with plain_errors(self.path), transaction(self._connection):
            return self._insert(event, record)

    def played(self, event: int) -> set[int]:
        """Return the numbers of the scheduled games that are there."""
        return {number for (number,) in self._rows("SELECT number FROM games WHERE event = ?", [event])}

    def results(self, event: int) -> Iterator[Result]:
        """Yield what a sequential test has to know of the games of an event."""
        rows = self._rows("SELECT number, winner FROM games WHERE event = ? ORDER BY number", [event])
        return ((number, winner) for number, winner in rows)

    def settle(self, event: int) -> None:
        """Let the games that are there be all that an event was to have, because its test is decided."""
        with plain_errors(self.path), transaction(self._connection):
            query = "UPDATE events SET planned = (SELECT count(*) FROM games WHERE event = events.id) WHERE id = ?"
            self._connection.execute(query, [event])

    def record(self, game: int) -> GameRecord:
        """Return a game by the number that the lists show."""
        for (text,) in self._rows("SELECT record FROM games WHERE id = ?", [_whole(game)]):
            return self._parsed(game, text)
        raise StoreError(f"{self.path}: there is no game {game}")

    def records(
        self, event: int | None = None, agent: str | None = None, result: str | None = None, ending: str | None = None
    ) -> Iterator[GameRecord]:
        """Yield the records of the games that `games` finds, in the order of the schedule."""
        return (game.record for game in self.games(event, agent, result, ending))

    def games(
        self,
        event: int | None = None,
        agent: str | None = None,
        result: str | None = None,
        ending: str | None = None,
        *,
        latest: int | None = None,
    ) -> Iterator[StoredGame]:
        """Yield games by event and number, only the `latest` so many if asked.

        `result` is what the agent did: "won", "lost" or "drawn"; without an agent only "drawn" makes sense.
        """
        wanted: dict[str, str | int] = {}
        conditions = []
        if event is not None:
            conditions.append("event = :event")
            wanted["event"] = self.event(event).id
        if agent is not None:
            self._require_agent(agent)
            conditions.append(_RESULTS[result])
            wanted["agent"] = agent
        elif result == "drawn":
            conditions.append("winner IS NULL")
        elif result is not None:
            raise StoreError(f"who {result}? name the agent")
        if ending is not None:
            conditions.append("ending = :ending")
            wanted["ending"] = ending
        where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
        chosen = f"SELECT id, event, number, record FROM games {where}"  # noqa: S608 (fixed conditions, bound values)
        if latest is not None:
            chosen = f"SELECT * FROM ({chosen} ORDER BY event DESC, number DESC LIMIT :latest)"  # noqa: S608
            wanted["latest"] = latest
        for game, owner, _, text in self._rows(f"{chosen} ORDER BY event, number", wanted):
            yield StoredGame(game, owner, self._parsed(game, text))

    def games_after(self, event: int, known: Sequence[StoredGame]) -> list[StoredGame]:
        """Return the games of an event in the order in which they ended; `known` are read already, the first ones."""
        latest = known[-1].id if known else 0
        query = "SELECT id, record FROM games WHERE event = ? AND id > ? ORDER BY id"
        rows = self._rows(query, [_whole(event), latest])
        return [*known, *(StoredGame(game, event, self._parsed(game, text)) for game, text in rows)]

    def agents(self) -> list[str]:
        """List the names of all agents that have played."""
        return [name for (name,) in self._rows("SELECT first FROM games UNION SELECT second FROM games ORDER BY 1")]

    def import_games(self, name: str, records: Iterable[GameRecord]) -> tuple[int, int]:
        """Add games that were played elsewhere, all or none; how many are new, and how many were there already.

        The games of one call are one event. If some of them came in earlier, the new ones join their event.
        """
        new: list[GameRecord] = []
        homes: set[int] = set()
        known = 0
        with plain_errors(self.path), transaction(self._connection):
            for record in records:
                home = self._home(record)
                if home is None:
                    new.append(record)
                else:
                    known += 1
                    homes.add(home)
            if new:
                imported = [home for home in homes if self.event(home).spec is None]
                event = imported[0] if len(homes) == 1 and imported else self._begin(name, None, None)
                for record in new:
                    self._insert(event, record)
        return len(new), known

    def _home(self, record: GameRecord) -> int | None:
        """Return the event that has exactly this game."""
        query = "SELECT event FROM games WHERE started = ? AND record = ?"
        for (event,) in self._connection.execute(query, [record.started, record.to_json()]):
            return int(event)
        return None

    def _create(self, name: str, spec: str | None, planned: int | None) -> int:
        with plain_errors(self.path), transaction(self._connection):
            return self._begin(name, spec, planned)

    def _begin(self, name: str, spec: str | None, planned: int | None) -> int:
        created = datetime.now(UTC).isoformat(timespec="seconds")
        row = self._connection.execute(
            "INSERT INTO events (name, spec, planned, created) VALUES (?, ?, ?, ?)", [name, spec, planned, created]
        )
        return int(row.lastrowid or 0)

    def _insert(self, event: int, record: GameRecord) -> int:
        values = {
            "event": event,
            "number": record.number,
            "pair": record.pair,
            "group": record.group,
            "first": record.names[0],
            "second": record.names[1],
            "ending": record.ending.value,
            "winner": record.winner,
            "culprit": record.culprit,
            "moves": len(record.moves),
            "started": record.started,
            "record": record.to_json(),
        }
        columns = ", ".join(f'"{column}"' for column in values)
        places = ", ".join("?" * len(values))
        try:
            row = self._connection.execute(
                f"INSERT INTO games ({columns}) VALUES ({places})",  # noqa: S608 (names from the lines above)
                list(values.values()),
            )
        except sqlite3.IntegrityError as error:
            if "FOREIGN KEY" in str(error):
                raise StoreError(f"{self.path}: there is no event {event}") from None
            raise StoreError(f"{self.path}: game {record.number} of event {event} is there already") from None
        return int(row.lastrowid or 0)

    def _require_agent(self, agent: str) -> None:
        names = self.agents()
        if agent not in names:
            near = difflib.get_close_matches(agent, names, n=3, cutoff=0.4) or names[:8]
            listed = f"; near ones: {', '.join(near)}" if near else ""
            raise StoreError(f"{self.path}: no game of {agent!r}{listed}")

    def _rows(self, query: str, values: object = ()) -> Iterator[sqlite3.Row]:
        with plain_errors(self.path):
            yield from self._connection.execute(query, values)  # type: ignore[arg-type]

    def _parsed(self, game: int, text: str) -> GameRecord:
        try:
            return GameRecord.from_json(text)
        except ValueError as error:
            raise StoreError(f"{self.path}: game {game}: {error}") from None


_EVENTS = """SELECT events.id, name, spec, planned, created, count(games.id)
FROM events LEFT JOIN games ON games.event = events.id"""


def _event(row: sqlite3.Row) -> Event:
    number, name, spec, planned, created, games = row
    return Event(number, name, None if spec is None else Spec.from_dict(json.loads(spec)), planned, games, created)


def _whole(number: int) -> int:
    """Keep a number that people type within what SQLite can hold; no such number exists anyway."""
    return number if -(2**63) <= number < 2**63 else -1
