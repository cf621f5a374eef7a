"""Finds puzzles in games: of a database, or of levels that play from random openings."""

import itertools
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from fourfall._core import Board, Limit
from fourfall.agents.levels import LEVELS, get_level_number
from fourfall.coach.forced_win import PositionBudget, find_forced_win
from fourfall.coach.puzzles.difficulty import measure_difficulty, rate_difficulty
from fourfall.coach.puzzles.proof import Proof, ProofLimits, prove_only_move
from fourfall.coach.puzzles.puzzle import Puzzle, identify_position
from fourfall.coach.puzzles.themes import list_themes
from fourfall.engine import Engine
from fourfall.render.animation import rewind

TRIVIAL_SHARE = 0.04
"""Largest share of puzzles with a win in one move or a single move that does not lose at once."""
MIN_COLUMNS = 4
"""Least number of legal columns, so that guessing does not solve a puzzle."""
MAX_SAFE_MOVES = 4
"""Positions with more safe moves are tested only if they are late or have a forced win."""
MAX_FREE_CELLS = 30
"""Positions with at most this number of free cells are late."""
PLIES_APART = 8
"""Least distance of two puzzles of the same game."""

_SEQUENCE_POSITIONS = 200
_RANDOM_PLAYER = "random"
_PLAYERS = (*(name for name in LEVELS if 20 <= get_level_number(name) <= 76), *[_RANDOM_PLAYER] * 25)
_STANDARD_SHARE = 0.04
_MAX_OPENING = 0.65


def make_puzzle(board: Board, limits: ProofLimits | None = None) -> Puzzle | None:
    """Return the puzzle of a position; None if exactly one good move could not be proved within the limits.

    >>> make_puzzle(Board.parse("6x7:4453")) is None
    True
    """
    proof = prove_only_move(board, limits)
    return None if proof is None else _make_puzzle(board, proof)


def _make_puzzle(board: Board, proof: Proof) -> Puzzle:
    move = proof.columns[0]
    difficulty = measure_difficulty(board, move)
    return Puzzle(
        board.notation,
        proof.columns,
        proof.result,
        proof.distance,
        difficulty.level,
        rate_difficulty(difficulty, proof.winner_moves),
        list_themes(board, move),
    )


def is_trivial(board: Board) -> bool:
    """Whether the side to move wins at once, or has one move that does not lose at once.

    >>> is_trivial(Board.parse("6x7:11223")), is_trivial(Board.parse("6x7:4455"))
    (True, False)
    """
    return bool(board.winning_moves) or len(board.safe_moves) <= 1


@dataclass
class Miner:
    """Makes puzzles of the positions of games, each position and its mirror image once.

    Attributes:
        known: identifiers of positions that are not used again; add those of an existing file.
        limits: limits of the proofs.
        tested: number of positions that were tested.
        trivial: number of trivial puzzles among the found ones.
        found: number of puzzles found.
    """

    known: set[str] = field(default_factory=set)
    limits: ProofLimits = field(default_factory=ProofLimits)
    tested: int = 0
    trivial: int = 0
    found: int = 0

    def mine_game(self, game: Board) -> Iterator[Puzzle]:
        """Yield the puzzles in a game, in random order; the same game gives the same puzzles."""
        plies = list(range(game.ply))
        used = [ply for ply in plies if identify_position(rewind(game, ply)) in self.known]
        random.Random(game.notation).shuffle(plies)  # noqa: S311 (repeatable, not secret)
        for ply in plies:
            board = rewind(game, ply)
            if any(abs(ply - other) < PLIES_APART for other in used) or not self._is_wanted(board):
                continue
            self.tested += 1
            proof = prove_only_move(board, self.limits)
            if proof is None:
                continue
            used.append(ply)
            self.known.add(identify_position(board))
            self.found += 1
            self.trivial += is_trivial(board)
            yield _make_puzzle(board, proof)

    def _is_wanted(self, board: Board) -> bool:
        """Whether the position is not too easy and likely enough to be proved."""
        if len(board.legal_moves) < MIN_COLUMNS:
            return False
        if is_trivial(board) and self.trivial >= TRIVIAL_SHARE * (self.found + 1):
            return False
        return (
            board.geometry.cells - board.ply <= MAX_FREE_CELLS
            or len(board.safe_moves) <= MAX_SAFE_MOVES
            or find_forced_win(board, PositionBudget(_SEQUENCE_POSITIONS)) is not None
        )


def mine_games(games: Iterable[Board], miner: Miner, report: Callable[[Miner], None] | None = None) -> Iterator[Puzzle]:
    """Yield the puzzles in games; call `report` after each game."""
    for game in games:
        yield from miner.mine_game(game)
        if report is not None:
            report(miner)


def play_games(seed: int, start: int = 0) -> Iterator[Board]:
    """Yield games between random players without end; the same seed gives the same games.

    Most boards are official ones, the others have 6 rows, 7 columns and no hole. A game begins with random safe moves;
    then each side is a level or goes on with random safe moves.

    Args:
        seed: random seed.
        start: number of games to leave out.

    >>> next(play_games(1)).is_over
    True
    """
    for number in itertools.count(start):
        source = random.Random(f"{seed} {number}")  # noqa: S311 (the games must be repeatable, not secret)
        board = Board(6, 7) if source.random() < _STANDARD_SHARE else Board.random(source.getrandbits(63))
        opening = round(board.geometry.cells * source.uniform(0.05, _MAX_OPENING))
        players = [_open_player(name, source) for name in source.choices(_PLAYERS, k=2)]
        while not board.is_over:
            player = _choose_safe_move if board.ply < opening else players[board.turn]
            board.push(player(board, source))
        yield board


_Player = Callable[[Board, random.Random], int]


def _open_player(name: str, source: random.Random) -> _Player:
    if name == _RANDOM_PLAYER:
        return _choose_safe_move
    engine = Engine(LEVELS[name].preset, seed=source.getrandbits(63))
    limit = Limit(simulations=LEVELS[name].simulations)
    return lambda board, _: engine.play(board, limit)


def _choose_safe_move(board: Board, source: random.Random) -> int:
    """Return a winning move, else a random safe move, else a random move."""
    return source.choice(board.winning_moves or board.safe_moves or board.legal_moves)
