"""Owns the parts that all requests share, put together once: database, engines, threads, games, watchers."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fourfall.web.desk import Desk
from fourfall.web.engines import Catalogue
from fourfall.web.limits import Limits
from fourfall.web.line import Line
from fourfall.web.matches import Matches
from fourfall.web.searches import Analyses, Moves
from fourfall.web.sessions import Sessions
from fourfall.web.shapes import Choices
from fourfall.web.watch import Watching


@dataclass(frozen=True)
class House:
    """Everything behind the door."""

    limits: Limits
    catalogue: Catalogue
    choices: Choices
    desk: Desk
    moves: Moves
    analyses: Analyses
    line: Line
    sessions: Sessions
    matches: Matches
    watching: Watching


@contextlib.asynccontextmanager
async def opened(database: Path, agents: Sequence[str], limits: Limits) -> AsyncIterator[House]:
    """Open the house; on leaving, all searches and the match are stopped and the database is closed."""
    catalogue = Catalogue(agents)
    desk = Desk(database)
    moves, analyses = Moves(limits.searching_moves), Analyses(limits.analyses)
    sessions = Sessions(desk, moves, catalogue, limits)
    matches = Matches(desk, catalogue)
    watching = Watching(desk, lambda: matches.running)
    line = Line(limits.analyses, limits.crowd)
    chores = [asyncio.create_task(watching.run()), asyncio.create_task(_tidy(sessions, limits.idle_game_s))]
    try:
        yield House(
            limits, catalogue, catalogue.choices(limits), desk, moves, analyses, line, sessions, matches, watching
        )
    finally:
        for chore in chores:
            chore.cancel()
        sessions.close()
        await asyncio.gather(matches.close(), moves.close(), analyses.close())
        desk.close()


async def _tidy(sessions: Sessions, idle_s: float) -> None:
    while True:
        await asyncio.sleep(min(30.0, idle_s / 4))
        sessions.forget_idle()
