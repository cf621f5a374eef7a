"""Tests the options of ``fourfall ugi``."""

import pytest

from tests.cli.conftest import Fourfall


def test_options_are_the_first_values(fourfall: Fourfall) -> None:
    """They are declared as defaults, and the engine searches with them."""
    result = fourfall("ugi", "--engine", "level-30", "--seed", "7", "--memory-mb", "16", typed="ugi\nisready\n")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert any(line.startswith("option name Preset type combo default level-30 var level-30 var ") for line in lines)
    assert "option name Seed type spin default 7 min 0 max 2147483647" in lines
    assert "option name Memory type spin default 16 min 1 max 1048576" in lines
    assert lines[-2:] == ["ugiok", "readyok"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--engine", "sead-002"], "fourfall: there is no preset 'sead-002'; similar: seed-002, seed-003, seed-001\n"),
        (["--engine", "level-3"], "fourfall: there is no level 'level-3'; "),
        (
            ["-e", "seed-002", "--threads", "2"],
            "fourfall: seed-002 is a tree search, which runs in one thread, not in 2\n",
        ),
    ],
)
def test_wrong_options(fourfall: Fourfall, arguments: list[str], message: str) -> None:
    """They are refused with one line before the first command is read."""
    result = fourfall("ugi", *arguments, typed="ugi\n")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(message)
    assert result.stderr.count("\n") == 1
