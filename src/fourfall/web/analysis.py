"""Owns one analysis: turns of thinking about a position, and what is known told several times a second."""

import asyncio
from collections.abc import Callable

from fourfall import Analysis, Board, Engine, Score
from fourfall.web import limits, replies, shapes
from fourfall.web.engines import Mind
from fourfall.web.line import Line, Place, busy_message
from fourfall.web.requests import Analyse
from fourfall.web.searches import Analyses, EngineThought
from fourfall.web.shapes import Worth

Tell = Callable[[replies.Reply], None]

_STOPPED = "stop"


class Study:
    """An analysis under way; `stop` ends it with a last word, cancelling its task without."""

    def __init__(self, request: Analyse, board: Board, mind: Mind, tell: Tell) -> None:
        self._request = request
        self._board = board
        self._mind = mind
        self._tell = tell
        self._is_stopped = False
        self._simulations = 0
        self._seconds = 0.0
        self._last_s = -1.0  # of the last turn; before a turn has really begun, its engine still shows that one
        self._place: Place | None = None

    def stop(self) -> None:
        """End the analysis; what is known is told once more."""
        self._is_stopped = True
        if self._place is not None:
            self._place.withdraw()

    async def run(self, line: Line, analyses: Analyses, allowed: limits.Limits) -> None:
        """Think until the limits are reached or something is proven; `line` says when it is our turn."""
        if self._board.is_over:
            self._tell(self._over())
            return
        with line.place(self._say_place) as self._place:
            engine = self._mind.engine(allowed.analysis_memory_mb)
            last: replies.AnalysisGiven | None = None
            while last is None or not last.done:
                if not await self._place.take():
                    self._tell((last or self._nothing("stop")).model_copy(update={"done": True, "stopped_by": "stop"}))
                    return
                last = await self._turn(engine, line, analyses, allowed)
                self._simulations, self._seconds = last.simulations, last.seconds

    async def _turn(
        self, engine: Engine, line: Line, analyses: Analyses, allowed: limits.Limits
    ) -> replies.AnalysisGiven:
        """Think for a turn, telling what is known, and end it with a report."""
        most_s = min(self._request.time_s or limits.ANALYSIS_S, limits.ANALYSIS_S)
        nodes = self._mind.simulations or self._request.nodes
        left = None if nodes is None else max(1, nodes - self._simulations)
        thought = EngineThought(engine, self._board, left)
        running = analyses.begin(thought, max(0.01, most_s - self._seconds), line.give)
        try:
            while not running.future.done():
                await asyncio.wait({running.future}, timeout=allowed.snapshot_s)
                if running.future.done():
                    break
                if self._is_stopped or (line.is_wanted and running.seconds >= allowed.turn_s):
                    running.stop()
                snapshot = await analyses.snapshot(engine)
                if snapshot is not None and snapshot.seconds != self._last_s and not running.future.done():
                    self._tell(self._report(snapshot, done=False))
            analysis = running.future.result()
        finally:
            running.stop()
        self._last_s = analysis.seconds
        report = self._report(analysis, done=self._is_done(analysis))
        self._tell(report)
        return report

    def _is_done(self, analysis: Analysis) -> bool:
        return self._is_stopped or analysis.stopped_by != _STOPPED or not self._mind.resumes

    def _say_place(self, place: int) -> None:
        self._tell(replies.Queued(what="analysis", place=place, key=self._request.key, message=busy_message(place)))

    def _report(self, analysis: Analysis, *, done: bool) -> replies.AnalysisGiven:
        stopped_by = analysis.stopped_by if done else ""
        if stopped_by == _STOPPED and not self._is_stopped:
            stopped_by = "busy"
        return replies.AnalysisGiven(
            key=self._request.key,
            position=self._board.notation,
            engine=self._mind.name,
            done=done,
            stopped_by=stopped_by,
            move=analysis.move,
            score=Worth.of(analysis.score),
            columns=[
                shapes.Column(column=column.column, visits=column.visits, **Worth.of(column.score).model_dump())
                for column in analysis.columns
            ],
            line=analysis.pv,
            simulations=self._simulations + analysis.simulations,
            nodes=analysis.nodes,
            speed=round(analysis.simulations_per_second),
            depth=analysis.depth,
            seconds=round(self._seconds + analysis.seconds, 3),
        )

    def _over(self) -> replies.AnalysisGiven:
        """Report on a finished game, which needs no search."""
        return self._nothing("over").model_copy(update={"score": Worth.of(final_score(self._board))})

    def _nothing(self, stopped_by: str) -> replies.AnalysisGiven:
        return replies.AnalysisGiven(
            key=self._request.key,
            position=self._board.notation,
            engine=self._mind.name,
            done=True,
            stopped_by=stopped_by,
            move=None,
            score=Worth(win_chance=0.5),
            columns=[],
            line=[],
            simulations=0,
            nodes=0,
            speed=0,
            depth=0,
            seconds=0.0,
        )


def final_score(board: Board) -> Score:
    """Return what a finished game is worth to the side that would move.

    >>> print(final_score(Board.parse("6x7:1212121")))
    loses in 0
    """
    outcome = board.outcome()
    if outcome is None:
        raise ValueError("the game goes on")
    if outcome.winner is None:
        return Score.draw(0)
    return Score.win(0) if outcome.winner == board.turn else Score.loss(0)
