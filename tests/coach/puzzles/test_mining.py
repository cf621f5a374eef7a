"""Tests of mining puzzles from games."""

import itertools

from fourfall import Board
from fourfall.coach.puzzles import Miner, Puzzle, mine_games, play_games
from fourfall.coach.puzzles.mining import PLIES_APART, is_trivial

GAMES = 25


def mine(seed: int, known: set[str] | None = None) -> list[Puzzle]:
    """Return the puzzles of the first games of a seed."""
    return list(mine_games(itertools.islice(play_games(seed), GAMES), Miner(known=known or set())))


def test_mining_is_repeatable_and_skips_known_positions() -> None:
    """The same seed gives the same puzzles; known positions are not found again."""
    first = mine(5)
    assert first
    assert mine(5) == first
    known = {puzzle.id for puzzle in first}
    assert not known & {puzzle.id for puzzle in mine(5, set(known))}


def test_puzzles_of_a_game_are_positions_of_it_and_apart() -> None:
    """The position of a puzzle is one of its game; two of them are at least eight plies apart."""
    for game in itertools.islice(play_games(6), 20):
        boards = [puzzle.board for puzzle in Miner().mine_game(game)]
        assert all(game.moves[: board.ply] == board.moves for board in boards)
        plies = sorted(board.ply for board in boards)
        assert all(later - earlier >= PLIES_APART for earlier, later in itertools.pairwise(plies))


def test_trivial_puzzles_are_limited() -> None:
    """After many trivial puzzles only other ones are accepted."""
    game = Board.parse("6x7:1122334")
    assert all(is_trivial(puzzle.board) for puzzle in Miner().mine_game(game))
    assert not any(is_trivial(puzzle.board) for puzzle in Miner(found=10, trivial=10).mine_game(game))


def test_games_are_repeatable_and_continue_after_any_number() -> None:
    """Game n of a seed does not depend on where the series begins."""
    games = [game.notation for game in itertools.islice(play_games(7), 5)]
    assert [game.notation for game in itertools.islice(play_games(7, 3), 2)] == games[3:]
