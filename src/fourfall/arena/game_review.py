"""Reviews the moves of a game one by one, from the last to the first, with search results that the caller provides.

The page searches on its thread pool, the library in the calling thread; the review itself is the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from fourfall._core import Board, Score
from fourfall.arena.mistakes import (
    DEFAULT_THRESHOLDS,
    MistakeKind,
    MistakeThresholds,
    classify_loss,
    compute_accuracy,
    misses_win,
)
from fourfall.arena.move_review import (
    MoveLoss,
    SearchResult,
    compare_move,
    compute_loss,
    find_turning_ply,
    score_for_mover,
)


@dataclass(frozen=True)
class MoveReview:
    """Review of one move. Both scores are for the player who moves.

    Attributes:
        ply: number of stones before the move.
        player: the player who moves, 0 or 1.
        column: the played column, from 0.
        best: the best column, which may be the played one.
        pv: expected moves after the best move, beginning with it.
        score_before: score of the best move.
        score_after: score of the played move.
        loss: win chance that the move loses compared with the best move, 0 to 1.
        missed_win: whether the move misses a win that another move keeps.
        mark: "blunder", "mistake", "inaccuracy", or "" for a good move.
    """

    ply: int
    player: int
    column: int
    best: int
    pv: tuple[int, ...]
    score_before: Score
    score_after: Score
    loss: float
    missed_win: bool
    mark: MistakeKind


class GameReviewer:
    """Reviews the moves of a board after its first `start` stones.

    The caller searches `board`, passes the result to `add`, and repeats this until `is_complete`.

    Attributes:
        board: position whose search result is needed next: the last position of the game at first.
        moves: reviewed moves, sorted by ply.
        final: score of the last position for the side to move, or None before the first result.
        done: number of positions for which a result was added.
        total: number of positions of the game, including the last one.

    >>> reviewer = GameReviewer(Board.parse("6x7:44"), start=1)
    >>> reviewer.add(SearchResult(Score.estimate(0.2), 3, [3]))
    >>> reviewer.board.notation, reviewer.is_complete
    ('6x7:4', False)
    >>> reviewer.add(SearchResult(Score.estimate(0.4), 2, [2, 3]))
    >>> reviewer.moves[0].best, reviewer.moves[0].loss, reviewer.moves[0].mark, reviewer.is_complete
    (2, 0.3, 'blunder', True)
    """

    def __init__(self, board: Board, start: int = 0, thresholds: MistakeThresholds = DEFAULT_THRESHOLDS) -> None:
        if not 0 <= start <= board.ply:
            raise ValueError(f"start must be from 0 to {board.ply}, the number of stones, not {start}")
        self.board = board.copy()
        self.moves: list[MoveReview] = []
        self.final: Score | None = None
        self.done = 0
        self.total = board.ply - start + 1
        self._thresholds = thresholds
        self._played = -1
        self._next_score = Score.draw(0)  # of the position after `board`, once that is known

    @property
    def is_complete(self) -> bool:
        """Whether all moves are reviewed."""
        return self.done == self.total

    def add(self, result: SearchResult) -> None:
        """Add the search result of `board`, and take back the move that led to `board` if it is to be reviewed."""
        if self.is_complete:
            raise ValueError("all moves are reviewed")
        if self.final is None:
            self._next_score = self.final = result.score
        else:
            move = self._review_move(result)
            self.moves.insert(0, move)
            self._next_score = move.score_before
        self.done += 1
        if not self.is_complete:
            self._played = self.board.pop()

    def _review_move(self, result: SearchResult) -> MoveReview:
        """Compare the played move with the search result of the position before it."""
        board, column = self.board, self._played
        best, played = compare_move(board, result, column, score_for_mover(self._next_score))
        loss = compute_loss(best.score, played)
        missed_win = best.move != column and misses_win(best.score, played)
        return MoveReview(
            ply=board.ply,
            player=board.turn,
            column=column,
            best=best.move,
            pv=tuple(best.pv),
            score_before=best.score,
            score_after=played,
            loss=loss,
            missed_win=missed_win,
            mark=classify_loss(loss, self._thresholds, missed_win=missed_win),
        )


def compute_accuracies(moves: Sequence[MoveReview]) -> tuple[float | None, float | None]:
    """Return the accuracy of the first and the second player in percent; None for a player without moves."""
    first, second = ([move.loss for move in moves if move.player == player] for player in (0, 1))
    return compute_accuracy(first), compute_accuracy(second)


def find_turning_points(moves: Sequence[MoveReview]) -> tuple[int | None, int | None]:
    """Return for each player, if this player lost the game, the number of stones before the turning point, or None."""
    first, second = (
        find_turning_ply(
            MoveLoss(move.ply, move.score_before.win_chance, move.loss)
            for move in reversed(moves)
            if move.player == player
        )
        for player in (0, 1)
    )
    return first, second
