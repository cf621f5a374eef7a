"""Reviews a game from its last position to its first: scores the positions and marks moves that lose win chance."""

import asyncio
import math
from collections.abc import Sequence

from fourfall import Board, Limit, Score
from fourfall.agents.native import EngineAgent
from fourfall.arena.move_review import (
    MoveLoss,
    SearchResult,
    compare_move,
    compute_loss,
    find_turning_ply,
    score_finished_game,
    score_for_mover,
)
from fourfall.web import limits
from fourfall.web.analysis.analysis_job import SendReply
from fourfall.web.analysis.thread_pool import AnalysisPool
from fourfall.web.analysis.turn_queue import QueueMember, TurnQueue
from fourfall.web.engine_catalogue import BuiltinEngine
from fourfall.web.messages.replies import QueuedReply, ReviewReply
from fourfall.web.messages.requests import ReviewRequest, Thresholds
from fourfall.web.messages.schemas import MistakeKind, ReviewedMove, ScoreInfo

_ACCURACY_DECAY = 4.5
_NEAR_WIN = 0.95  # from this win chance on a win is nearly certain
_NEAR_WIN_KEPT = 0.9  # a nearly certain win is given away below this win chance
_PROVEN_WIN_KEPT = 0.98  # a proven win is given away below this win chance, if it is no longer proven


def classify_loss(loss: float, thresholds: Thresholds, *, missed_win: bool = False) -> MistakeKind:
    """Name the loss of win chance of a move; a missed win is at least an inaccuracy.

    >>> classify_loss(0.2, Thresholds()), classify_loss(0.05, Thresholds())
    ('mistake', '')
    >>> classify_loss(0.0, Thresholds(), missed_win=True)
    'inaccuracy'
    """
    if loss >= thresholds.blunder:
        return "blunder"
    if loss >= thresholds.mistake:
        return "mistake"
    return "inaccuracy" if missed_win or loss >= thresholds.inaccuracy else ""


def misses_win(best: Score, played: Score) -> bool:
    """Decide whether a move misses a win that another move keeps.

    A move misses an immediate win if it does not win at once, even if it still wins later. It misses a proven win if
    the win is no longer proven and its chance is below 98 %. It misses a nearly certain win (at least 95 %) if the
    chance falls below 90 %.

    >>> misses_win(Score.win(1), Score.win(3)), misses_win(Score.win(3), Score.win(5))
    (True, False)
    >>> misses_win(Score.win(7), Score.estimate(0.9)), misses_win(Score.win(7), Score.estimate(0.98))
    (True, False)
    >>> misses_win(Score.estimate(0.92), Score.estimate(0.78))
    True
    """
    if best.is_win and played.is_win:
        return best.distance == 1 and played.distance != 1
    if best.is_win:
        return played.win_chance < _PROVEN_WIN_KEPT
    return best.win_chance >= _NEAR_WIN and played.win_chance < _NEAR_WIN_KEPT


def compute_accuracy(losses: list[float]) -> float | None:
    """Return the mean of 100 exp(-4.5 loss) over a player's moves: 100 if no move lost win chance.

    >>> compute_accuracy([0.0, 0.2])
    70.3
    """
    if not losses:
        return None
    return round(sum(100 * math.exp(-_ACCURACY_DECAY * loss) for loss in losses) / len(losses), 1)


class ReviewJob:
    """A running review of the moves after `start`. `stop` ends it with a last reply."""

    def __init__(
        self, request: ReviewRequest, start: Board, moves: Sequence[int], engine: BuiltinEngine, send: SendReply
    ) -> None:
        self._request = request
        self._start = start.notation
        self._board = start.copy()
        for move in moves:
            self._board.push(move)
        self._position = self._board.notation
        self._total = len(moves) + 1
        self._engine = engine
        self._send = send
        self._member: QueueMember | None = None
        self._is_stopped = False
        self._done = 0
        self._final: Score | None = None
        self._moves: list[ReviewedMove] = []

    def stop(self) -> None:
        """End the review after one more reply."""
        self._is_stopped = True
        if self._member is not None:
            self._member.withdraw()

    async def run(self, queue: TurnQueue, pool: AnalysisPool, server_limits: limits.Limits) -> ReviewReply:
        """Search all positions, sending a reply after each; returns the last reply."""
        with queue.enter(self._send_place, is_background=self._request.background) as self._member:
            agent = self._engine.create_agent(server_limits.analysis_memory_mb)
            next_score: Score | None = None
            while (result := await self._search(agent, self._member, queue, pool)) is not None:
                if next_score is None:
                    next_score = self._final = result.score
                else:
                    next_score = self._review_move(result, score_for_mover(next_score))
                self._done += 1
                if self._done == self._total:
                    break
                self._send(self._describe())
                self._played = self._board.pop()
        last = self._describe()
        self._send(last)
        return last

    async def _search(
        self, agent: EngineAgent, member: QueueMember, queue: TurnQueue, pool: AnalysisPool
    ) -> SearchResult | None:
        """Search the present position; None if the review was stopped."""
        if self._is_stopped:
            return None
        if self._board.is_over:
            return SearchResult(score_finished_game(self._board), -1, [])
        if not await member.wait_turn():
            return None
        limit = Limit(self._request.move_time_s, self._engine.simulations)
        running = pool.start(agent, self._board, limit, queue.end_turn, every_column=False)
        try:
            analysis = await asyncio.shield(running.future)
        finally:
            running.stop()
        return SearchResult(analysis.score, analysis.move, analysis.pv, analysis.columns)

    def _review_move(self, result: SearchResult, played: Score) -> Score:
        """Compare the played move with the search result and return the score of the position."""
        column = self._played
        best, played = compare_move(self._board, result, column, played)
        loss = compute_loss(best.score, played)
        missed_win = best.move != column and misses_win(best.score, played)
        self._moves.insert(
            0,
            ReviewedMove(
                ply=self._board.ply,
                player=0 if self._board.turn == 0 else 1,
                column=column,
                best=best.move,
                pv=best.pv,
                score_before=ScoreInfo.from_score(best.score),
                score_after=ScoreInfo.from_score(played),
                loss=loss,
                missed_win=missed_win,
                mark=classify_loss(loss, self._request.thresholds, missed_win=missed_win),
            ),
        )
        return best.score

    def _send_place(self, place: int) -> None:
        self._send(QueuedReply(what="review", place=place))

    def _describe(self) -> ReviewReply:
        first, second = ([move.loss for move in self._moves if move.player == player] for player in (0, 1))
        return ReviewReply(
            game=self._request.game,
            position=self._position,
            start=self._start,
            engine=self._engine.name,
            done=self._done,
            total=self._total,
            finished=self._done == self._total,
            stopped=self._is_stopped and self._done < self._total,
            moves=list(self._moves),
            final=None if self._final is None else ScoreInfo.from_score(self._final),
            accuracy=(compute_accuracy(first), compute_accuracy(second)),
            turning_points=(self._find_turning_ply(0), self._find_turning_ply(1)),
            thresholds=self._request.thresholds,
            move_time_s=self._request.move_time_s,
        )

    def _find_turning_ply(self, loser: int) -> int | None:
        moves = (move for move in reversed(self._moves) if move.player == loser)
        return find_turning_ply(MoveLoss(move.ply, move.score_before.win_chance, move.loss) for move in moves)
