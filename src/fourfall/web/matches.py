"""Owns the match that was begun from the page: one at a time, in a process of its own that ends with the server."""

import asyncio
import contextlib
import os
import sys
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from fourfall.agents.levels import LEVELS
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store
from fourfall.web import limits
from fourfall.web.desk import Desk
from fourfall.web.engines import Catalogue
from fourfall.web.refusal import Refusal
from fourfall.web.requests import EngineName, Nodes, PositionText, Strict
from fourfall.web.sessions import read_position

_MEMORY_MB = 64
_BOT_MEMORY_MB = 512
_LATE_S = 2.0  # engines keep to their time; players at the page come first, so the judge is patient


class MatchWanted(Strict):
    """A match that somebody wants to see."""

    a: EngineName
    b: EngineName
    games: Annotated[int, Field(ge=2, le=limits.MATCH_GAMES, multiple_of=2)] = 20
    time_s: Annotated[float, Field(gt=0, le=limits.MATCH_S)] | None = None
    nodes: Nodes | None = None
    board: PositionText | None = None

    @model_validator(mode="after")
    def _one_limit(self) -> Self:
        if self.time_s is not None and self.nodes is not None:
            raise ValueError("a match has time_s or nodes, not both")
        return self


def match_spec(wanted: MatchWanted, catalogue: Catalogue) -> Spec:
    """Write the match down as the arena does.

    >>> spec = match_spec(MatchWanted(a="fourfall", b="level-3", nodes=500), Catalogue())
    >>> [agent.address for agent in spec.agents]
    ['fourfall?memory=64&simulations=500', 'level-3?memory=64']
    """
    time_s = 0.5 if wanted.time_s is None and wanted.nodes is None else wanted.time_s
    agents = []
    for name, twin in ((wanted.a, ""), (wanted.b, " #2" if wanted.a == wanted.b else "")):
        catalogue.require(name)
        agents.append({"name": name + twin, **_limits(name, time_s, wanted.nodes, catalogue)})
    values: dict[str, Any] = {
        "name": f"{agents[0]['name']} against {agents[1]['name']}",
        "pairs": wanted.games // 2,
        "seed": int.from_bytes(os.urandom(6)),
        "agents": agents,
    }
    if wanted.board is not None:
        board = read_position(wanted.board)
        if board.is_over:
            raise Refusal("game_over", "the game is over at this position")
        values["boards"] = {"list": [board.notation]}
    return Spec.from_dict(values)


def _limits(name: str, time_s: float | None, nodes: int | None, catalogue: Catalogue) -> dict[str, Any]:
    """Return the address of an agent with its limits in it, and how long the judge waits for it."""
    if catalogue.is_bot(name):
        return {"address": name, "move_time_s": time_s or limits.MATCH_S, "memory_mb": _BOT_MEMORY_MB}
    patience = {"move_time_s": 2 * limits.MATCH_S + _LATE_S}
    if name in LEVELS:
        return {"address": f"{name}?memory={_MEMORY_MB}", **patience}
    limit = f"simulations={nodes}" if nodes is not None else f"time={time_s:g}"
    return {"address": f"{name}?memory={_MEMORY_MB}&{limit}", **patience}


class Matches:
    """Begins and stops the match; the event stays in the database either way."""

    def __init__(self, desk: Desk, catalogue: Catalogue) -> None:
        self._desk = desk
        self._catalogue = catalogue
        self._process: asyncio.subprocess.Process | None = None
        self._event: int | None = None
        self._beginning = asyncio.Lock()

    @property
    def running(self) -> int | None:
        """The event that is being played, if one is."""
        return self._event if self._process is not None and self._process.returncode is None else None

    async def begin(self, wanted: MatchWanted) -> int:
        """Begin a match; its event."""
        spec = match_spec(wanted, self._catalogue)
        async with self._beginning:
            if self.running is not None:
                raise Refusal("busy", f"event {self.running} is being played; stop it or wait for its end")
            event = await self._desk.store(Store.create_event, spec)
            # Its standard input is its life: when this process ends, however, it ends too.
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-m", "fourfall.web.runner", str(self._desk.path.absolute()), str(event), str(_workers())),
                stdin=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
            self._event = event
        return event

    async def stop(self, event: int) -> None:
        """Stop the match; games in flight are lost."""
        if self.running != event:
            raise Refusal("unknown_event", f"event {event} is not being played from here")
        await self.close()

    async def close(self) -> None:
        """Stop whatever runs."""
        process = self._process
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            await process.wait()


def _workers() -> int:
    """Leave a core to the page, where there are several."""
    return max(1, len(os.sched_getaffinity(0)) - 1)
