"""Reviews a game from its last position to its first: scores the positions and marks moves that lose win chance."""

import asyncio
from collections.abc import Sequence

from fourfall import Board, Limit
from fourfall.agents.native import EngineAgent
from fourfall.arena.game_review import GameReviewer, compute_accuracies, find_turning_points
from fourfall.arena.mistakes import MistakeThresholds
from fourfall.arena.move_review import SearchResult
from fourfall.web import limits
from fourfall.web.analysis.analysis_job import SendReply
from fourfall.web.analysis.thread_pool import AnalysisPool
from fourfall.web.analysis.turn_queue import QueueMember, TurnQueue
from fourfall.web.engine_catalogue import BuiltinEngine
from fourfall.web.messages.replies import QueuedReply, ReviewReply
from fourfall.web.messages.requests import ReviewRequest
from fourfall.web.messages.schemas import ReviewedMove, ScoreInfo


class ReviewJob:
    """A running review of the moves after `start`. `stop` ends it with a last reply."""

    def __init__(
        self, request: ReviewRequest, start: Board, moves: Sequence[int], engine: BuiltinEngine, send: SendReply
    ) -> None:
        self._request = request
        self._start = start.notation
        board = start.copy()
        for move in moves:
            board.push(move)
        self._position = board.notation
        self._reviewer = GameReviewer(board, start.ply, MistakeThresholds(**request.thresholds.model_dump()))
        self._engine = engine
        self._send = send
        self._member: QueueMember | None = None
        self._is_stopped = False

    def stop(self) -> None:
        """End the review after one more reply."""
        self._is_stopped = True
        if self._member is not None:
            self._member.withdraw()

    async def run(self, queue: TurnQueue, pool: AnalysisPool, server_limits: limits.Limits) -> ReviewReply:
        """Search all positions, sending a reply after each; returns the last reply."""
        with queue.enter(self._send_place, is_background=self._request.background) as self._member:
            agent = self._engine.create_agent(server_limits.analysis_memory_mb)
            while (result := await self._search(agent, self._member, queue, pool)) is not None:
                self._reviewer.add(result)
                if self._reviewer.is_complete:
                    break
                self._send(self._describe())
        last = self._describe()
        self._send(last)
        return last

    async def _search(
        self, agent: EngineAgent, member: QueueMember, queue: TurnQueue, pool: AnalysisPool
    ) -> SearchResult | None:
        """Search the present position; None if the review was stopped."""
        if self._is_stopped:
            return None
        board = self._reviewer.board
        if board.is_over:
            return SearchResult.from_finished_game(board)
        if not await member.wait_turn():
            return None
        limit = Limit(self._request.move_time_s, self._engine.simulations)
        running = pool.start(agent, board, limit, queue.end_turn, every_column=False)
        try:
            analysis = await asyncio.shield(running.future)
        finally:
            running.stop()
        return SearchResult.from_analysis(analysis)

    def _send_place(self, place: int) -> None:
        self._send(QueuedReply(what="review", place=place))

    def _describe(self) -> ReviewReply:
        reviewer = self._reviewer
        return ReviewReply(
            game=self._request.game,
            position=self._position,
            start=self._start,
            engine=self._engine.name,
            done=reviewer.done,
            total=reviewer.total,
            finished=reviewer.is_complete,
            stopped=self._is_stopped and not reviewer.is_complete,
            moves=[ReviewedMove.from_review(move) for move in reviewer.moves],
            final=None if reviewer.final is None else ScoreInfo.from_score(reviewer.final),
            accuracy=compute_accuracies(reviewer.moves),
            turning_points=find_turning_points(reviewer.moves),
            thresholds=self._request.thresholds,
            move_time_s=self._request.move_time_s,
        )
