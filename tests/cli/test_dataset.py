"""Tests of ``fourfall dataset make``, ``info`` and ``check``."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fourfall.arena.spec import Spec
from fourfall.datasets import read
from tests.cli.conftest import Fourfall
from tests.processes import PATIENCE_S, wait_until
from tests.report.generated_event import store_event


def test_make_describe_and_check(fourfall: Fourfall, tmp_path: Path) -> None:
    """A data set of games with both labels is made, described and checked."""
    store_event(tmp_path / "arena.db", Spec.match("left", "right", pairs=4, boards=["4x5"]))
    options = ("--label", "engine", "--label", "solver", "--engine", "seed-002", "--simulations", "20")
    result = fourfall(
        "dataset", "make", "out.parquet", "--from", "arena.db", "--count", "20", *options, "--workers", "1"
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "wrote out.parquet: 20 positions\n", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["arena.db", "out.parquet"]
    data = read(tmp_path / "out.parquet")
    assert data["exact"].all()
    assert (data["game_wins"] + data["game_draws"] + data["game_losses"] >= 0).all()

    text = fourfall("dataset", "info", "out.parquet").stdout
    assert "--from arena.db --count 20 --seed 0 --label engine --label solver --positions 1000000" in text
    assert "engine   seed-002, rollouts" in text
    assert "exact    20 rows (100.0 %)" in text
    counts = json.loads(fourfall("dataset", "info", "out.parquet", "--json").stdout)
    assert counts["boards"] == {"4x5": 20}
    assert sum(counts["splits"].values()) == sum(counts["stones"].values()) == 20
    assert counts["metadata"]["settings"]["seed"] == 0

    check = fourfall("dataset", "check", "out.parquet", "--count", "3", "--workers", "1")
    assert (check.returncode, check.stdout) == (0, "out.parquet: no mistakes in 20 rows; 3 rows labelled again\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--board", "4x4", "--official"], "give one source of positions"),
        ([], "give one source of positions"),
        (["--board", "4x4", "--stones", "9-2"], "expected MIN-MAX"),
        (["--board", "4x4", "--stones", "2", "--free", "3"], "give --stones or --free, not both"),
        (["--board", "4x4", "--label", "magic"], "'magic' is unknown"),
        (["--board", "4x4", "--label", "none", "--label", "solver"], "none cannot be combined"),
        (["--board", "4x4", "--resume", "--force"], "not both"),
        (["--board", "4x4", "--resume"], "there is nothing to resume"),
        (["--board", "4x"], "board '4x': the text ends too early at character 3"),
        (["--board", "4x4", "--engine", "seed-002"], "--engine: needs --label engine; add it, or omit --engine"),
        (["--board", "4x4", "--simulations", "50"], "--simulations: needs --label engine"),
        (["--board", "4x4", "--label", "engine", "--positions", "50"], "--positions: needs --label solver"),
        (["--from", "missing.db", "--immediate-wins"], "only random openings have it"),
        (["--board", "4x4", "--event", "1"], "add --from DATABASE, or omit --event"),
        (["--from", "missing.db"], "missing.db: No such file or directory"),
        (["--board", "4x4", "--label", "engine", "--engine", "magic"], "there is no preset 'magic'"),
        (["--board", "4x4", "--stones", "16-20"], "no position fits these options"),
    ],
)
def test_bad_options(fourfall: Fourfall, tmp_path: Path, options: list[str], message: str) -> None:
    """Bad options exit with 2, say what is wrong and leave no file."""
    result = fourfall("dataset", "make", "out.parquet", *options)
    assert result.returncode == 2
    assert message in " ".join(result.stderr.replace("│", " ").split())
    assert list(tmp_path.iterdir()) == []


def test_too_few_positions_and_bad_files(fourfall: Fourfall, tmp_path: Path) -> None:
    """A file with fewer positions than requested is written with exit code 1; a damaged one is named by check."""
    result = fourfall("dataset", "make", "few.parquet", "--board", "4x4", "--stones", "0-1", "--label", "none")
    assert result.returncode == 1
    assert result.stdout == "wrote few.parquet: 3 positions\n"
    assert "no more than 3 different positions, not 1,000" in result.stderr
    again = fourfall("dataset", "make", "few.parquet", "--board", "4x4")
    assert (again.returncode, again.stderr) == (
        2,
        "fourfall: few.parquet exists; choose another name or add --force\n",
    )
    (tmp_path / "few.parquet").write_text("text")
    for command in ("info", "check"):
        result = fourfall("dataset", command, "few.parquet")
        assert (result.returncode, result.stderr) == (2, "fourfall: few.parquet: not a Parquet file, or damaged\n")


def test_interrupt_ends_the_command(tmp_path: Path) -> None:
    """Ctrl-C while positions are labelled ends the command at once; without a label nothing is kept."""
    program = "from fourfall.cli import main; main()"
    options = ("--official", "--count", "64", "--stones", "4-8", "--positions", str(10**12), "--workers", "1")
    with subprocess.Popen(
        [sys.executable, "-c", program, "dataset", "make", "out.parquet", *options],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        assert wait_until(lambda: children.read_text().strip())  # the positions are collected, a worker is started
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert errors == "\ninterrupted before the first label; nothing is kept\n"
    assert list(tmp_path.iterdir()) == []
