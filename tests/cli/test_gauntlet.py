"""Tests of gauntlet: the grading run, the quick mode, folders of libraries, and agents that never start."""

import re
import shutil
from pathlib import Path

from fourfall.arena.store import Store
from tests.agents.bots import Bots
from tests.cli.conftest import Fourfall

FAST = "seed-002?simulations=8"


def test_score_against_levels(fourfall: Fourfall, tmp_path: Path) -> None:
    """The report has the points, the level with its interval, every lost game and the next command."""
    done = fourfall("gauntlet", FAST, "--field", "level-2", "--field", "level-60", "--games", "4", "--board", "6x7")
    assert done.returncode == 0, done.stderr
    with Store(tmp_path / "arena.db", read_only=True) as store:
        games = list(store.find_games())
    won_by = [None if game.record.winner is None else game.record.names[game.record.winner] for game in games]
    points = sum(1 if winner is None else 2 * (winner == FAST) for winner in won_by)
    lost = [game.id for game, winner in zip(games, won_by, strict=True) if winner not in (None, FAST)]
    assert f"Score: {points} of 16 points (win 2, draw 1, loss 0)" in done.stdout
    listed = re.findall(r"game (\d+)  against level-(\d+)", done.stdout)
    assert sorted(int(number) for number, _ in listed) == sorted(lost)
    assert [level for _, level in listed] == sorted(level for _, level in listed), "the weakest level is first"
    assert re.search(r"Strength: .*level \d+.* Elo relative to random play", done.stdout)
    assert f"fourfall show {listed[0][0]} --db arena.db --engine fourfall" in done.stdout


def test_quick_mode_and_its_end(fourfall: Fourfall, tmp_path: Path) -> None:
    """The quick mode plays the given number of games against levels; a complete event cannot be resumed."""
    arguments = ("gauntlet", FAST, "--quick", "--games", "4", "--board", "4x4")
    done = fourfall(*arguments)
    assert done.returncode == 0, done.stderr
    assert re.search(r"Strength: .*95 % confidence", done.stdout)
    assert "Score" not in done.stdout
    with Store(tmp_path / "arena.db", read_only=True) as store:
        event = store.get_event()
        assert (event.games, event.planned, event.is_complete) == (4, 4, True)
    again = fourfall(*arguments, "--resume")
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    assert "event 1 is complete; there is nothing to resume" in again.stderr


def test_quick_mode_needs_all_levels(fourfall: Fourfall) -> None:
    """Another field is a usage error."""
    done = fourfall("gauntlet", FAST, "--quick", "--field", "seeds")
    assert done.returncode == 2
    assert "needs the field levels and no other" in done.stderr


def test_folder_of_libraries_is_a_field(fourfall: Fourfall, bots: Bots, tmp_path: Path) -> None:
    """The bot plays each library of the folder twice, and the score counts all games."""
    (tmp_path / "samples").mkdir()
    for number in (2, 10):
        shutil.copy(bots.folder / "strategy.so", tmp_path / "samples" / f"{number}.so")
    done = fourfall("gauntlet", FAST, "--field", "samples", "--board", "4x4")
    assert done.returncode == 0, done.stderr
    assert re.search(r"Score: \d of 8 points", done.stdout)
    with Store(tmp_path / "arena.db", read_only=True) as store:
        spec = store.get_event().spec
    assert spec is not None
    assert [agent.address for agent in spec.agents[1:]] == ["library:samples/2.so", "library:samples/10.so"]


def test_bot_that_never_starts_stops_the_run(fourfall: Fourfall, tmp_path: Path) -> None:
    """After four failures before the first move, the run ends with the reason and a command that reproduces it."""
    (tmp_path / "broken.so").write_text("not a library")
    done = fourfall("gauntlet", "library:broken.so", "--workers", "1")
    assert done.returncode == 1
    assert "failed before its first move in all of the first 4 games (cannot load" in done.stderr
    assert "reproduce with: fourfall ask library:" in done.stderr
    with Store(tmp_path / "arena.db", read_only=True) as store:
        assert store.get_event().games == 4
