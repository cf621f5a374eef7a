"""Tests of watch-bot: builds, scores, changes of the source, errors of the compiler, failures and Ctrl-C."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall.arena.record import EXAMPLE
from fourfall.cli.watch_display import describe_score, suggest_opponent
from fourfall.kits.bot_project import find_bot_project
from fourfall.kits.starter_kit import KitError
from fourfall.kits.version_score import Version, compare_versions
from tests.agents.bots import SOURCES, list_remaining_processes
from tests.cli.conftest import Fourfall
from tests.cli.conftest import fourfall as fourfall
from tests.marks import needs_sandbox
from tests.processes import find_processes, wait_until

MAKEFILE = """
$(OUT)/strategy.so: Strategy.cpp Makefile
	@mkdir -p $(OUT)
	g++ -O0 -shared -fPIC -DMOVE_TIME_MS=$(MOVE_TIME_MS) -o $@ Strategy.cpp
"""


class Watching:
    """A running watch-bot whose output goes to a file."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.path = folder / "output"
        program = "from fourfall.cli import main; main()"
        with self.path.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-c", program, "watch-bot", *arguments], stdout=output, stderr=output, cwd=folder
            )

    @property
    def output(self) -> str:
        """Everything printed so far."""
        return self.path.read_text()

    def __enter__(self) -> "Watching":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def expect(self, pattern: str) -> None:
        """Wait until the output has a line with this pattern."""
        assert wait_until(lambda: re.search(pattern, self.output) or self.process.poll() is not None)
        assert re.search(pattern, self.output), self.output


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """Make a folder with a small strategy library."""
    folder = tmp_path / "mybot"
    folder.mkdir()
    (folder / "Makefile").write_text(MAKEFILE)
    (folder / "Strategy.cpp").write_text(f'#include "{SOURCES}/strategy_library.cpp"\n')
    return folder


@pytest.fixture
def watching(bot: Path) -> Iterator[Watching]:
    """Start watch-bot for this folder."""
    with Watching(bot.parent, "mybot", "--pairs", "2", "--time", "0.4", "--against", "level-2") as started:
        yield started


@needs_sandbox
def test_change_error_and_interrupt(bot: Path, watching: Watching) -> None:
    """A change builds a new version, an error of the compiler is shown and survived, Ctrl-C prints a summary."""
    watching.expect(r"version 1: \d.*in 4 games(.|\n)*waiting for a change")
    assert (bot / "build" / "watch_300ms" / "strategy.so").exists()
    source = (bot / "Strategy.cpp").read_text()
    (bot / "Strategy.cpp").write_text(f"{source}#error broken on purpose\n")
    watching.expect(r"the build failed:(.|\n)*broken on purpose(.|\n)*waiting for a change")
    (bot / "Strategy.cpp").write_text(f"{source}// the same again\n")
    watching.expect(r"version 2: \d.*in 4 games\D(.|\n)*common boards 2: (.|\n)*waiting for a change")
    watching.process.send_signal(signal.SIGINT)
    assert watching.process.wait(timeout=30) == 0
    summary = watching.output.rpartition("mybot against level-2")[2]
    assert re.search(r"version 2: .*\nversion 1: .*\nversion 2 minus version 1", summary), watching.output
    assert "fourfall games watch.db --agent" in summary
    assert list_remaining_processes(bot) == []


@needs_sandbox
def test_change_stops_a_running_game(tmp_path: Path) -> None:
    """A bot that never answers does not delay the next version, and Ctrl-C ends a running game at once."""
    (tmp_path / "bot.py").write_text("import time\ndef play(board, limit): time.sleep(3600)\n")
    with Watching(tmp_path, "bot.py", "--time", "3000", "--against", "level-2") as watching:
        assert wait_until(lambda: find_processes(str(tmp_path / "bot.py")))
        (tmp_path / "bot.py").write_text("import time\ndef play(board, limit): time.sleep(3601)\n")
        watching.expect("version 2: playing")
        watching.process.send_signal(signal.SIGINT)
        assert watching.process.wait(timeout=30) == 0
    assert "no game was finished" in watching.output
    assert list_remaining_processes(tmp_path) == []


@needs_sandbox
def test_crash_is_explained(fourfall: Fourfall, tmp_path: Path) -> None:
    """A bot that cannot play is stopped after four games with its error and a command that reproduces it."""
    (tmp_path / "bot.py").write_text("def play(board, limit): return board.best_move\n")
    done = fourfall("watch-bot", "bot.py", "--once", "--against", "level-2", "--workers", "1")
    assert done.returncode == 1
    assert re.search("crash after [01] moves: .*best_move", done.stdout)
    assert "reproduce with: fourfall ask python:bot.py" in done.stdout
    assert "the bot fails before its first move" in done.stdout
    assert "0.0 % (0.0 to" in done.stdout


def test_build_without_result(fourfall: Fourfall, bot: Path) -> None:
    """A Makefile that ignores OUT is an error that says what it must do."""
    (bot / "Makefile").write_text("all:\n\t@echo nothing to build\n")
    done = fourfall("watch-bot", "mybot", "--once", "--no-sandbox")
    assert done.returncode == 1
    assert "make did not write mybot/build/watch_225ms/strategy.so" in done.stdout


@pytest.mark.parametrize(
    ("name", "message"),
    [("missing", "does not exist"), ("empty", "empty has no bot"), ("notes.txt", "is not a bot"), ("a:b", "rename")],
)
def test_path_that_is_no_bot(fourfall: Fourfall, tmp_path: Path, name: str, message: str) -> None:
    """The error says what is missing; the exit code is 2 and no database is created."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").touch()
    done = fourfall("watch-bot", name)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr
    assert not (tmp_path / "watch.db").exists()


def test_kinds_of_projects(tmp_path: Path) -> None:
    """A folder is recognised by its files, a file by its suffix; a snapshot ignores what is built."""
    for folder, names, address in (
        ("cpp", ("Makefile", "Strategy.cpp"), "library:{}/cpp/build/watch_750ms/strategy.so"),
        ("platform", ("Makefile", "main.cpp"), "program:{}/platform/build/watch_750ms/main"),
        ("python", ("main.py",), "python:{}/python/"),
    ):
        path = tmp_path / folder
        (path / "build").mkdir(parents=True)
        for name in (*names, "build/main.cpp", "strategy.so", "test_bot", "watch.db"):
            (path / name).touch()
        project = find_bot_project(path)
        assert project.make_address(1.0) == address.format(tmp_path)
        assert sorted(file.name for file in project.take_snapshot()) == sorted(names)
    assert find_bot_project(tmp_path / "cpp" / "strategy.so").make_address(1.0) == f"library:{tmp_path}/cpp/strategy.so"
    with pytest.raises(KitError, match="is not a bot"):
        find_bot_project(tmp_path / "cpp" / "Makefile")


def test_snapshot_sees_every_change(bot: Path) -> None:
    """New, removed and changed files, also of the same size, give another snapshot."""
    project = find_bot_project(bot)
    first = project.take_snapshot()
    (bot / "extra.hpp").touch()
    second = project.take_snapshot()
    (bot / "extra.hpp").unlink()
    assert first != second
    assert project.take_snapshot() == first
    os.utime(bot / "Strategy.cpp", ns=(1, 1))
    assert project.take_snapshot() != first


def make_version(number: int, results: list[int]) -> Version:
    """Make a version that won (1) or lost (0) both games of each pair."""
    version = Version(number, "bot", "level-30")
    for pair, won in enumerate(results):
        for seat in (0, 1):
            names = ("level-30", "bot") if seat else ("bot", "level-30")
            winner = seat if won else 1 - seat
            version.records.append(replace(EXAMPLE, pair=pair, names=names, addresses=names, winner=winner))
    return version


def test_comparison_of_versions() -> None:
    """Versions are compared on common boards only; few or mixed differences decide nothing."""
    bad, good = make_version(1, [0] * 30), make_version(2, [1] * 20)
    difference = compare_versions(good, bad)
    assert difference is not None
    assert (difference.pairs, difference.score.value, difference.verdict) == (20, 1.0, "better")
    worse = compare_versions(bad, good)
    assert worse is not None
    assert worse.verdict == "worse"
    mixed = compare_versions(make_version(2, [0, 1] * 10), make_version(1, [1, 0] * 10))
    assert mixed is not None
    assert mixed.verdict == "no clear difference yet"
    assert compare_versions(good, make_version(1, [])) is None


def test_score_line_and_hint() -> None:
    """A version that wins every game gets a lower bound of its level and a stronger opponent."""
    version = make_version(3, [1] * 20)
    assert re.search(
        r"version 3: 100.0 % .*40 games: 40 won, 0 drawn, 0 lost; level \d+ or above", describe_score(version)
    )
    assert re.search("level-30 is too weak .*--against level-[4-9]", suggest_opponent(version) or "")
    assert suggest_opponent(make_version(3, [1, 0] * 10)) is None
    assert describe_score(make_version(4, [])) == "version 4: no game yet"
