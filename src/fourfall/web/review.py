"""Owns the review of a game: backwards from its end, what every position was worth and which moves lost something."""

import asyncio
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from fourfall import Board, Engine, Score
from fourfall.web import limits, replies
from fourfall.web.analysis import final_score
from fourfall.web.engines import Mind
from fourfall.web.line import Line, Place, busy_message
from fourfall.web.requests import Review, Thresholds
from fourfall.web.searches import Analyses, EngineThought
from fourfall.web.shapes import Mark, ReviewedMove, Worth

Tell = Callable[[replies.Reply], None]

_STEEPNESS = 4.5


class _Found(NamedTuple):
    """What a search says of a position."""

    score: Score
    move: int
    line: list[int]


def mark(loss: float, thresholds: Thresholds) -> Mark:
    """Name a loss of win chance.

    >>> mark(0.2, Thresholds()), mark(0.05, Thresholds())
    ('mistake', '')
    """
    if loss >= thresholds.blunder:
        return "blunder"
    if loss >= thresholds.mistake:
        return "mistake"
    return "inaccuracy" if loss >= thresholds.inaccuracy else ""


def accuracy(losses: list[float]) -> float | None:
    """Sum up a player's moves: 100 for no loss at all, less the more a move lost.

    >>> accuracy([0.0, 0.2])
    70.3
    """
    if not losses:
        return None
    return round(sum(100 * math.exp(-_STEEPNESS * loss) for loss in losses) / len(losses), 1)


def seen_by_mover(score: Score) -> Score:
    """Turn the score of the position after a move into that of the move: the other side's, a ply further away.

    >>> print(seen_by_mover(Score.loss(0)), '|', seen_by_mover(Score.estimate(0.5)))
    wins in 1 | 25.0 %
    """
    if score.is_win:
        return Score.loss((score.distance or 0) + 1)
    if score.is_loss:
        return Score.win((score.distance or 0) + 1)
    return Score.draw((score.distance or 0) + 1) if score.is_draw else -score


class Going:
    """A review under way: a game's moves after `start`, and what has been found so far."""

    def __init__(self, request: Review, start: Board, moves: Sequence[int], mind: Mind, tell: Tell) -> None:
        self._request = request
        self._start = start.notation
        self._board = start.copy()
        for move in moves:
            self._board.push(move)
        self._position = self._board.notation
        self._total = len(moves) + 1
        self._mind = mind
        self._tell = tell
        self._place: Place | None = None
        self._is_stopped = False
        self._done = 0
        self._final: Score | None = None
        self._moves: list[ReviewedMove] = []

    def stop(self) -> None:
        """End the review; what was found so far is told once more."""
        self._is_stopped = True
        if self._place is not None:
            self._place.withdraw()

    async def run(self, line: Line, analyses: Analyses, allowed: limits.Limits) -> replies.ReviewGiven:
        """Go from the end to the beginning, telling after every position; the last word is returned too."""
        with line.place(self._say_place) as self._place:
            engine = self._mind.engine(allowed.analysis_memory_mb)
            after: Score | None = None
            while True:
                found = await self._look(engine, self._place, line, analyses)
                if found is None:
                    break
                if after is None:
                    after = self._final = found.score
                else:
                    after = self._judge(found, seen_by_mover(after))
                self._done += 1
                if self._done == self._total:
                    break
                self._tell(self._report())
                self._played = self._board.pop()
        last = self._report()
        self._tell(last)
        return last

    async def _look(self, engine: Engine, place: Place, line: Line, analyses: Analyses) -> _Found | None:
        """Find out what the position is worth; None where the review was stopped."""
        if self._is_stopped:
            return None
        if self._board.is_over:
            return _Found(final_score(self._board), -1, [])
        if not await place.take():
            return None
        thought = EngineThought(engine, self._board, self._mind.simulations)
        running = analyses.begin(thought, self._request.time_s, line.give)
        try:
            analysis = await asyncio.shield(running.future)
        finally:
            running.stop()
        return _Found(analysis.score, analysis.move, analysis.pv)

    def _judge(self, found: _Found, played: Score) -> Score:
        """Judge the move that was played here; what was found behind it counts as known before it."""
        column = self._played
        if found.move == column or played >= found.score:
            found = _Found(played, column, [column])
        loss = round(max(0.0, found.score.win_chance - played.win_chance), 4)
        self._moves.insert(
            0,
            ReviewedMove(
                ply=self._board.ply,
                player=0 if self._board.turn == 0 else 1,
                column=column,
                best=found.move,
                line=found.line,
                score_before=Worth.of(found.score),
                score_after=Worth.of(played),
                loss=loss,
                mark=mark(loss, self._request.thresholds),
            ),
        )
        return found.score

    def _say_place(self, place: int) -> None:
        self._tell(replies.Queued(what="review", place=place, message=busy_message(place)))

    def _report(self) -> replies.ReviewGiven:
        first, second = ([move.loss for move in self._moves if move.player == player] for player in (0, 1))
        return replies.ReviewGiven(
            game=self._request.game,
            position=self._position,
            start=self._start,
            engine=self._mind.name,
            done=self._done,
            total=self._total,
            finished=self._done == self._total,
            stopped=self._is_stopped and self._done < self._total,
            moves=list(self._moves),
            final=None if self._final is None else Worth.of(self._final),
            accuracy=(accuracy(first), accuracy(second)),
            thresholds=self._request.thresholds,
            time_s=self._request.time_s,
        )
