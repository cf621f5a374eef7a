"""Tests the OpenSpiel game: OpenSpiel's own tests, agreement with its connect_four, observers and bad input."""

import pickle
import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

from fourfall import Board, Geometry
from fourfall.environments.openspiel import load_game, make_game_string

GAMES_PER_SIZE = 100


@pytest.mark.parametrize("padded", [True, False])
@pytest.mark.parametrize("board", ["6x7", "4x4@0,0", "9x12@3,4", "12x12@11,11"])
def test_random_simulations(board: str, padded: bool) -> None:
    """OpenSpiel's random_sim_test passes: legal actions, clones, serialisation, observations, returns."""
    pyspiel.random_sim_test(load_game(board, padded=padded), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("rows", range(4, 13))
def test_rules_agree_with_connect_four(rows: int) -> None:
    """On boards without a hole, random games agree with OpenSpiel's connect_four in every position."""
    source = random.Random(rows)  # noqa: S311
    winners = set()
    for columns in range(4, 13):
        game = pyspiel.load_game("connect_four", {"rows": rows, "columns": columns})
        for _ in range(GAMES_PER_SIZE):
            board, state = Board(rows, columns), game.new_initial_state()
            while not board.is_over:
                legal = board.legal_moves
                assert state.legal_actions() == legal
                assert state.current_player() == board.turn
                column = source.choice(legal)
                board.push(column)
                state.apply_action(column)
            outcome = board.outcome()
            assert outcome is not None
            assert state.is_terminal()
            assert state.returns() == {None: [0, 0], 0: [1, -1], 1: [-1, 1]}[outcome.winner]
            winners.add(outcome.winner)
    assert {0, 1} <= winners


def test_game_agrees_with_connect_four_and_the_board() -> None:
    """The game gives the same positions, turns and returns as connect_four, and has the same interface."""
    source = random.Random(1)  # noqa: S311
    ours, theirs = load_game("6x7"), pyspiel.load_game("connect_four")
    for name in ("num_distinct_actions", "num_players", "min_utility", "max_utility", "utility_sum", "max_game_length"):
        assert getattr(ours, name)() == getattr(theirs, name)()
    for _ in range(30):
        states = [ours.new_initial_state(), theirs.new_initial_state()]
        while not states[1].is_terminal():
            action = source.choice(states[1].legal_actions())
            for state in states:
                state.apply_action(action)
            left, right = (
                (state.current_player(), state.legal_actions(), state.is_terminal(), state.returns(), state.history())
                for state in states
            )
            assert left == right


def test_clone_and_serialisation_are_independent_copies() -> None:
    """Clones, pickles and serialised states have the same board and do not change with the original."""
    state = load_game("9x10@4,7").new_initial_state()
    for action in (3, 7, 7, 0):
        state.apply_action(action)
    _, deserialised = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    copies = [state.clone(), pickle.loads(pickle.dumps(state)), deserialised]  # noqa: S301
    state.apply_action(5)
    for copy in copies:
        assert copy.board == Board.parse("9x10@4,7:4881")
        assert copy.history() == [3, 7, 7, 0]
        copy.apply_action(9)
    assert state.board == Board.parse("9x10@4,7:48816")


def test_mcts_bot_finds_wins_and_defences() -> None:
    """OpenSpiel's MCTS plays the game: it completes four, and prevents the opponent's four."""
    game = load_game("6x7@0,0")
    for moves, best in (([0, 1, 0, 1, 0, 1], 0), ([0, 1, 0, 1, 0], 0)):
        state = game.new_initial_state()
        for action in moves:
            state.apply_action(action)
        generator = np.random.RandomState(1)
        bot = mcts.MCTSBot(game, 2, 200, mcts.RandomRolloutEvaluator(2, generator), random_state=generator)
        assert bot.step(state) == best


def test_observers() -> None:
    """The tensor has the planes of the player; texts are the board and the history."""
    game = load_game("6x7@2,3")
    state = game.new_initial_state()
    for action in (3, 3, 4):
        state.apply_action(action)
    observation = make_observation(game)
    for player, own in ((0, [(5, 3), (5, 4)]), (1, [(4, 3)])):
        observation.set_from(state, player)
        planes = observation.dict["observation"]
        assert planes.shape == (4, 12, 12)
        assert list(zip(*np.nonzero(planes[0]), strict=True)) == own
        assert list(zip(*np.nonzero(planes[2]), strict=True)) == [(2, 3)]
        assert planes[3].sum() == 42
        assert list(observation.tensor) == state.observation_tensor(player)
    assert observation.string_from(state, 0) == str(state) == str(Board.parse("6x7@2,3:445"))
    assert state.information_state_string(0) == "3, 3, 4"
    assert make_observation(game, INFO_STATE_OBS_TYPE).string_from(state, 0) == "3, 3, 4"
    assert load_game("6x7", padded=False).observation_tensor_shape() == [4, 6, 7]
    with pytest.raises(ValueError, match=r"the observer has no parameters, not \{'size': 7\}"):
        make_observation(game, params={"size": 7})


def test_action_strings() -> None:
    """Actions are named by the player's symbol and the column."""
    state = load_game("6x7").new_initial_state()
    assert [state.action_to_string(player, 3) for player in (0, 1)] == ["X3", "O3"]
    assert state.string_to_action("X6") == 6


@pytest.mark.parametrize("source", ["9x10@4,7", Board.parse("9x10@4,7"), Geometry(9, 10, hole=(4, 7))], ids=type)
def test_game_string(source: str | Board | Geometry) -> None:
    """A board gives the parameters of its game, which OpenSpiel loads."""
    text = make_game_string(source)
    assert text == "gravity_four(rows=9,columns=10,hole_row=4,hole_column=7)"
    assert pyspiel.load_game(text).new_initial_state().board == Board.parse("9x10@4,7")
    assert "padded=False" in make_game_string(source, padded=False)


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("rows=3", ValueError, "a board has 4 to 12 rows, not 3"),
        ("columns=13", ValueError, "a board has 4 to 12 columns, not 13"),
        ("hole_row=6,hole_column=0", ValueError, r"hole \(6, 0\) is off the 6x7 board"),
        ("hole_row=2", ValueError, "hole_row = 2, hole_column = -1: give both"),
        ("rows=1.5", pyspiel.SpielError, "rows.*1.5"),
        ("rows=a", pyspiel.SpielError, "rows.*a"),
        ("size=7", pyspiel.SpielError, "Unknown parameter 'size'"),
    ],
)
def test_wrong_parameter_is_an_error(text: str, kind: type[Exception], message: str) -> None:
    """Errors name the parameter and its value."""
    with pytest.raises(kind, match=message):
        pyspiel.load_game(f"gravity_four({text})")


@pytest.mark.parametrize(
    ("board", "kind", "message"),
    [
        (None, TypeError, "board = None: a game has a fixed board"),
        ("6x7:4", ValueError, "board = '6x7:4': a game begins with the empty board"),
        (7, TypeError, "board = 7"),
        ("6x7@7,7", ValueError, "board = '6x7@7,7'"),
    ],
)
def test_wrong_board_is_an_error(board: Any, kind: type[Exception], message: str) -> None:  # noqa: ANN401
    """Errors name the board."""
    with pytest.raises(kind, match=message):
        load_game(board)


@pytest.mark.parametrize(
    ("action", "kind", "message"),
    [
        (3, ValueError, "column 3 is full"),
        (7, ValueError, "column 7 is off the board: columns are 0..6"),
        (-1, pyspiel.SpielError, "action_id = -1"),
        (1.5, TypeError, "1.5"),
        ("a", TypeError, "'a'"),
    ],
    ids=repr,
)
def test_wrong_action_is_an_error(action: object, kind: type[Exception], message: str) -> None:
    """Errors name the action; the state is unchanged."""
    state = load_game("6x7").new_initial_state()
    for _ in range(6):
        state.apply_action(np.int64(3))
    with pytest.raises(kind, match=message):
        state.apply_action(action)
    assert state.history() == [3] * 6
    state.apply_action(0)


def test_action_after_the_end_is_an_error() -> None:
    """A game that is over has no legal actions."""
    state = load_game("6x7").new_initial_state()
    for action in (0, 1, 0, 1, 0, 1, 0):
        state.apply_action(action)
    assert state.legal_actions() == []
    with pytest.raises(ValueError, match="over"):
        state.apply_action(2)


def test_start_from_a_state_is_an_error() -> None:
    """A game begins with the empty board."""
    with pytest.raises(ValueError, match="a game begins with the empty board, not with"):
        load_game("6x7").new_initial_state("6x7:4")
