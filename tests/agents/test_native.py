"""Tests of built-in engines as agents: which limit holds, seeds, and the order of the levels."""

from collections import Counter
from pathlib import Path

import pytest

from fourfall import Board, Limit, presets
from fourfall._core import Arithmetic, EvaluatorKind, GraphConfig
from fourfall.agents.base import AgentMove, Conditions
from fourfall.agents.levels import LEVELS
from fourfall.agents.native import EngineAgent
from fourfall.agents.registry import open_agent
from fourfall.arena.game import ScheduledGame, Seat, play_game

OPENING = Board.parse("12x12@3,3")


def play_once(address: str, conditions: Conditions, board: Board = OPENING, limit: Limit | None = None) -> AgentMove:
    """Return the first move of a new agent."""
    agent = open_agent(address, conditions)
    agent.start(board.copy())
    move = agent.play(board.copy(), limit)
    agent.close()
    return move


@pytest.mark.parametrize(
    ("address", "least_s", "most_s"),
    [
        ("fourfall", 0.35, 0.8),  # the preset has no time
        ("seed-002", 0.35, 0.8),  # the preset has 2.7 s, which is longer than the conditions allow
        ("seed-002?time=5", 0.35, 0.8),
        ("seed-002?time=0.05", 0.02, 0.35),
        ("seed-002?time=0", 0.0, 0.35),
        ("seed-002?simulations=100", 0.0, 0.35),
        ("seed-002?simulations=999999999", 0.35, 0.8),
        ("seed-002?simulations=999999999&time=0.05", 0.02, 0.35),
    ],
)
def test_the_first_limit_reached_ends_the_search(address: str, least_s: float, most_s: float) -> None:
    """An engine searches for its own time or simulations, but never longer than the time per move."""
    assert least_s <= play_once(address, Conditions(move_time_s=0.8)).seconds <= most_s


@pytest.mark.parametrize(
    ("address", "limit", "least_s", "most_s"),
    [
        ("seed-002", Limit(time=0.8), 0.35, 0.8),
        ("seed-001", Limit(simulations=100), 0.0, 0.35),
        ("seed-002?time=0.05", Limit(time=2), 0.02, 0.35),
        ("seed-002?simulations=999999999", Limit(simulations=100), 0.0, 0.35),
        ("seed-002?simulations=100", Limit(simulations=999999999), 0.0, 0.35),
        ("level-40", Limit(time=5), 0.0, 0.35),
    ],
)
def test_limits_of_a_call_and_of_the_address(address: str, limit: Limit, least_s: float, most_s: float) -> None:
    """The limit of a call replaces the conditions' time and the preset's limits, but not those of the address."""
    assert least_s <= play_once(address, Conditions(move_time_s=60), limit=limit).seconds <= most_s


def test_a_limit_of_a_call_may_be_longer_than_the_presets_time(tmp_path: Path) -> None:
    """The preset's limits hold only if neither the address nor the call has a limit."""
    (tmp_path / "quick.toml").write_text('base = "fourfall"\n[limits]\nmove_time_s = 0.05\n')
    address = f"{tmp_path}/quick.toml"
    assert play_once(address, Conditions(move_time_s=3.0)).seconds < 0.3
    assert play_once(address, Conditions(move_time_s=3.0), limit=Limit(time=0.8)).seconds > 0.35


def test_a_preset_may_limit_the_simulations(tmp_path: Path) -> None:
    """They end the search; a time in the address replaces them."""
    (tmp_path / "quick.toml").write_text('base = "fourfall"\n[limits]\nsimulations = 50\n')
    address = f"{tmp_path}/quick.toml"
    assert play_once(address, Conditions(move_time_s=3.0)).seconds < 0.5
    assert play_once(f"{address}?time=0.3", Conditions(move_time_s=3.0)).seconds > 0.1


def test_seeds_reproduce_games() -> None:
    """The same seed gives the same game; different seeds give different games."""
    games = []
    for seed in (1, 1, 2, 3):
        seat = Seat("level", "level-40", Conditions(move_time_s=30.0, seed=seed))
        games.append(play_game(ScheduledGame(0, 0, (seat, seat), "9x10@4,4"), open_agent))
    assert games[0].without_times() == games[1].without_times()
    assert len({game.moves for game in games}) > 1
    assert all(score is not None for score in games[0].scores)


def test_a_closed_engine_does_not_search() -> None:
    """The error is a RuntimeError, and there is no snapshot either."""
    agent = EngineAgent(presets.load("seed-002"), Conditions())
    agent.close()
    with pytest.raises(RuntimeError, match="closed"):
        agent.play(OPENING.copy())
    assert agent.snapshot() is None


@pytest.mark.parametrize(("stronger", "weaker"), [(20, 2), (40, 20), (60, 40), (76, 56)])
def test_levels_are_in_order(stronger: int, weaker: int) -> None:
    """A difference of ten levels is clear in 16 games; docs/levels.md has the ratings of all levels."""
    score = 0.0
    for seed in range(8):
        seats = [
            Seat(name, name, Conditions(move_time_s=30.0, seed=seed))
            for name in (f"level-{stronger}", f"level-{weaker}")
        ]
        board = Board.random(seed).notation
        score += play_game(ScheduledGame(0, 0, (seats[0], seats[1]), board), open_agent).first_points
        score += 1 - play_game(ScheduledGame(1, 0, (seats[1], seats[0]), board), open_agent).first_points
    assert score >= 13


def test_there_are_fifty_levels() -> None:
    """They are called level-2 to level-100, each is a preset with a number of simulations, and the ratings rise."""
    assert list(LEVELS) == [f"level-{number}" for number in range(2, 101, 2)]
    assert all(level.preset in presets.list_names() and level.simulations > 0 for level in LEVELS.values())
    assert len({(level.preset, level.simulations) for level in LEVELS.values()}) == len(LEVELS)
    elos = [level.elo for level in LEVELS.values()]
    assert elos[0] == 0
    assert all(upper > lower for lower, upper in zip(elos, elos[4:], strict=False)), "neighbours differ by their error"


def test_the_lowest_level_plays_random_moves() -> None:
    """It overlooks a win in one move, and all legal columns are about equally frequent."""
    board = Board.parse("6x7:112233")
    moves = Counter(open_agent("level-2", Conditions(seed=seed)).play(board).column for seed in range(350))
    assert sorted(moves) == board.legal_moves
    assert max(moves.values()) < 2 * min(moves.values())


def test_no_level_depends_on_the_processor() -> None:
    """A level with a network computes in single precision, which is the same on all processors with AVX2."""
    for level in LEVELS.values():
        config = presets.load(level.preset).config
        if isinstance(config, GraphConfig) and config.evaluator == EvaluatorKind.NETWORK:
            assert config.arithmetic == Arithmetic.FLOAT32
