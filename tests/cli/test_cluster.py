"""Tests --cluster with a scheduler and workers as processes of their own, and its errors."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fourfall.arena.schedule import schedule_games
from fourfall.arena.spec_file import load_spec
from fourfall.arena.store import Store
from fourfall.arena.worker import play_scheduled_game
from tests.cli.conftest import Fourfall
from tests.cluster.dask_processes import DaskProcesses, start_dask
from tests.processes import find_free_port

TOURNAMENT = Path(__file__).parents[2] / "examples" / "tournament.toml"
MATCH = ("match", "level-2", "level-4", "--board", "5x6", "--games")


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskProcesses]:
    """Start a scheduler with one worker."""
    with start_dask(tmp_path_factory.mktemp("dask"), workers=1) as processes:
        yield processes


def test_tournament_is_resumed_on_a_cluster(tmp_path: Path, dask: DaskProcesses, fourfall: Fourfall) -> None:
    """The missing games are played as on one machine; workers are named during the run and counted at the end."""
    spec = load_spec(TOURNAMENT)
    games = list(schedule_games(spec))
    with Store(tmp_path / "arena.db") as store:
        event = store.create_event(spec)
        store.add_games(event, map(play_scheduled_game, games[:4]))
    result = fourfall("tournament", str(TOURNAMENT), "--cluster", dask.address, "--resume", "--db", "arena.db")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == f"Event {event} in arena.db: {len(games)} games, on a cluster."
    assert lines[1].startswith("worker worker-0 on ")
    assert re.search(" joined$| is overloaded: ", lines[1])  # a machine that runs tests may be overloaded
    summary = lines[lines.index("Workers of this run") + 2].split()
    assert summary[1:3] == ["1", "2"]  # one worker, the two missing games
    with Store(tmp_path / "arena.db", read_only=True) as store:
        records = [record.without_times() for record in store.find_records(event)]
    assert [record.moves for record in records] == [play_scheduled_game(game).moves for game in games]


def test_ladder_on_a_cluster(dask: DaskProcesses, fourfall: Fourfall) -> None:
    """A ladder plays its pairs on the workers."""
    assert fourfall("ladder", "add", "level-2", "level-4", "--db", "l.db").returncode == 0
    result = fourfall("ladder", "run", "--games", "2", "--cluster", dask.address, "--db", "l.db")
    assert result.returncode == 0, result.stderr
    assert "2 active agents, games on a cluster" in result.stdout
    assert "2 games in this run" in result.stdout
    assert "Workers of this run" in result.stdout


def test_ctrl_c_keeps_finished_games(tmp_path: Path, dask: DaskProcesses, fourfall: Fourfall) -> None:
    """The first Ctrl-C lets the running games finish; the command says how to continue, and --resume does."""
    arguments = [*MATCH, "2000", "--cluster", dask.address, "--db", "arena.db"]
    program = [sys.executable, "-c", "from fourfall.cli import main; main()", *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        program, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while count_games(tmp_path / "arena.db") < 3 and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    played = count_games(tmp_path / "arena.db")
    assert 3 <= played < 2000
    assert errors.splitlines()[-1] == f"Stopped after {played} of 2000 games; continue with --resume."
    assert "Workers of this run" in output


def count_games(path: Path) -> int:
    """Count the games of the first event, if there is one."""
    try:
        with Store(path, read_only=True) as store:
            return len(store.get_played_numbers(1))
    except (ValueError, RuntimeError):
        return 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--cluster", "10.0.0.1"), "is not the address of a cluster; write tcp://HOST:PORT"),
        (("--cluster", "local:0"), "the number of workers must be from 1 to"),
        (("--cluster", "local:2", "--workers", "4"), "use --cluster local:4"),
        (("--cluster", "local:2", "--ponder"), "an event with ponder needs two"),
        (("--cluster", "local:2", "--no-pin"), "do not pin games"),
    ],
)
def test_usage_errors(options: tuple[str, ...], words: str, fourfall: Fourfall, tmp_path: Path) -> None:
    """A malformed address, or options that contradict each other, are usage errors, and nothing is written."""
    result = fourfall(*MATCH, "2", *options)
    assert result.returncode == 2
    assert words in " ".join(result.stderr.replace("│", " ").split())
    assert not list(tmp_path.iterdir())


def test_no_scheduler(fourfall: Fourfall, tmp_path: Path) -> None:
    """Without a scheduler at the address the command fails with one line, and creates no event."""
    address = f"tcp://127.0.0.1:{find_free_port()}"
    result = fourfall(*MATCH, "2", "--cluster", address)
    assert result.returncode == 1
    assert result.stderr.startswith(f"fourfall: no connection to the scheduler {address}")
    assert result.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())
