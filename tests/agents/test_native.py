"""Owns the tests of built-in engines as agents: whose limit holds, and that levels are in order."""

from pathlib import Path

import pytest

from fourfall import Board, presets
from fourfall.agents.base import AgentMove, Conditions
from fourfall.agents.levels import LEVELS
from fourfall.agents.native import EngineAgent
from fourfall.agents.registry import open_agent
from fourfall.arena.game import ScheduledGame, Seat, play_game

OPENING = Board.parse("12x12@3,3")


def answered(address: str, conditions: Conditions, board: Board = OPENING) -> AgentMove:
    """Ask a new agent once."""
    agent = open_agent(address, conditions)
    agent.start(board.copy())
    answer = agent.play(board.copy())
    agent.close()
    return answer


@pytest.mark.parametrize(
    ("address", "least_s", "most_s"),
    [
        ("fourfall", 0.35, 0.8),  # no time of its own: nearly the judge's
        ("seed-002", 0.35, 0.8),  # 2.7 s of its own: cut to the judge's
        ("seed-002?time=5", 0.35, 0.8),
        ("seed-002?time=0.05", 0.02, 0.35),
        ("seed-002?time=0", 0.0, 0.35),
        ("seed-002?simulations=100", 0.0, 0.35),  # the preset's own time does not count any more
        ("seed-002?simulations=999999999", 0.35, 0.8),
        ("seed-002?simulations=999999999&time=0.05", 0.02, 0.35),
    ],
)
def test_the_shorter_time_holds(address: str, least_s: float, most_s: float) -> None:
    """An engine thinks for its own time or simulations, but is never late; without any it uses the judge's time."""
    assert least_s <= answered(address, Conditions(move_time_s=0.8)).seconds <= most_s


def test_a_preset_may_bring_its_own_simulations(tmp_path: Path) -> None:
    """They end the search as they do everywhere else, and an address's time takes their place."""
    (tmp_path / "quick.toml").write_text('base = "fourfall"\n[limits]\nsimulations = 50\n')
    address = f"{tmp_path}/quick.toml"
    assert answered(address, Conditions(move_time_s=3.0)).seconds < 0.5
    assert answered(f"{address}?time=0.3", Conditions(move_time_s=3.0)).seconds > 0.1


def test_seeds_repeat_games_and_tell_them_apart() -> None:
    """One seed is one game; several seeds are several games."""
    games = []
    for seed in (1, 1, 2, 3):
        seat = Seat("level", "level-4", Conditions(move_time_s=30.0, seed=seed))
        games.append(play_game(ScheduledGame(0, 0, (seat, seat), "9x10@4,4"), open_agent))
    assert games[0].without_clock() == games[1].without_clock()
    assert len({game.moves for game in games}) > 1
    assert all(score is not None for score in games[0].scores)


def test_a_closed_engine_does_not_play() -> None:
    """That would be a mistake of ours, not the agent's."""
    agent = EngineAgent(presets.load("seed-002"), Conditions())
    agent.close()
    with pytest.raises(RuntimeError, match="closed"):
        agent.play(OPENING.copy())


@pytest.mark.parametrize(("stronger", "weaker"), [(4, 1), (6, 3), (8, 5)])
def test_levels_are_in_order(stronger: int, weaker: int) -> None:
    """Three levels make a clear difference; docs/agents.md has the figures for neighbours."""
    score = 0.0
    for seed in range(8):
        seats = [
            Seat(name, name, Conditions(move_time_s=30.0, seed=seed))
            for name in (f"level-{stronger}", f"level-{weaker}")
        ]
        board = Board.random(seed).notation
        score += play_game(ScheduledGame(0, 0, (seats[0], seats[1]), board), open_agent).first_score
        score += 1 - play_game(ScheduledGame(1, 0, (seats[1], seats[0]), board), open_agent).first_score
    assert score >= 13


def test_there_are_ten_levels() -> None:
    """From level-1 to level-10, and each is a preset with a number of simulations."""
    assert list(LEVELS) == [f"level-{number}" for number in range(1, 11)]
    assert all(level.preset in presets.names() and level.simulations > 0 for level in LEVELS.values())
