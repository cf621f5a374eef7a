"""Tests of ``fourfall compare``: answer, exit codes, JSON, resuming, identical versions, versions that cannot start."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fourfall.arena.sprt import Sprt, SprtState
from fourfall.arena.store import Store, StoreError
from fourfall.cli.compare import choose_exit_code, find_identity
from tests.cli.conftest import Fourfall

OLD, NEW = "seed-000?simulations=4", "seed-002?simulations=300"
QUICK = ("--sprt", "0,400", "--games", "40", "--board", "5x5")


def test_better_version(fourfall: Fourfall, tmp_path: Path) -> None:
    """The test accepts the improvement, JSON is the only output, and --resume prints the answer without a game."""
    done = fourfall("compare", OLD, NEW, *QUICK, "--positions", "1", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert (result["verdict"], result["complete"], result["new"], result["old"]) == ("better", True, NEW, OLD)
    assert result["answer"].startswith("NEW is better by")
    assert result["sprt"]["accepted"] == 400
    assert result["failures"] == {"new": {}, "old": {}}
    (position,) = result["positions"]
    assert position["new_move"] != position["old_move"]
    with Store(tmp_path / "arena.db", read_only=True) as store:
        games = store.get_event().games
    again = fourfall("compare", OLD, NEW, *QUICK, "--analysis-time", "0", "--resume")
    assert again.returncode == 0, again.stderr
    for words in (
        result["answer"].partition(";")[0],
        f"NEW  {NEW}",
        "biased towards the accepted",
        "fourfall games arena.db --event 1",
    ):
        assert words in again.stdout
    with Store(tmp_path / "arena.db", read_only=True) as store:
        assert [event.games for event in store.list_events()] == [games]


def test_undecided_and_worse(fourfall: Fourfall) -> None:
    """Two games decide nothing; a weaker version is named worse, and the exit codes differ."""
    undecided = fourfall("compare", OLD, NEW, "--games", "2", "--board", "5x5", "--analysis-time", "0")
    assert undecided.returncode == 4, undecided.stderr
    assert "Undecided after 1 pair: too few games" in undecided.stdout
    worse = fourfall("compare", NEW, OLD, *QUICK, "--sprt=-400,0", "--analysis-time", "0")
    assert worse.returncode == 3, worse.stderr
    assert "\nNEW is worse by" in worse.stdout


@pytest.mark.parametrize(
    ("results", "code"), [([], 4), ([(0, 0), (1, 1)] * 40, 0), ([(0, 1), (1, 0)] * 40, 3)], ids=["none", "won", "lost"]
)
def test_exit_code_is_the_decision_of_the_test(results: list[tuple[int, int]], code: int) -> None:
    """0: the upper Elo difference is accepted; 3: the lower one; 4: neither."""
    numbered = [(2 * (at // 2) + game, winner) for at, (game, winner) in enumerate(results)]
    assert choose_exit_code(SprtState(Sprt(-100, 100), numbered)) == code


def test_identical_versions_are_not_played(fourfall: Fourfall, tmp_path: Path) -> None:
    """Equal files and equal addresses are recognised; the exit code follows from a difference of 0 Elo."""
    for name in ("old.py", "new.py"):
        (tmp_path / name).write_text("def play(board, limit):\n    return board.legal_moves[0]\n", encoding="utf-8")
    done = fourfall("compare", "old.py", "new.py")
    assert (done.returncode, "identical files: they play identically" in done.stdout) == (3, True), done.stderr
    assert fourfall("compare", NEW, NEW, "--sprt=-30,0").returncode == 0
    assert not (tmp_path / "arena.db").exists()


def test_python_files_in_different_folders_may_differ(tmp_path: Path) -> None:
    """Equal Python files may import different modules; equal libraries cannot."""
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        for name in ("bot.py", "bot.so"):
            (tmp_path / folder / name).write_text("same", encoding="utf-8")
    assert find_identity(f"python:{tmp_path}/a/bot.py", f"python:{tmp_path}/b/bot.py") is None
    assert find_identity(f"library:{tmp_path}/a/bot.so", f"library:{tmp_path}/b/bot.so") is not None
    assert find_identity(f"library:{tmp_path}/a/bot.so?read=x", f"library:{tmp_path}/b/bot.so") is None
    (tmp_path / "b" / "bot.so").write_text("other", encoding="utf-8")
    assert find_identity(f"library:{tmp_path}/a/bot.so", f"library:{tmp_path}/b/bot.so") is None


def test_version_that_cannot_start_ends_at_once(fourfall: Fourfall, tmp_path: Path) -> None:
    """A version that fails to give a first move is named with its error and a reproducer; no event is created."""
    (tmp_path / "new.py").write_text(
        "def play(board, limit):\n    raise ValueError('\\x1b[31mred')\n", encoding="utf-8"
    )
    done = fourfall("compare", NEW, "new.py")
    assert done.returncode == 1
    assert "NEW (python:new.py) cannot play its first move: crash" in done.stderr
    assert "fourfall ask python:new.py" in done.stderr
    assert "\x1b" not in done.stderr
    assert not (tmp_path / "arena.db").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((OLD, "gone.so"), "gone.so does not exist"),
        ((OLD, NEW, "--sprt", "30,0"), "sprt"),
        ((OLD, NEW, "--games", "3"), "3 is odd"),
        ((OLD, NEW, "--resume"), "arena.db"),
    ],
)
def test_wrong_usage(fourfall: Fourfall, arguments: tuple[str, ...], message: str) -> None:
    """Bad arguments give one message and exit code 2."""
    done = fourfall("compare", *arguments)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_interrupted_comparison_prints_the_result_so_far(fourfall: Fourfall, tmp_path: Path) -> None:
    """Ctrl-C ends the match with exit code 130; a version that is changed afterwards is not mixed with the old one."""
    bot = tmp_path / "new.py"
    bot.write_text(
        "import time\ndef play(board, limit):\n    time.sleep(0.02)\n    return board.legal_moves[-1]\n", "utf-8"
    )
    command = ["compare", OLD, "new.py", "--games", "400", "--sprt", "0,1", "--analysis-time", "0"]
    program = Path(sys.executable).with_name("fourfall")
    run = subprocess.Popen([program, *command], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        while count_games(tmp_path / "arena.db") < 2:
            assert run.poll() is None
            time.sleep(0.1)
        run.send_signal(signal.SIGINT)
        output, errors = run.communicate(timeout=60)
    finally:
        run.kill()
    assert run.returncode == 130, errors
    assert "So far: " in output
    assert "continue with --resume" in errors
    changed_at = bot.stat().st_mtime + 600
    os.utime(bot, (changed_at, changed_at))
    changed = fourfall(*command, "--resume")
    assert changed.returncode == 2
    assert "was changed after event 1 had begun" in changed.stderr


def count_games(database: Path) -> int:
    """Count the stored games; 0 before the database is created."""
    try:
        with Store(database, read_only=True) as store:
            return sum(event.games for event in store.list_events())
    except StoreError:
        return 0
