"""Tests of the command experiments: output, errors and exit codes."""

from pathlib import Path

import pytest

from tests.cli.conftest import Fourfall, fourfall

__all__ = ["fourfall"]


def test_list_and_show(fourfall: Fourfall) -> None:
    """The list has all names; show prints claim and sizes, and computes the report of committed records again."""
    listed = fourfall("experiments", "list").stdout
    assert "002-final-choice-causes" in listed
    shown = fourfall("experiments", "show", "002-informed-rollouts").stdout
    for words in ("Report 002, section 3.2", "99 %", "full run    840 games", "quick run   "):
        assert words in shown
    folder = Path(__file__).parents[2] / "experiments" / "systems-exploration"
    again = fourfall("experiments", "show", "systems-exploration", "--results", str(folder))
    assert again.stdout == (folder / "report.md").read_text(encoding="utf-8")


def test_quick_run(fourfall: Fourfall, tmp_path: Path) -> None:
    """A quick run prints the tables and where the report is; a second one needs --resume and plays nothing."""
    done = fourfall("experiments", "run", "003-phase-profile", "--quick")
    assert done.returncode == 0, done.stderr
    assert "Report: 003-phase-profile-quick/report.md" in done.stdout
    assert (tmp_path / "003-phase-profile-quick" / "report.md").is_file()
    again = fourfall("experiments", "run", "003-phase-profile", "--quick")
    assert again.returncode == 2
    assert "continue a run with --resume" in again.stderr
    resumed = fourfall("experiments", "run", "003-phase-profile", "--quick", "--resume")
    assert resumed.returncode == 0, resumed.stderr
    assert "round 1 of" not in resumed.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "002"), "there is no experiment '002'; similar: "),
        (("run", "002-final-choice", "--resume"), "the folder has no run of an experiment"),
        (("run", "002-final-choice", "--samples", "missing"), "missing: not a folder"),
        (("run", "002-final-choice", "--samples", "."), "the folder contains no strategy library"),
        (
            ("run", "003-bitboards", "--quick", "--workers", "2"),
            "--workers: the experiment 003-bitboards plays no games",
        ),
        (("run", "002-final-choice", "--workers", "2", "--cluster", "local:2"), "cannot be used with --cluster"),
        (("run", "002-final-choice", "--cluster", "nowhere"), "nowhere"),
        (("show", "002-final-choice", "--write"), "needs --results DIR"),
        (("show", "002-final-choice", "--results", "missing"), "missing/run.json: No such file"),
    ],
)
def test_errors(fourfall: Fourfall, arguments: tuple[str, ...], words: str) -> None:
    """Bad names, folders and options end with exit code 2 and one message."""
    done = fourfall("experiments", *arguments)
    assert done.returncode == 2
    assert words in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
