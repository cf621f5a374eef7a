"""Puzzles: positions with exactly one good move, mined from games, proved, rated and stored as text."""

from fourfall.coach.puzzles.difficulty import Difficulty, measure_difficulty
from fourfall.coach.puzzles.glicko2 import Game, Rating, update_rating
from fourfall.coach.puzzles.hints import list_hints
from fourfall.coach.puzzles.mining import Miner, make_puzzle, mine_games, play_games
from fourfall.coach.puzzles.progress import PUZZLE_DEVIATION, Progress, ProgressError
from fourfall.coach.puzzles.proof import Proof, ProofLimits, prove_only_move
from fourfall.coach.puzzles.puzzle import Puzzle, PuzzleError
from fourfall.coach.puzzles.puzzle_file import append_puzzles, load_puzzles, read_puzzles
from fourfall.coach.puzzles.refutation import Refutation, refute
from fourfall.coach.puzzles.themes import THEMES, describe_theme

__all__ = [
    "PUZZLE_DEVIATION",
    "THEMES",
    "Difficulty",
    "Game",
    "Miner",
    "Progress",
    "ProgressError",
    "Proof",
    "ProofLimits",
    "Puzzle",
    "PuzzleError",
    "Rating",
    "Refutation",
    "append_puzzles",
    "describe_theme",
    "list_hints",
    "load_puzzles",
    "make_puzzle",
    "measure_difficulty",
    "mine_games",
    "play_games",
    "prove_only_move",
    "read_puzzles",
    "refute",
    "update_rating",
]
