"""The worker's side of games on a cluster: opens agents from the cache, plays one game and measures its lateness."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from fourfall._core import Board, Limit
from fourfall.agents.base import Agent, AgentMove, Conditions
from fourfall.agents.native import EngineAgent
from fourfall.agents.registry import open_agent
from fourfall.agents.sandbox import find_missing_protections
from fourfall.arena.game import ScheduledGame
from fourfall.arena.record import GameRecord
from fourfall.arena.worker import play_scheduled_game
from fourfall.cluster.agent_bundle import PortableAgent
from fourfall.cluster.agent_cache import find_agent_folder
from fourfall.cluster.calibration import measure_speed
from fourfall.cluster.worker_report import WorkerReport, examine_worker


class MissingAgentsError(Exception):
    """The worker does not have the files of agents; the arguments are their hashes."""


class GameAbandonedError(Exception):
    """Nobody waits for the game any more."""


@dataclass(frozen=True)
class PlayedGame:
    """A record with the time that built-in engines thought, and the part of it in which they did not run."""

    record: GameRecord
    thinking_s: float
    late_s: float


def examine_game_worker(is_calibrated: bool) -> WorkerReport:
    """Describe this worker with the protections that it lacks and, if `is_calibrated`, with its speed."""
    report = examine_worker()
    missing = tuple(protection.name for protection in find_missing_protections())
    if not is_calibrated:
        return replace(report, missing_protections=missing)
    speed = measure_speed()
    return replace(
        report,
        missing_protections=missing,
        simulations_per_s=round(speed.simulations_per_s, 1),
        late_share=round(speed.late_share, 3),
    )


def play_on_worker(game: ScheduledGame, agents: Mapping[str, PortableAgent]) -> PlayedGame:
    """Play a game; `agents` says by address how agents with files are opened.

    Raises MissingAgentsError before anything runs if files are missing or were changed. The record has the addresses of
    the game, and messages of agents name the folders of the driver.
    """
    folders: dict[str, Path] = {}
    missing = []
    for address, agent in agents.items():
        folder = find_agent_folder(agent.digest)
        if folder is None:
            missing.append(agent.digest)
        else:
            folders[address] = folder
    if missing:
        raise MissingAgentsError(*missing)
    meter = LatenessMeter()

    def open_portable_agent(address: str, conditions: Conditions) -> Agent:
        if address not in agents:
            return meter.wrap(open_agent(address, conditions))
        portable = agents[address]
        return meter.wrap(open_agent(portable.address, conditions, folders[address] / portable.base))

    record = play_scheduled_game(game, on_move=make_abandonment_check(), open_agent=open_portable_agent)
    for address, folder in folders.items():
        root = agents[address].root
        record = replace(
            record,
            detail=record.detail.replace(str(folder), root),
            stderr=record.stderr.replace(str(folder), root),
        )
    return PlayedGame(record, meter.thinking_s, meter.late_s)


def make_abandonment_check() -> Callable[[Board], None] | None:
    """Return a function that ends a game when its driver has ended or has given the game to another worker."""
    from distributed import get_worker

    try:
        worker = get_worker()
        key = worker.get_current_task()
    except ValueError:  # not in a worker of Dask
        return None

    def check(_board: Board) -> None:
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            raise GameAbandonedError

    return check


@dataclass
class LatenessMeter:
    """Adds up the thinking time of built-in engines, and how much of it their process did not run.

    A third-party agent has a process of its own, whose delays the judge measures and gives back (`delays_ms`).
    """

    thinking_s: float = 0.0
    late_s: float = 0.0

    def wrap(self, agent: Agent) -> Agent:
        """Return an agent whose moves are measured."""
        return _MeasuredAgent(agent, self) if isinstance(agent, EngineAgent) else agent


@dataclass
class _MeasuredAgent:
    agent: EngineAgent
    meter: LatenessMeter
    stderr: str = field(default="", init=False)

    def start(self, board: Board) -> float:
        return self.agent.start(board)

    def play(self, board: Board, limit: Limit | None = None) -> AgentMove:
        begin, cpu = time.perf_counter(), time.process_time()
        try:
            return self.agent.play(board, limit)
        finally:
            wall_s = time.perf_counter() - begin
            self.meter.thinking_s += wall_s
            self.meter.late_s += max(0.0, wall_s - (time.process_time() - cpu))

    def stop(self) -> None:
        self.agent.stop()

    def close(self) -> None:
        self.agent.close()
