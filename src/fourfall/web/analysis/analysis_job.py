"""Analyses one position in turns and sends the present result several times a second."""

import asyncio
from collections.abc import Callable
from itertools import count

from fourfall import Analysis, Board, Limit
from fourfall.agents.native import EngineAgent
from fourfall.arena.move_review import score_finished_game
from fourfall.web import limits
from fourfall.web.analysis.kept_agents import KeptAgents
from fourfall.web.analysis.thread_pool import AnalysisPool
from fourfall.web.analysis.turn_queue import QueueMember, TurnQueue
from fourfall.web.engine_catalogue import BuiltinEngine
from fourfall.web.messages.replies import AnalysisReply, QueuedReply, Reply
from fourfall.web.messages.requests import AnalyseRequest
from fourfall.web.messages.schemas import ColumnInfo, ScoreInfo

SendReply = Callable[[Reply], None]

_STOPPED = "stop"
_OUT_OF_TIME = "time"
_MIN_SEARCH_S = 0.01
_numbers = count()


class AnalysisJob:
    """A running analysis. `stop` ends it with a last reply; cancelling its task ends it without one."""

    def __init__(
        self, request: AnalyseRequest, board: Board, engine: BuiltinEngine, send: SendReply, kept: KeptAgents
    ) -> None:
        self._request = request
        self._board = board
        self._engine = engine
        self._send = send
        self._kept = kept
        self._number = str(next(_numbers))
        self._agent: EngineAgent | None = None
        self._is_stopped = False
        self._simulations = 0  # of the turns before the present one
        self._seconds = 0.0
        self._start_s = 0.0  # of the analysis that this one continues
        # Duration of the last turn. The search still returns that turn's snapshot until the next turn has really begun.
        self._last_turn_s = -1.0
        self._member: QueueMember | None = None
        self._last_analysis: Analysis | None = None

    def resume(self, previous: "AnalysisJob") -> None:
        """Continue the search of an earlier analysis of the same position, if its search tree was kept."""
        if (self._board, self._engine.name) == (previous._board, previous._engine.name):
            self._agent = self._kept.take(previous._number)
        if self._agent is not None:
            self._simulations, self._seconds = previous._simulations, previous._seconds
            self._start_s, self._last_turn_s = previous._seconds, previous._last_turn_s

    def get_analysis(self, board: Board) -> Analysis | None:
        """Return the present result, if this is an analysis of `board` and has one."""
        return self._last_analysis if board == self._board else None

    def stop(self) -> None:
        """End the analysis after one more reply."""
        self._is_stopped = True
        if self._member is not None:
            self._member.withdraw()

    async def run(self, queue: TurnQueue, pool: AnalysisPool, server_limits: limits.Limits) -> None:
        """Search in turns until a limit is reached or the result is proven."""
        if self._board.is_over:
            self._send(self._describe_end())
            return
        known = self._engine.find_known_analysis(self._board)
        if known is not None:
            self._send(self._describe(known, done=True))
            return
        with queue.enter(self._send_place) as self._member:
            agent = self._agent or self._engine.create_agent(server_limits.analysis_memory_mb)
            last: AnalysisReply | None = None
            while last is None or not last.done:
                if not await self._member.wait_turn():
                    last = last or self._create_empty(_STOPPED)
                    self._send(last.model_copy(update={"done": True, "stopped_by": _STOPPED}))
                    return
                last = await self._run_turn(agent, queue, pool, server_limits)
                self._simulations, self._seconds = last.simulations, last.seconds
            if last.can_resume:
                self._kept.keep(self._number, agent)

    async def _run_turn(
        self, agent: EngineAgent, queue: TurnQueue, pool: AnalysisPool, server_limits: limits.Limits
    ) -> AnalysisReply:
        """Search for one turn, sending snapshots; returns the last reply."""
        running = pool.start(agent, self._board, self._compute_remaining_limit(), queue.end_turn)
        try:
            while not running.future.done():
                await asyncio.wait({running.future}, timeout=server_limits.snapshot_s)
                if running.future.done():
                    break
                if self._is_stopped or (queue.has_waiting and running.seconds >= server_limits.turn_s):
                    running.stop()
                snapshot = await pool.take_snapshot(agent)
                if snapshot is not None and snapshot.seconds != self._last_turn_s and not running.future.done():
                    self._send(self._describe(snapshot, done=False))
            analysis = running.future.result()
        finally:
            running.stop()
        self._last_turn_s = analysis.seconds
        reply = self._describe(analysis, done=self._is_done(analysis))
        self._send(reply)
        return reply

    def _compute_remaining_limit(self) -> Limit:
        time_s = min(self._request.time_s or limits.MAX_ANALYSIS_TIME_S, limits.MAX_ANALYSIS_TIME_S)
        simulations = self._engine.simulations or self._request.simulations
        return Limit(
            max(_MIN_SEARCH_S, time_s - (self._seconds - self._start_s)),
            None if simulations is None else max(1, simulations - self._simulations),
        )

    def _is_done(self, analysis: Analysis) -> bool:
        return self._is_stopped or analysis.stopped_by != _STOPPED or not self._engine.can_resume

    def _send_place(self, place: int) -> None:
        self._send(QueuedReply(what="analysis", place=place, key=self._request.key))

    def _describe(self, analysis: Analysis, *, done: bool) -> AnalysisReply:
        self._last_analysis = analysis
        stopped_by = analysis.stopped_by if done else ""
        if stopped_by == _STOPPED and not self._is_stopped:
            stopped_by = "busy"
        return AnalysisReply(
            key=self._request.key,
            position=self._board.notation,
            engine=self._engine.name,
            done=done,
            stopped_by=stopped_by,
            can_resume=stopped_by == _OUT_OF_TIME and self._request.time_s is None and self._engine.can_resume,
            move=analysis.move,
            score=ScoreInfo.from_score(analysis.score),
            columns=[ColumnInfo.from_analysis(column) for column in analysis.columns],
            pv=analysis.pv,
            simulations=self._simulations + analysis.simulations,
            nodes=analysis.nodes,
            simulations_per_second=round(analysis.simulations_per_second),
            depth=analysis.depth,
            seconds=round(self._seconds + analysis.seconds, 3),
        )

    def _describe_end(self) -> AnalysisReply:
        """Describe a finished game, which needs no search."""
        return self._create_empty("over").model_copy(
            update={"score": ScoreInfo.from_score(score_finished_game(self._board))}
        )

    def _create_empty(self, stopped_by: str) -> AnalysisReply:
        return AnalysisReply(
            key=self._request.key,
            position=self._board.notation,
            engine=self._engine.name,
            done=True,
            stopped_by=stopped_by,
            move=None,
            score=ScoreInfo(win_chance=0.5),
            columns=[],
            pv=[],
            simulations=0,
            nodes=0,
            simulations_per_second=0,
            depth=0,
            seconds=0.0,
        )
