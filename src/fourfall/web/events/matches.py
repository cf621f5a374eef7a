"""Starts and stops the match of the server: one at a time, in its own process."""

import asyncio
import contextlib
import os
from typing import Annotated, Self

from pydantic import Field, model_validator

from fourfall.agents.child_processes import make_python_command
from fourfall.agents.levels import LEVELS
from fourfall.arena.spec import Entrant, Spec
from fourfall.arena.store import Store
from fourfall.system.cores import count_cores
from fourfall.system.processes import get_group_options
from fourfall.validation import StrictModel
from fourfall.web import limits
from fourfall.web.database import Database
from fourfall.web.engine_catalogue import EngineCatalogue
from fourfall.web.errors import RequestError
from fourfall.web.messages.requests import EngineName, PositionText, Simulations
from fourfall.web.positions import parse_unfinished_position

_ENGINE_MEMORY_MB = 64
_DEFAULT_MOVE_TIME_S = 0.5
# Built-in engines keep their time themselves. Searches of the page have a higher priority, so the judge allows more.
_ENGINE_MOVE_TIME_S = 2 * limits.MAX_MATCH_MOVE_TIME_S + 2.0


class MatchRequest(StrictModel):
    """A match to start."""

    a: EngineName
    b: EngineName
    games: Annotated[int, Field(ge=2, le=limits.MAX_MATCH_GAMES, multiple_of=2)] = 20
    move_time_s: Annotated[float, Field(gt=0, le=limits.MAX_MATCH_MOVE_TIME_S)] | None = None
    simulations: Simulations | None = None
    board: PositionText | None = None

    @model_validator(mode="after")
    def _allow_one_limit(self) -> Self:
        if self.move_time_s is not None and self.simulations is not None:
            raise ValueError("either move_time_s or simulations is allowed, not both")
        return self


def create_spec(request: MatchRequest, catalogue: EngineCatalogue) -> Spec:
    """Create the spec of the match's event.

    >>> spec = create_spec(MatchRequest(a="fourfall", b="level-30", simulations=500), EngineCatalogue())
    >>> [agent.address for agent in spec.agents]
    ['fourfall?memory_mb=64&simulations=500', 'level-30?memory_mb=64']
    """
    second_name = f"{request.b} #2" if request.a == request.b else request.b
    first = _create_entrant(request.a, request.a, request, catalogue)
    second = _create_entrant(second_name, request.b, request, catalogue)
    boards = [] if request.board is None else [parse_unfinished_position(request.board).notation]
    seed = int.from_bytes(os.urandom(6))
    return Spec.match(first, second, pairs=request.games // 2, boards=boards, seed=seed, sandbox=catalogue.sandbox)


def _create_entrant(label: str, name: str, request: MatchRequest, catalogue: EngineCatalogue) -> Entrant:
    """Return an agent with its limits in the address, and the time per move that the judge allows."""
    catalogue.require(name)
    move_time_s = request.move_time_s
    if catalogue.is_third_party(name):
        if move_time_s is None:
            move_time_s = _DEFAULT_MOVE_TIME_S if request.simulations is None else limits.MAX_MATCH_MOVE_TIME_S
        return Entrant(label, name, move_time_s, memory_mb=limits.THIRD_PARTY_MEMORY_MB)
    address = f"{name}?memory_mb={_ENGINE_MEMORY_MB}"
    if name not in LEVELS and request.simulations is not None:
        address += f"&simulations={request.simulations}"
    elif name not in LEVELS:
        address += f"&time={move_time_s or _DEFAULT_MOVE_TIME_S:g}"
    return Entrant(label, address, _ENGINE_MOVE_TIME_S)


class Matches:
    """Starts and stops the match; its event and its finished games stay in the database."""

    def __init__(self, database: Database, catalogue: EngineCatalogue) -> None:
        self._database = database
        self._catalogue = catalogue
        self._process: asyncio.subprocess.Process | None = None
        self._event: int | None = None
        self._start_lock = asyncio.Lock()

    @property
    def running_event(self) -> int | None:
        """The event that is running, or None."""
        return self._event if self._process is not None and self._process.returncode is None else None

    async def start(self, request: MatchRequest) -> int:
        """Start a match and return its event. Raises RequestError `match_running` if one is running."""
        spec = create_spec(request, self._catalogue)
        async with self._start_lock:
            if self.running_event is not None:
                raise RequestError("match_running", event=self.running_event)
            event = await self._database.run_with_events(Store.create_event, spec)
            path, workers = self._database.path.absolute(), _count_workers()
            self._process = await asyncio.create_subprocess_exec(
                *make_python_command("fourfall.web.events.match_process", str(path), str(event), str(workers)),
                stdin=asyncio.subprocess.PIPE,  # closed by the system when this process ends
                **get_group_options(),
            )
            self._event = event
        return event

    async def stop(self, event: int) -> None:
        """Stop the match; its live games are lost."""
        if self.running_event != event:
            raise RequestError("match_not_running", event=event)
        await self.close()

    async def close(self) -> None:
        """Stop the match if one is running."""
        process = self._process
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            await process.wait()


def _count_workers() -> int:
    """Return the number of cores less one for the page, at least 1."""
    return max(1, count_cores() - 1)
