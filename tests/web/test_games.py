"""Owns the tests of a game of the page as data: any order of moves, undo, redo and resigning keeps it whole."""

from hypothesis import given
from hypothesis import strategies as st

from fourfall import Board
from fourfall.arena.record import GameRecord
from fourfall.web.games import Game, new_id
from fourfall.web.refusal import Refusal
from fourfall.web.requests import read_request

STARTS = ["4x4", "5x4@0,0", "6x7:44", "6x7:4"]


@given(st.sampled_from(STARTS), st.sampled_from([0, 1]), st.lists(st.integers(-4, 6), max_size=60))
def test_a_game_stays_whole_whatever_is_done(start: str, you: int, steps: list[int]) -> None:
    """After every step the board is what the moves make it, the game survives writing and reading, and is yours."""
    game = Game(new_id(), start, you, "level-1")
    for step in steps:
        if game.is_theirs:
            game.opponent_plays(game.board.legal_moves[step % len(game.board.legal_moves)], 1.0, None)
        else:
            try:
                match step:
                    case -4:
                        game.resign()
                    case -3:
                        game.redo()
                    case -2 | -1:
                        game.undo()
                    case column:
                        game.person_plays(game.board.ply, column, 1.0)
            except Refusal:
                pass
        state = game.state()
        board = Board.parse(state.start)
        for move in state.moves:
            board.push(move)
        assert board.notation == state.position
        assert Game.from_json(game.to_json()) == game
        assert (state.outcome is None) == (state.status == "playing")
        if game.is_over:
            assert GameRecord.from_json(game.record().to_json()).final == board


def test_undoing_everything_and_redoing_it_is_the_same_game() -> None:
    """All the way back and all the way forward again."""
    game = Game(new_id(), "6x7", 0, "level-1")
    for column in (3, 2, 4):
        game.person_plays(game.board.ply, column, 1.0)
        game.opponent_plays(3, 2.0, None)
    before = game.to_json()
    for _ in range(3):
        game.undo()
    assert game.board.ply == 0
    for _ in range(3):
        game.redo()
    assert game.to_json() == before


def test_names_are_unguessable_and_wellformed() -> None:
    """Every new name is another one, and a message may carry it."""
    names = {new_id() for _ in range(100)}
    assert len(names) == 100
    for name in names:
        read_request(f'{{"type": "open", "game": "{name}"}}')
