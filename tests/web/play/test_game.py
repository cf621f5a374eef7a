"""Tests a game as data: any order of moves, undo, redo and resignation keeps it consistent."""

from hypothesis import given
from hypothesis import strategies as st

from fourfall import Board
from fourfall.arena.record import GameRecord
from fourfall.arena.record_check import check_record
from fourfall.web.errors import RequestError
from fourfall.web.messages.requests import parse_request
from fourfall.web.play.game import Game, create_id

STARTS = ["4x4", "5x4@0,0", "6x7:44", "6x7:4"]


@given(st.sampled_from(STARTS), st.sampled_from([0, 1]), st.lists(st.integers(-4, 6), max_size=60))
def test_game_is_consistent_after_any_steps(start: str, you: int, steps: list[int]) -> None:
    """After every step the board matches the moves, and JSON and game records preserve the game."""
    game = Game(create_id(), start, you, "level-1")
    for step in steps:
        if game.is_opponents_turn:
            game.play_opponent(game.board.legal_moves[step % len(game.board.legal_moves)], 1.0, None)
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
                        game.play_person(game.board.ply, column, 1.0)
            except RequestError:
                pass
        state = game.describe()
        board = Board.parse(state.start)
        for move in state.moves:
            board.push(move)
        assert board.notation == state.position
        assert Game.from_json(game.to_json()) == game
        assert (state.outcome is None) == (state.status == "playing")
        if game.is_over:
            check_record(game.to_record())
            assert GameRecord.from_json(game.to_record().to_json()).final_board == board


def test_undo_and_redo_of_all_moves_restores_the_game() -> None:
    """Undo back to the start and redo to the end give the same JSON."""
    game = Game(create_id(), "6x7", 0, "level-1")
    for column in (3, 2, 4):
        game.play_person(game.board.ply, column, 1.0)
        game.play_opponent(3, 2.0, None)
    before = game.to_json()
    for _ in range(3):
        game.undo()
    assert game.board.ply == 0
    for _ in range(3):
        game.redo()
    assert game.to_json() == before


def test_ids_are_unique_and_valid_in_messages() -> None:
    """100 new ids are different, and requests accept them."""
    ids = {create_id() for _ in range(100)}
    assert len(ids) == 100
    for game_id in ids:
        parse_request(f'{{"type": "open", "game": "{game_id}"}}')
