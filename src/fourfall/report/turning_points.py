"""Finds the turning point of lost games with searches of a fixed number of simulations.

`arena/move_review.py` defines the turning point; the page uses the same definition. The search goes from the end of a
game to its beginning and stops as soon as earlier moves cannot be the turning point. The same game, engine and number
of simulations give the same result: every game starts with an empty search graph, and the engine has one thread.
"""

import threading
from collections.abc import Iterator
from typing import NamedTuple

from fourfall._core import Board, Limit, Score, StopToken
from fourfall.arena.judge import Ending
from fourfall.arena.move_review import (
    MoveLoss,
    SearchResult,
    compare_move,
    compute_loss,
    find_turning_ply,
    score_for_mover,
)
from fourfall.arena.record import GameRecord
from fourfall.coach import LANGUAGES, ColumnScore, explain
from fourfall.engine import Engine
from fourfall.render import COLUMN_NAMES
from fourfall.report.report_game import AnalysisState, TurningPoint

ENGINE = "fourfall"
"""Preset that evaluates the positions; without the network's weights it evaluates by rollouts."""
SIMULATIONS = 200
"""Simulations per position."""
_MEMORY_MB = 64
_SEED = 0


class LossAnalysis(NamedTuple):
    """Why a game was lost: the state of the analysis, and the turning point if one was found."""

    state: AnalysisState
    turning_point: TurningPoint | None = None


def classify_without_search(record: GameRecord) -> LossAnalysis | None:
    """Return the analysis of a game that was not lost on the board: a draw, or lost by a failure or by the clock.

    >>> from fourfall.arena.record import EXAMPLE
    >>> classify_without_search(EXAMPLE) is None
    True
    """
    if record.winner is None:
        return LossAnalysis("not lost")
    if record.culprit is not None or record.ending is Ending.TIME:
        return LossAnalysis("failure")
    return None


class ReviewedMove(NamedTuple):
    """A move: the board before it, the best move, which may be the played one, and the score of the played move.

    `line` has the expected moves from the played one on.
    """

    board: Board
    column: int
    best: SearchResult
    played: Score
    line: list[int]

    def measure_loss(self) -> MoveLoss:
        """Return the win chance that the move lost."""
        return MoveLoss(self.board.ply, self.best.score.win_chance, compute_loss(self.best.score, self.played))


class SearchStopped(Exception):  # noqa: N818 (a request, not an error)
    """The search was stopped before the game was analysed."""


class LossAnalyser:
    """Analyses lost games, one after the other, with one engine.

    >>> from fourfall.arena.record import EXAMPLE
    >>> analysis = LossAnalyser(simulations=50).analyse(EXAMPLE)
    >>> analysis.state, analysis.turning_point.ply, analysis.turning_point.played, analysis.turning_point.better
    ('found', 5, '3', '4')
    """

    def __init__(self, engine: str = ENGINE, *, simulations: int = SIMULATIONS) -> None:
        self._engine = Engine(engine, seed=_SEED, memory_mb=_MEMORY_MB, threads=1)
        self._limit = Limit(simulations=simulations)
        self._stopping = threading.Event()
        self._stop_token = StopToken()

    @property
    def name(self) -> str:
        """The name of the engine; it says so if the weights of the network are missing."""
        name = self._engine.preset.name
        return name if name != ENGINE or self.evaluator == "network" else f"{name} (rollouts)"

    @property
    def evaluator(self) -> str:
        """What evaluates positions: "network" or "rollouts"."""
        return self._engine.evaluator

    def stop(self) -> None:
        """End the running analysis and all later ones with SearchStopped. May be called from any thread."""
        self._stopping.set()
        self._stop_token.stop()

    def analyse(self, record: GameRecord) -> LossAnalysis:
        """Find the turning point of a game, if it was lost on the board.

        Raises SearchStopped if `stop` is called before the result is known.
        """
        known = classify_without_search(record)
        if known is not None:
            return known
        loser = 0 if record.winner == 1 else 1
        moves: dict[int, ReviewedMove] = {}
        ply = find_turning_ply(self._measure_losses(record, loser, moves))
        if ply is not None:
            return LossAnalysis("found", self._describe(moves[ply], loser))
        first = moves.get(min(moves, default=-1))
        opening = Board.parse(record.board).ply
        is_lost = first is not None and first.board.ply <= opening + 1 and first.best.score.is_loss
        return LossAnalysis("lost start" if is_lost else "none")

    def review(self, record: GameRecord) -> Iterator[ReviewedMove]:
        """Yield all moves after the opening, from the last to the first; raises SearchStopped as `analyse` does."""
        self._engine.clear()
        board = record.final_board
        best = self._search(board)
        for _ in record.moves:
            column, line = board.pop(), best.pv
            best, played = compare_move(board, self._search(board), column, score_for_mover(best.score))
            yield ReviewedMove(board.copy(), column, best, played, [column, *line])

    def evaluate(self, board: Board) -> Score:
        """Return the score of a position for the side to move, independent of earlier searches."""
        self._engine.clear()
        return self._search(board).score

    def _measure_losses(self, record: GameRecord, loser: int, moves: dict[int, ReviewedMove]) -> Iterator[MoveLoss]:
        """Yield the loser's moves from the last to the first; the reviewed moves are put into `moves` by ply."""
        for move in self.review(record):
            if move.board.turn == loser:
                moves[move.board.ply] = move
                yield move.measure_loss()

    def _search(self, board: Board) -> SearchResult:
        if self._stopping.is_set():
            raise SearchStopped
        if board.is_over:
            return SearchResult.from_finished_game(board)
        analysis = self._engine.search(board, self._limit, stop_token=self._stop_token)
        if self._stopping.is_set():
            raise SearchStopped
        return SearchResult.from_analysis(analysis)

    def _describe(self, move: ReviewedMove, loser: int) -> TurningPoint:
        best, played = move.best.score, move.played
        scores = [ColumnScore(move.best.move, best, move.best.pv), ColumnScore(move.column, played, move.line)]
        explanation = explain(move.board, move.column, analysis=scores)
        return TurningPoint(
            ply=move.board.ply,
            side=loser,
            played=COLUMN_NAMES[move.column],
            better=COLUMN_NAMES[move.best.move],
            line="".join(COLUMN_NAMES[column] for column in move.best.pv),
            win_chance_before=round(best.win_chance, 4),
            win_chance_after=round(played.win_chance, 4),
            kind="proof" if best.is_exact and played.is_exact else "estimate",
            board=move.board.notation,
            engine=self.name,
            reasons={language: explanation.write(language) for language in LANGUAGES},
        )
