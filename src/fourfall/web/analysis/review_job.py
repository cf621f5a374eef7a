"""Reviews a game from its last position to its first: scores the positions and marks moves that lose win chance."""

import asyncio
import math
from collections.abc import Sequence
from typing import NamedTuple

from fourfall import Board, ColumnAnalysis, Limit, Score
from fourfall.agents.native import EngineAgent
from fourfall.web import limits
from fourfall.web.analysis.analysis_job import SendReply, score_finished_game
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


class _SearchResult(NamedTuple):
    """Score, best move and principal variation of a position, and the scores of its columns."""

    score: Score
    move: int
    pv: list[int]
    columns: Sequence[ColumnAnalysis] = ()


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


def score_for_mover(score: Score) -> Score:
    """Convert the score of the position after a move to the score of the move, for the player who made it.

    >>> score_for_mover(Score.loss(0)) == Score.win(1)
    True
    >>> score_for_mover(Score.estimate(0.5)) == Score.estimate(-0.5)
    True
    """
    if score.is_win:
        return Score.loss((score.distance or 0) + 1)
    if score.is_loss:
        return Score.win((score.distance or 0) + 1)
    return Score.draw((score.distance or 0) + 1) if score.is_draw else -score


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
    ) -> _SearchResult | None:
        """Search the present position; None if the review was stopped."""
        if self._is_stopped:
            return None
        if self._board.is_over:
            return _SearchResult(score_finished_game(self._board), -1, [])
        if not await member.wait_turn():
            return None
        limit = Limit(self._request.move_time_s, self._engine.simulations)
        running = pool.start(agent, self._board, limit, queue.end_turn, every_column=False)
        try:
            analysis = await asyncio.shield(running.future)
        finally:
            running.stop()
        return _SearchResult(analysis.score, analysis.move, analysis.pv, analysis.columns)

    def _review_move(self, result: _SearchResult, played: Score) -> Score:
        """Compare the played move with the search result and return the score of the position."""
        column = self._played
        best, played = _compare(self._board, result, column, played)
        loss = round(max(0.0, best.score.win_chance - played.win_chance), 4)
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
            thresholds=self._request.thresholds,
            move_time_s=self._request.move_time_s,
        )


def _compare(board: Board, result: _SearchResult, column: int, played: Score) -> tuple[_SearchResult, Score]:
    """Return the best move, which may be the played one, and the score of the played move.

    Args:
        board: position before the move.
        result: search result of this position.
        column: the played move.
        played: score of the played move, which the later positions established.
    """
    winning = board.winning_moves
    if winning and column not in winning:
        move = result.move if result.move in winning else winning[0]
        return _SearchResult(Score.win(1), move, [move]), played
    if result.score.is_exact and not played.is_exact and (result.move == column or result.score.is_loss):
        played = result.score  # a proof holds for every column if it is a loss
    if result.move != column and result.score > played:
        return result, played
    if played.is_loss:
        others = [
            entry for entry in result.columns if entry.column != column and entry.has_score and entry.score > played
        ]
        if others:
            other = max(others, key=lambda entry: entry.score)
            return _SearchResult(other.score, other.column, other.pv), played
    return _SearchResult(played, column, result.pv if result.move == column else [column]), played
