"""Stores events and their games in a SQLite database; each game is added in one transaction."""

import json
import logging
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from fourfall.arena.database import (
    LADDER_SCHEMA,
    StoreError,
    StoreFailure,
    connect,
    transaction,
    translate_errors,
)
from fourfall.arena.event_claims import claim_event
from fourfall.arena.ladder.settings import LadderSettings, is_ladder_settings, parse_ladder_settings
from fourfall.arena.name_suggestions import suggest_names
from fourfall.arena.record import GameRecord
from fourfall.arena.schedule import count_games
from fourfall.arena.spec import Spec
from fourfall.arena.spec_file import parse_spec
from fourfall.arena.sprt import GameResult

log = logging.getLogger(__name__)

__all__ = ["Event", "Store", "StoreError", "StoreFailure", "StoredGame"]

_RESULTS = {
    None: "(first = :agent OR second = :agent)",
    "won": "(first = :agent AND winner = 0 OR second = :agent AND winner = 1)",
    "lost": "(first = :agent AND winner = 1 OR second = :agent AND winner = 0)",
    "drawn": "((first = :agent OR second = :agent) AND winner IS NULL)",
}


@dataclass(frozen=True)
class Event:
    """A match, gauntlet, tournament or ladder in the database; `spec` and `planned` are None for imported games.

    A ladder has `ladder`, its settings, instead of a spec and a planned number of games. If the stored spec cannot be
    read, `spec` is None and `spec_error` says why.
    """

    id: int
    name: str
    spec: Spec | None
    planned: int | None
    games: int
    created: str
    spec_error: str | None = None
    ladder: LadderSettings | None = None

    @property
    def is_complete(self) -> bool:
        """Whether every planned game is stored; a ladder is never complete."""
        return self.ladder is None and (self.planned is None or self.games >= self.planned)


@dataclass(frozen=True)
class StoredGame:
    """A game with its number in the database and the number of its event."""

    id: int
    event: int
    record: GameRecord


class Store:
    """The arena's database; a missing file is created unless `create` is false or `read_only` is true.

    Lists leave out games whose record cannot be read; a warning in the log names each of them once.

    >>> import tempfile
    >>> from fourfall.arena.record import EXAMPLE
    >>> with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "arena.db") as store:
    ...     event = store.create_event(Spec.match("seed-000", "seed-002", pairs=1))
    ...     game = store.add_game(event, EXAMPLE)
    ...     store.get_played_numbers(event), store.get_record(game) == EXAMPLE, store.get_event().is_complete
    ({0}, True, False)
    """

    def __init__(self, path: Path | str, *, create: bool = True, read_only: bool = False) -> None:
        self.path = Path(path)
        self._warnings: set[str] = set()
        self._connection = connect(self.path, create=create and not read_only, read_only=read_only)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the database; the store cannot be used afterwards."""
        self._connection.close()

    def create_event(self, spec: Spec, planned: int | None = None) -> int:
        """Create an event without games and return its number; `planned` games are played, by default all scheduled."""
        text = json.dumps(spec.to_dict(), ensure_ascii=False)
        with translate_errors(self.path), transaction(self._connection):
            return self._insert_event(spec.name, text, count_games(spec) if planned is None else planned)

    def create_ladder(self, name: str, settings: LadderSettings) -> int:
        """Create the event of a ladder without agents and return its number; a database has at most one ladder."""
        text = json.dumps(settings.to_dict(), ensure_ascii=False)
        with self.transact() as connection:
            if (event := self.find_ladder()) is not None:
                raise StoreError(f"{self.path}: the database has a ladder already (event {event.id}, {event.name})")
            for statement in LADDER_SCHEMA.split(";\n")[:-1]:
                connection.execute(statement)
            return self._insert_event(name, text, None)

    def find_ladder(self) -> Event | None:
        """Return the event of the ladder, or None."""
        return next((event for event in self.list_events() if event.ladder is not None), None)

    @contextmanager
    def transact(self) -> Iterator[sqlite3.Connection]:
        """Run a transaction on the connection; for modules that have tables of their own in this database."""
        with translate_errors(self.path), transaction(self._connection):
            yield self._connection

    def query(self, query: str, values: object = ()) -> Iterator[sqlite3.Row]:
        """Yield the rows of a query; errors of SQLite are translated."""
        with translate_errors(self.path):
            yield from self._connection.execute(query, values)  # type: ignore[arg-type]

    def list_events(self) -> list[Event]:
        """List the events, oldest first."""
        return [self._make_event(row) for row in self.query(f"{_EVENTS} GROUP BY events.id ORDER BY events.id")]

    def get_event(self, number: int | None = None) -> Event:
        """Return an event by its number, or the latest event."""
        if number is None:
            rows = self.query(f"{_EVENTS} GROUP BY events.id ORDER BY events.id DESC LIMIT 1")
        else:
            rows = self.query(f"{_EVENTS} WHERE events.id = ? GROUP BY events.id", [_limit_range(number)])
        for row in rows:
            return self._make_event(row)
        raise StoreError(f"{self.path}: there is no event" + ("" if number is None else f" {number}"))

    def claim_event(self, event: int) -> AbstractContextManager[None]:
        """Claim an event: until the context exits or the process ends, no other process can run the event."""
        return claim_event(self.path, event)

    def add_game(self, event: int, record: GameRecord) -> int:
        """Add a finished game and return its number in the database; the game is on disk then.

        StoreError: the event has a game with this number already.
        """
        return self.add_games(event, [record])[0]

    def add_games(self, event: int, records: Iterable[GameRecord]) -> list[int]:
        """Add finished games in one transaction, all or none, and return their numbers in the database.

        The games are on disk then. A transaction waits for the disk once, so that many games together take little more
        time than one.
        """
        with translate_errors(self.path), transaction(self._connection):
            return [self._insert_game(event, record) for record in records]

    def get_played_numbers(self, event: int) -> set[int]:
        """Return the schedule numbers of the stored games of an event."""
        query = "SELECT number FROM games WHERE event = ? AND typeof(number) = 'integer'"
        return {number for (number,) in self.query(query, [event])}

    def list_results(self, event: int) -> Iterator[GameResult]:
        """Yield the schedule number and the winner of each game of an event, the input of a sequential test."""
        is_valid = "typeof(number) = 'integer' AND (winner IS NULL OR winner IN (0, 1))"
        rows = self.query(f"SELECT number, winner FROM games WHERE event = ? AND {is_valid} ORDER BY number", [event])  # noqa: S608
        return ((number, winner) for number, winner in rows)

    def stream_results(self, event: int | None = None) -> Iterator[tuple[object, ...]]:
        """Yield event, group, pair, first, second and winner of each game of an event, or of all, as they are stored.

        The columns are read without the records and are not checked.
        """
        order, values = (
            ("ORDER BY id", []) if event is None else ("WHERE event = ? ORDER BY number", [_limit_range(event)])
        )
        query = f'SELECT event, "group", pair, first, second, winner FROM games {order}'  # noqa: S608
        with translate_errors(self.path):
            yield from self._connection.execute(query, values)

    def mark_complete(self, event: int) -> None:
        """Set the number of planned games to that of the stored games, because the sequential test is decided."""
        with translate_errors(self.path), transaction(self._connection):
            query = "UPDATE events SET planned = (SELECT count(*) FROM games WHERE event = events.id) WHERE id = ?"
            self._connection.execute(query, [event])

    def get_record(self, game: int) -> GameRecord:
        """Return the record of a game by its number in the database."""
        for (text,) in self.query("SELECT record FROM games WHERE id = ?", [_limit_range(game)]):
            return self._parse_record(game, text)
        raise StoreError(f"{self.path}: there is no game {game}")

    def find_records(
        self, event: int | None = None, agent: str | None = None, result: str | None = None, ending: str | None = None
    ) -> Iterator[GameRecord]:
        """Yield the records of the games that `find_games` yields."""
        return (game.record for game in self.find_games(event, agent, result, ending))

    def find_games(
        self,
        event: int | None = None,
        agent: str | None = None,
        result: str | None = None,
        ending: str | None = None,
        *,
        latest: int | None = None,
    ) -> Iterator[StoredGame]:
        """Yield games in the order of events and schedule numbers; with `latest` only that many last ones.

        `result` is the agent's result: "won", "lost" or "drawn"; without an agent only "drawn" is allowed.
        """
        parameters: dict[str, str | int] = {}
        conditions = []
        if event is not None:
            conditions.append("event = :event")
            parameters["event"] = self.get_event(event).id
        if agent is not None:
            self._require_agent(agent)
            conditions.append(_RESULTS[result])
            parameters["agent"] = agent
        elif result == "drawn":
            conditions.append("winner IS NULL")
        elif result is not None:
            raise StoreError(f"the result '{result}' needs the name of an agent")
        if ending is not None:
            conditions.append("ending = :ending")
            parameters["ending"] = ending
        where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
        query = f"SELECT id, event, number, record FROM games {where}"  # noqa: S608 (fixed conditions, bound values)
        if latest is not None:
            query = f"SELECT * FROM ({query} ORDER BY event DESC, number DESC LIMIT :latest)"  # noqa: S608
            parameters["latest"] = latest
        for game, owner, _, text in self.query(f"{query} ORDER BY event, number", parameters):
            if (record := self._try_parse_record(game, text)) is not None:
                yield StoredGame(game, owner, record)

    def read_new_games(self, event: int, known: Sequence[StoredGame]) -> list[StoredGame]:
        """Return all games of an event in the order in which they ended; the games in `known` are not read again."""
        latest = known[-1].id if known else 0
        query = "SELECT id, record FROM games WHERE event = ? AND id > ? ORDER BY id"
        rows = self.query(query, [_limit_range(event), latest])
        records = ((game, self._try_parse_record(game, text)) for game, text in rows)
        return [*known, *(StoredGame(game, event, record) for game, record in records if record is not None)]

    def list_agents(self) -> list[str]:
        """List the names of all agents that have played."""
        rows = self.query("SELECT first FROM games UNION SELECT second FROM games ORDER BY 1")
        return [name for (name,) in rows if isinstance(name, str)]

    def import_games(self, name: str, records: Iterable[GameRecord]) -> tuple[int, int]:
        """Add games that were played elsewhere, all or none; return the numbers of new and of known games.

        The games of one call form one event. If the known ones all belong to one imported event, the new ones join it.
        """
        new: list[GameRecord] = []
        events: set[int] = set()
        known = 0
        with translate_errors(self.path), transaction(self._connection):
            for record in records:
                event = self._find_event_of(record)
                if event is None:
                    new.append(record)
                else:
                    known += 1
                    events.add(event)
            if new:
                imported = [event for event in events if self._is_imported(event)]
                target = imported[0] if len(events) == 1 and imported else self._insert_event(name, None, None)
                for record in new:
                    self._insert_game(target, record)
        return len(new), known

    def _is_imported(self, number: int) -> bool:
        event = self.get_event(number)
        return event.spec is None and event.ladder is None and event.spec_error is None

    def _find_event_of(self, record: GameRecord) -> int | None:
        """Return the event that contains an identical game, or None."""
        query = "SELECT event FROM games WHERE started = ? AND record = ?"
        for (event,) in self._connection.execute(query, [record.started, record.to_json()]):
            return int(event)
        return None

    def _insert_event(self, name: str, spec: str | None, planned: int | None) -> int:
        created = datetime.now(UTC).isoformat(timespec="seconds")
        row = self._connection.execute(
            "INSERT INTO events (name, spec, planned, created) VALUES (?, ?, ?, ?)", [name, spec, planned, created]
        )
        return int(row.lastrowid or 0)

    def _insert_game(self, event: int, record: GameRecord) -> int:
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
        except OverflowError:
            raise StoreError(f"{self.path}: the number or the pair of a game is not within 64 bits") from None
        except sqlite3.IntegrityError as error:
            if "FOREIGN KEY" in str(error):
                raise StoreError(f"{self.path}: there is no event {event}") from None
            raise StoreError(f"{self.path}: event {event} has a game {record.number} already") from None
        return int(row.lastrowid or 0)

    def _require_agent(self, agent: str) -> None:
        names = self.list_agents()
        if agent not in names:
            raise StoreError(f"{self.path}: no games of agent {agent!r}{suggest_names(agent, names)}")

    def _parse_record(self, game: int, text: str) -> GameRecord:
        try:
            return GameRecord.from_json(text)
        except ValueError as error:
            raise StoreError(f"{self.path}: game {game} is damaged: {error}") from None

    def _try_parse_record(self, game: int, text: str) -> GameRecord | None:
        """Return a record, or None with a warning if it is damaged."""
        try:
            return self._parse_record(game, text)
        except StoreError as error:
            self._warn(f"{error}; it is left out")
            return None

    def _warn(self, message: str) -> None:
        if message not in self._warnings:
            self._warnings.add(message)
            log.warning("%s", message)

    def _make_event(self, row: sqlite3.Row) -> Event:
        number, name, text, planned, created, games = row
        spec, ladder, spec_error = None, None, None
        if text is not None:
            try:
                values = json.loads(text)
                if is_ladder_settings(values):
                    ladder = parse_ladder_settings(values)
                else:
                    spec = parse_spec(values, "the spec")
            except (ValueError, ArithmeticError, RecursionError, TypeError) as error:
                spec_error = str(error) or type(error).__name__
                self._warn(f"{self.path}: event {number} is damaged: {spec_error}")
        planned = planned if isinstance(planned, int) else None
        return Event(number, _as_text(name), spec, planned, games, _as_text(created), spec_error, ladder)


def _as_text(value: object) -> str:
    """Return a value of a text column; SQLite also stores bytes there."""
    return value if isinstance(value, str) else repr(value)


_EVENTS = """SELECT events.id, name, spec, planned, created, count(games.id)
FROM events LEFT JOIN games ON games.event = events.id"""


def _limit_range(number: int) -> int:
    """Replace a number that does not fit into 64 bits by -1; neither exists in the database."""
    return number if -(2**63) <= number < 2**63 else -1
