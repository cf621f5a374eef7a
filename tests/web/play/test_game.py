"""Tests a game as data: any order of moves, undo, redo and resignation keeps it consistent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfall import Board
from fourfall.arena.record import GameRecord
from fourfall.arena.record_check import check_record
from fourfall.web.errors import RequestError
from fourfall.web.messages.requests import parse_request
from fourfall.web.play.clock import Clock
from fourfall.web.play.game import OTHER_PERSON, Game, create_id

STARTS = ["4x4", "5x4@0,0", "6x7:44", "6x7:4"]


@given(st.sampled_from(STARTS), st.sampled_from([0, 1, None]), st.lists(st.integers(-5, 6), max_size=60))
def test_game_is_consistent_after_any_steps(start: str, you: int | None, steps: list[int]) -> None:
    """After every step the board matches the moves, and JSON and game records preserve the game."""
    game = Game(create_id(), start, you, OTHER_PERSON if you is None else "level-2", clock=Clock(60.0, 1.0))
    for step in steps:
        if game.is_opponents_turn:
            game.play_opponent(game.board.legal_moves[step % len(game.board.legal_moves)], 1.0, None)
        else:
            try:
                match step:
                    case -5 if not game.is_over:
                        game.end_on_time()
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
    game = Game(create_id(), "6x7", 0, "level-2")
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


def test_two_persons_undo_and_redo_single_moves() -> None:
    """Between two persons both sides move, undo takes back one move, and the side to move resigns."""
    game = Game(create_id(), "6x7", None, OTHER_PERSON)
    for column in (3, 2, 4):
        assert game.play_person(game.board.ply, column, 1.0)
    assert game.names == ("Blue", "Orange")
    assert not game.is_opponents_turn
    game.undo()
    assert (game.board.moves, [move.column for move in game.undone]) == ([3, 2], [4])
    game.redo()
    assert game.board.moves == [3, 2, 4]
    game.resign()
    assert game.verdict is not None
    assert game.verdict.winner == 0
    game.undo()
    assert (game.is_over, game.board.moves) == (False, [3, 2, 4])
    assert game.create_rematch().you is None


def test_clock_counts_every_turn_and_undo_gives_no_time_back() -> None:
    """A move costs its time and adds the increment; undo removes the increment but not the used time."""
    game = Game(create_id(), "6x7:4", None, OTHER_PERSON, clock=Clock(10.0, 2.0))
    game.play_person(1, 3, 4000.0)
    assert (game.compute_left_ms(0), game.compute_left_ms(1)) == (10_000.0, 8_000.0)
    clock = game.describe(turn_ms=500.0).clock
    assert clock is not None
    assert clock.left_ms == (9_500.0, 8_000.0)
    game.undo()
    assert (game.compute_left_ms(0), game.compute_left_ms(1)) == (10_000.0, 6_000.0)
    again = game.create_rematch()
    assert (again.compute_left_ms(0), again.compute_left_ms(1)) == (10_000.0, 10_000.0)


def test_game_lost_on_time_cannot_be_continued() -> None:
    """The side to move loses on time, and undo is refused."""
    game = Game(create_id(), "6x7", None, OTHER_PERSON, clock=Clock(10.0))
    game.play_person(0, 3, 1.0)
    game.end_on_time()
    assert game.verdict is not None
    assert (game.verdict.ending.value, game.verdict.winner) == ("time", 0)
    with pytest.raises(RequestError, match="lost on time"):
        game.undo()
