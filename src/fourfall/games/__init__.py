"""Games with players and results, and their reviews: they draw themselves in Jupyter and as SVG and GIF."""

from fourfall.arena.game_review import MoveReview
from fourfall.games.game import Game, GameError
from fourfall.games.review import Review, review_game

__all__ = ["Game", "GameError", "MoveReview", "Review", "review_game"]
