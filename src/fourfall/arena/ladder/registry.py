"""Registers the agents of a ladder: adds, removes, suspends and resumes them."""

import os
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import Literal, get_args

from fourfall.agents.address import parse_address
from fourfall.arena.ladder.settings import LadderSettings
from fourfall.arena.ladder.suspension import RepeatedFailure
from fourfall.arena.name_suggestions import suggest_names
from fourfall.arena.spec import Entrant, SpecError
from fourfall.arena.store import Event, Store, StoreError
from fourfall.system.command_line import join_command, quote_word, split_command

AgentState = Literal["active", "removed", "suspended"]

MIN_AGENTS = 2
_COLUMNS = (
    "name, address, move_time_s, startup_time_s, memory_mb, state, added, active_after, failed, played, failed_game"
)


@dataclass(frozen=True)
class LadderAgent:
    """A registered agent; `failure` says why a suspended agent is suspended.

    Only games after the one with the id `active_after` count for a suspension, so that an agent that was resumed
    starts again.
    """

    entrant: Entrant
    state: AgentState
    added: str
    active_after: int
    failure: RepeatedFailure | None

    @property
    def name(self) -> str:
        """The agent's name in tables."""
        return self.entrant.name

    @property
    def is_active(self) -> bool:
        """Whether the agent is paired."""
        return self.state == "active"


class Ladder:
    """The ladder of a database, opened by `Ladder.open` or `Ladder.create`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/ladder.db") as store:
    ...     ladder = Ladder.create(store)
    ...     ladder.add_agents([Entrant("one", "level-2"), Entrant("two", "level-4")])
    ...     ladder.remove_agent("one")
    ...     [(agent.name, agent.state) for agent in ladder.list_agents()]
    [('one', 'removed'), ('two', 'active')]
    """

    def __init__(self, store: Store, event: Event, settings: LadderSettings) -> None:
        self.store = store
        self.event = event.id
        self.name = event.name
        self.settings = settings

    @classmethod
    def open(cls, store: Store) -> "Ladder":
        """Open the ladder of a database; StoreError if there is none."""
        event = store.find_ladder()
        if event is None or event.ladder is None:
            raise StoreError(
                f"{store.path}: the database has no ladder; register agents with fourfall ladder add ADDRESS "
                f"--db {quote_word(str(store.path))}"
            )
        return cls(store, event, event.ladder)

    @classmethod
    def create(cls, store: Store, name: str = "ladder", settings: LadderSettings | None = None) -> "Ladder":
        """Create a ladder in a database that has none; StoreError if it has one."""
        store.create_ladder(name, LadderSettings() if settings is None else settings)
        return cls.open(store)

    def list_agents(self) -> list[LadderAgent]:
        """List the registered agents in the order in which they were added."""
        query = f"SELECT {_COLUMNS} FROM ladder_agents WHERE event = ? ORDER BY added, rowid"  # noqa: S608
        return [_make_agent(row, self.store.path) for row in self.store.query(query, [self.event])]

    def find_agent(self, name: str) -> LadderAgent:
        """Return the agent with this name; StoreError names similar ones."""
        agents = {agent.name: agent for agent in self.list_agents()}
        if name not in agents:
            suggestion = suggest_names(name, agents)
            raise StoreError(f"{self.store.path}: the ladder has no agent {name!r}{suggestion}")
        return agents[name]

    def add_agents(self, entrants: Sequence[Entrant]) -> None:
        """Register agents, all or none; a name that is used already is an error, also that of a removed agent."""
        with self.store.transact() as connection:
            known = {agent.name: agent for agent in self.list_agents()}
            for entrant in entrants:
                check_entrant(entrant)
                if entrant.name in known:
                    raise StoreError(f"{self.store.path}: {_describe_duplicate(entrant, known[entrant.name])}")
                values = {
                    "event": self.event,
                    **vars(entrant),
                    "state": "active",
                    "added": datetime.now(UTC).isoformat(timespec="seconds"),
                    "active_after": self._find_last_game(connection),
                }
                columns, places = ", ".join(values), ", ".join(f":{key}" for key in values)
                connection.execute(f"INSERT INTO ladder_agents ({columns}) VALUES ({places})", values)  # noqa: S608
                known[entrant.name] = LadderAgent(entrant, "active", "", 0, None)

    def remove_agent(self, name: str) -> None:
        """Pair an agent no more; its games and its rating are kept."""
        self._change_state(name, "removed")

    def resume_agent(self, name: str) -> None:
        """Pair a removed or suspended agent again; its earlier failures do not count any more."""
        self._change_state(name, "active")

    def suspend_agent(self, name: str, failure: RepeatedFailure) -> None:
        """Pair an agent no more because it keeps failing."""
        with self.store.transact() as connection:
            connection.execute(
                "UPDATE ladder_agents SET state = 'suspended', failed = ?, played = ?, failed_game = ?"
                " WHERE event = ? AND name = ? AND state = 'active'",
                [failure.failed, failure.played, failure.game, self.event, name],
            )

    def _change_state(self, name: str, state: AgentState) -> None:
        agent = self.find_agent(name)
        if agent.state == state:
            raise StoreError(f"{self.store.path}: the agent {name!r} is {state} already")
        with self.store.transact() as connection:
            connection.execute(
                "UPDATE ladder_agents SET state = ?, active_after = ?, failed = NULL, played = NULL, failed_game = NULL"
                " WHERE event = ? AND name = ?",
                [state, self._find_last_game(connection), self.event, name],
            )

    def _find_last_game(self, connection: sqlite3.Connection) -> int:
        [last] = connection.execute("SELECT coalesce(max(id), 0) FROM games").fetchone()
        return int(last)


def make_agent_name(address: str) -> str:
    """Return a short name for an agent: the file or folder of third-party code, otherwise the address.

    >>> make_agent_name("library:/srv/bots/alice.so"), make_agent_name("library:/srv/bob/main.so?read=/srv/bob/book")
    ('alice', 'bob')
    >>> make_agent_name("program:./mine --fast"), make_agent_name("seed-002?simulations=100")
    ('mine', 'seed-002?simulations=100')
    """
    parsed = parse_address(address)
    match parsed.kind:
        case "":
            return address
        case "program" | "program+json" | "ugi":
            target = split_command(parsed.target)[0]
        case "python":
            target = parsed.target.rpartition(":")[0] or parsed.target
        case _:
            target = parsed.target
    path = PurePath(os.path.normpath(target))
    name = path.parent.name if path.stem == "main" and path.parent.name else path.stem
    return name if name.strip() and name.isprintable() else address


def check_entrant(entrant: Entrant) -> None:
    """Raise SpecError if the name, the address or a limit of an agent is out of range.

    >>> check_entrant(Entrant("me", "level-2", memory_mb=1))
    Traceback (most recent call last):
    fourfall.arena.spec.SpecError: agent 'me': memory_mb must be a whole number from 16 to 1048576, not 1
    """
    from fourfall.arena.spec_schema import AgentTable
    from fourfall.validation import InputError, validate

    if not entrant.name.strip():
        raise SpecError("the name of an agent is empty")
    try:
        validate(AgentTable, vars(entrant), f"agent {entrant.name!r}")
    except InputError as error:
        raise SpecError(str(error)) from None


def _make_agent(row: sqlite3.Row, path: Path) -> LadderAgent:
    name, address, move_time_s, startup_time_s, memory_mb, state, added, active_after, failed, played, game = row
    entrant = Entrant(str(name), address, move_time_s, startup_time_s, memory_mb)
    try:
        check_entrant(entrant)
        if state not in get_args(AgentState) or not isinstance(active_after, int):
            raise SpecError(f"agent {entrant.name!r}: invalid state")
    except SpecError as error:
        raise StoreError(f"{path}: the ladder is damaged: {error}") from None
    failure = RepeatedFailure(failed, played, game) if isinstance(game, int) else None
    return LadderAgent(entrant, state, str(added), active_after, failure)


def _describe_duplicate(entrant: Entrant, known: LadderAgent) -> str:
    if known.state == "active":
        return f"the ladder has an agent {entrant.name!r} already ({known.entrant.address}); choose another name"
    if known.entrant == entrant:
        command = join_command(["fourfall", "ladder", "resume", entrant.name])
        return f"the agent {entrant.name!r} is {known.state}; activate it with {command}"
    return (
        f"{entrant.name!r} is the name of a {known.state} agent ({known.entrant.address}), whose games are kept; "
        "choose another name"
    )
