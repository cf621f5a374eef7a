"""Reviews moves with searches: compares the played move with the best one and finds the turning point of a lost game.

These functions are pure; the review of the page and the report call them with the results of their searches. A review
goes from the last position to the first, so that what the later positions prove is known at the earlier ones.

The turning point of a lost game is the loser's move that lost the most win chance since the loser's position was last
even, that is, had a win chance of at least 50 %. Earlier mistakes did not decide the game, because the loser recovered
from them. A move that lost less than 10 % is no turning point.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fourfall._core import Analysis, Board, ColumnAnalysis, Score

EVEN_CHANCE = 0.5
"""Win chance from which on earlier moves cannot be the turning point."""
MIN_TURNING_LOSS = 0.1
"""Smallest loss of win chance of a turning point."""


class SearchResult(NamedTuple):
    """Score, best move and principal variation of a position, and the scores of its columns."""

    score: Score
    move: int
    pv: list[int]
    columns: Sequence[ColumnAnalysis] = ()

    @classmethod
    def from_analysis(cls, analysis: Analysis) -> "SearchResult":
        """Return the result of a search."""
        return cls(analysis.score, analysis.move, analysis.pv, analysis.columns)

    @classmethod
    def from_finished_game(cls, board: Board) -> "SearchResult":
        """Return the result of a position in which the game is over: it has no best move.

        >>> SearchResult.from_finished_game(Board.parse("6x7:1212121")).score == Score.loss(0)
        True
        """
        return cls(score_finished_game(board), -1, [])


class MoveLoss(NamedTuple):
    """A move: the number of stones before it, the mover's win chance with the best move, and what the move lost."""

    ply: int
    win_chance: float
    loss: float


def score_finished_game(board: Board) -> Score:
    """Return the score of a finished game for the side that would move next.

    >>> score_finished_game(Board.parse("6x7:1212121")) == Score.loss(0)
    True
    """
    outcome = board.outcome()
    if outcome is None:
        raise ValueError("the game is not over")
    if outcome.winner is None:
        return Score.draw(0)
    return Score.win(0) if outcome.winner == board.turn else Score.loss(0)


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


def compare_move(board: Board, result: SearchResult, column: int, played: Score) -> tuple[SearchResult, Score]:
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
        return SearchResult(Score.win(1), move, [move]), played
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
            return SearchResult(other.score, other.column, other.pv), played
    return SearchResult(played, column, result.pv if result.move == column else [column]), played


def compute_loss(best: Score, played: Score) -> float:
    """Return the win chance that a move loses compared with the best move, at least 0.

    >>> compute_loss(Score.draw(4), Score.loss(3)), compute_loss(Score.loss(5), Score.loss(3))
    (0.5, 0.0)
    """
    return round(max(0.0, best.win_chance - played.win_chance), 4)


def find_turning_ply(moves: Iterable[MoveLoss]) -> int | None:
    """Return the number of stones before the turning point, or None if no move is one.

    `moves` are the loser's moves from the last to the first; they are read only as far as necessary. Of equal losses
    the earliest is returned.

    >>> find_turning_ply([MoveLoss(9, 0.2, 0.2), MoveLoss(7, 0.6, 0.4), MoveLoss(5, 0.9, 0.9)])
    7
    """
    worst: MoveLoss | None = None
    for move in moves:
        if move.loss >= MIN_TURNING_LOSS and (worst is None or move.loss >= worst.loss):
            worst = move
        if move.win_chance >= EVEN_CHANCE:
            break
    return None if worst is None else worst.ply
