"""Reviews a game with an engine: the best move, the loss and the mark of every move, and the turning points."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fourfall._core import Board, Limit, Score
from fourfall.arena.game_review import GameReviewer, MoveReview, compute_accuracies, find_turning_points
from fourfall.arena.mistakes import DEFAULT_THRESHOLDS, MistakeThresholds
from fourfall.arena.move_review import SearchResult
from fourfall.engine import Engine
from fourfall.games.game import Game
from fourfall.games.game_html import draw_titled_stepper
from fourfall.presets import DEFAULT, Preset
from fourfall.render.evaluation_graph import draw_evaluation_graph
from fourfall.render.labels import COLUMN_NAMES
from fourfall.render.score_labels import PLAYER_NAMES, format_line
from fourfall.render.stepper import MoveNote

DEFAULT_LIMIT = Limit(time=0.2)
"""Limit of each search, the same as on the page."""
SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??", "": ""}
"""Signs of chess notation for the marks."""


@dataclass(frozen=True)
class Review:
    """Review of a game; Jupyter draws it with a graph of the win chance and the moves to step through.

    Attributes:
        game: the reviewed game.
        engine: name of the engine.
        limit: limit of each search.
        moves: reviewed moves, sorted by ply: all moves after the opening, or the last ones if the review was stopped.
        final: score of the last position for the side to move.
        thresholds: smallest losses of win chance that are marked.
    """

    game: Game
    engine: str
    limit: Limit
    moves: tuple[MoveReview, ...]
    final: Score
    thresholds: MistakeThresholds = DEFAULT_THRESHOLDS

    @property
    def is_complete(self) -> bool:
        """Whether all moves after the opening are reviewed."""
        return len(self.moves) == self.game.board.ply - self.game.opening

    @property
    def start(self) -> int:
        """Number of stones of the first position that was reviewed."""
        return self.game.board.ply - len(self.moves)

    @property
    def mistakes(self) -> list[MoveReview]:
        """Moves with a mark: inaccuracies, mistakes and blunders."""
        return [move for move in self.moves if move.mark]

    @property
    def accuracy(self) -> tuple[float | None, float | None]:
        """Accuracy of the first and the second player, 0 to 100: 100 if no move lost win chance; None without moves."""
        return compute_accuracies(self.moves)

    @property
    def turning_point(self) -> MoveReview | None:
        """The move that lost the game, or None if nobody lost or no single move decided the game.

        It is the loser's move that lost the most win chance since the loser's position was last even.
        """
        if self.game.winner is None:
            return None
        ply = find_turning_points(self.moves)[1 - self.game.winner]
        return next((move for move in self.moves if move.ply == ply), None)

    @property
    def win_chances(self) -> list[float]:
        """Win chance of the first player in every position from `start` stones to the end, 0 to 1."""
        before = [_convert_to_first(move.score_before, move.player) for move in self.moves]
        return [*before, _convert_to_first(self.final, self.game.board.turn)]

    def __str__(self) -> str:
        return "\n".join([self.game.describe(), *self._describe(), *map(self._format_move, self.mistakes)])

    def __repr__(self) -> str:
        return f"<Review: {len(self.moves)} moves, {len(self.mistakes)} mistakes, engine {self.engine!r}>"

    def _repr_html_(self) -> str:
        notes = {move.ply + 1: _make_note(move) for move in self.moves}
        marks = {move.ply + 1: (move.mark, self._format_move(move)) for move in self.mistakes}
        turning = self.turning_point
        return draw_titled_stepper(
            self.game.board,
            self.game.describe(),
            self.game.opening,
            notes,
            lines=self._describe(),
            graph=draw_evaluation_graph(self.win_chances, start=self.start, marks=marks),
            shown=None if turning is None else turning.ply + 1,
        )

    def _describe(self) -> list[str]:
        """Return lines about the engine, the accuracy and the turning point."""
        total = self.game.board.ply - self.game.opening
        reviewed = f"{total} moves" if self.is_complete else f"the last {len(self.moves)} of {total} moves"
        lines = [f"{reviewed} reviewed by {self.engine}"]
        accuracy = [
            f"{color} {value:.0f} %"
            for color, value in zip(PLAYER_NAMES, self.accuracy, strict=True)
            if value is not None
        ]
        if accuracy:
            lines.append(f"accuracy: {', '.join(accuracy)}")
        if (turning := self.turning_point) is not None:
            lines.append(f"turning point: {self._format_move(turning)}")
        return lines

    def _format_move(self, move: MoveReview) -> str:
        return f"stone {move.ply + 1}, {PLAYER_NAMES[move.player]} {_describe_move(move)}"


def review_game(
    game: Game | Board | str,
    engine: Engine | Preset | str | Path = DEFAULT,
    limit: Limit = DEFAULT_LIMIT,
    *,
    thresholds: MistakeThresholds = DEFAULT_THRESHOLDS,
    on_progress: Callable[[Review], bool | None] | None = None,
) -> Review:
    """Review all moves after the opening of a game, from the last to the first.

    Args:
        game: a game, a board with its moves, or a position in text.
        engine: an engine, whose earlier searches are cleared, or a preset.
        limit: limit of the search of each position. With a limit in simulations and one thread the same call gives the
            same review.
        thresholds: smallest losses of win chance that are called inaccuracy, mistake and blunder.
        on_progress: called after each position with the review so far; the review stops if it returns False.

    >>> review = review_game("6x7:1122337", "seed-002", Limit(simulations=500))
    >>> last = review.moves[-1]
    >>> last.mark, COLUMN_NAMES[last.best], last.missed_win
    ('blunder', '4', True)
    """
    game, engine = make_game(game), make_engine(engine)
    engine.clear()
    reviewer = GameReviewer(game.board, game.opening, thresholds)
    while True:
        board = reviewer.board
        if board.is_over:
            reviewer.add(SearchResult.from_finished_game(board))
        else:
            reviewer.add(SearchResult.from_analysis(engine.search(board, limit)))
        final = reviewer.final or Score.draw(0)
        review = Review(game, engine.preset.name, limit, tuple(reviewer.moves), final, thresholds)
        is_stopped = on_progress is not None and on_progress(review) is False
        if reviewer.is_complete or is_stopped:
            return review


def make_game(game: Game | Board | str) -> Game:
    """Return a game, or the game of a board or of a position in text."""
    if isinstance(game, Game):
        return game
    return Game.from_board(game) if isinstance(game, Board) else Game(game)


def make_engine(engine: Engine | Preset | str | Path) -> Engine:
    """Return an engine, or a new engine with a preset."""
    return engine if isinstance(engine, Engine) else Engine(engine)


def _convert_to_first(score: Score, player: int) -> float:
    """Return the win chance of the first player from a score of `player`."""
    return score.win_chance if player == 0 else 1 - score.win_chance


def _describe_move(move: MoveReview) -> str:
    """Return what a review says about a move.

    >>> move = MoveReview(5, 1, 6, 3, (3, 2), Score.estimate(0), Score.loss(2), 0.5, False, "blunder")
    >>> _describe_move(move)
    'plays 7??, loses in 1; 4 is better, 50.0 % (line 4 3)'
    """
    played = f"plays {COLUMN_NAMES[move.column]}{SIGNS[move.mark]}"
    return f"{played}, {_describe_score(move)}"


def _describe_score(move: MoveReview) -> str:
    if move.best == move.column:
        return f"{move.score_after} (best)"
    line = f" (line {format_line(move.pv)})" if len(move.pv) > 1 else ""
    return f"{move.score_after}; {COLUMN_NAMES[move.best]} is better, {move.score_before}{line}"


def _make_note(move: MoveReview) -> MoveNote:
    return MoveNote(SIGNS[move.mark], _describe_score(move), move.best if move.mark else None)
