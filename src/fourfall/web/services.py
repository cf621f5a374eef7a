"""Creates the services that all requests share, and shuts them down in order."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fourfall.web.access.clients import ClientTable, RateLimiter
from fourfall.web.analysis.kept_agents import KeptAgents
from fourfall.web.analysis.thread_pool import AnalysisPool, MovePool
from fourfall.web.analysis.turn_queue import TurnScheduler
from fourfall.web.database import Database
from fourfall.web.engine_catalogue import EngineCatalogue
from fourfall.web.events.matches import Matches
from fourfall.web.events.watching import EventWatcher
from fourfall.web.limits import Limits
from fourfall.web.messages.schemas import ServerInfo
from fourfall.web.play.opponents import Opponents
from fourfall.web.play.sessions import Sessions


@dataclass(frozen=True)
class Services:
    """Long-lived objects of one server process; created by `start_services`."""

    limits: Limits
    catalogue: EngineCatalogue
    server_info: ServerInfo
    database: Database
    analysis_pool: AnalysisPool
    kept_analyses: KeptAgents
    scheduler: TurnScheduler
    sessions: Sessions
    new_game_rates: ClientTable[RateLimiter]
    matches: Matches
    watcher: EventWatcher


@contextlib.asynccontextmanager
async def start_services(
    database_path: Path, agents: Sequence[str], limits: Limits, *, sandbox: bool = True
) -> AsyncIterator[Services]:
    """Yield running services; on exit stop all searches and the running match, then close the database."""
    catalogue = EngineCatalogue(agents, sandbox=sandbox)
    database = Database(database_path)
    move_pool, analysis_pool = MovePool(limits.move_threads), AnalysisPool(limits.analysis_threads)
    sessions = Sessions(database, Opponents(move_pool, catalogue, limits), catalogue, limits.idle_game_s)
    matches = Matches(database, catalogue)
    watcher = EventWatcher(database, lambda: matches.running_event)
    tasks = [
        asyncio.create_task(watcher.run()),
        asyncio.create_task(_remove_idle_games(sessions, limits.idle_game_s)),
    ]
    try:
        yield Services(
            limits=limits,
            catalogue=catalogue,
            server_info=catalogue.describe(limits),
            database=database,
            analysis_pool=analysis_pool,
            kept_analyses=KeptAgents(limits.kept_analyses),
            scheduler=TurnScheduler(limits.analysis_threads, limits.queued_analyses, limits.client_analyses),
            sessions=sessions,
            new_game_rates=ClientTable(lambda: RateLimiter(limits.new_games_per_s, limits.new_game_burst)),
            matches=matches,
            watcher=watcher,
        )
    finally:
        for task in tasks:
            task.cancel()
        sessions.close()
        await asyncio.gather(matches.close(), move_pool.close(), analysis_pool.close())
        database.close()


async def _remove_idle_games(sessions: Sessions, idle_game_s: float) -> None:
    while True:
        await asyncio.sleep(min(30.0, idle_game_s / 4))
        sessions.remove_idle()
