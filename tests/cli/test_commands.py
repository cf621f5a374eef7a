"""Tests of board, perft, engines, bench, and of error handling common to all commands."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fourfall import Board, __version__, presets, render
from tests.cli.conftest import Fourfall, start_computing
from tests.processes import PATIENCE_S

COMMANDS = [
    ["play"],
    ["analyse"],
    ["explain"],
    ["solve"],
    ["ask"],
    ["engines"],
    ["engines", "show"],
    ["board"],
    ["perft"],
    ["bench"],
    ["doctor"],
    ["dataset", "make"],
    ["dataset", "info"],
    ["dataset", "check"],
]


def test_version(fourfall: Fourfall) -> None:
    """--version prints the version of the package."""
    assert fourfall("--version").stdout == f"fourfall {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_contains_an_example(fourfall: Fourfall, command: list[str]) -> None:
    """--help of every command contains an example of that command."""
    result = fourfall(*command, "--help")
    assert result.returncode == 0
    assert f"fourfall {command[0]}" in result.stdout.split("Examples:")[1]


def test_board_draws_a_position(fourfall: Fourfall) -> None:
    """Without a terminal the drawing has no colours; the state of the game follows."""
    result = fourfall("board", "6x7:44")
    assert result.stdout == f"{Board.parse('6x7:44')}\n\n6x7:44  X, the first player, to move\n"


def test_board_reads_standard_input(fourfall: Fourfall) -> None:
    """The position - is read from standard input."""
    assert fourfall("board", "-", typed="6x7:44\n").stdout == fourfall("board", "6x7:44").stdout


def test_board_writes_svg(fourfall: Fourfall, tmp_path: Path) -> None:
    """--svg writes the same drawing as the library."""
    assert fourfall("board", "6x7:44", "--svg", "out.svg").stdout == "wrote out.svg\n"
    assert (tmp_path / "out.svg").read_text() == render.draw_svg(Board.parse("6x7:44")) + "\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["board", "6x7:4x"], "character 6 'x': not a column; the columns are 1..7"),
        (["board", "3x99"], "character 1 '3': the number of rows is 4..12"),
        (["board", "6x7@6,0"], "character 5 '6': the hole's row is 0..5"),
        (["board", "6x7:4444444"], "character 11 '4': ply 7 goes into a full column"),
        (["perft", "6x7:12121211", "3"], "character 12 '1': ply 8 follows the end of the game"),
        (["analyse", "6x7:1212121", "--engine", "seed-002"], "the game is over: there is nothing to search"),
        (
            ["analyse", "6x7", "--engine", "seed-02"],
            "there is no preset 'seed-02'; similar: seed-002, seed-003, seed-001",
        ),
        (
            ["analyse", "6x7", "--memory-mb", "1", "--engine", "fourfall-classic"],
            "this engine needs at least 16 MiB of memory",
        ),
        (
            ["analyse", "6x7", "--engine", "seed-002", "--threads", "2"],
            "seed-002 is a tree search, which runs in one thread, not in 2",
        ),
        (["engines", "show", "missing.toml"], "missing.toml: No such file or directory"),
    ],
)
def test_bad_input_prints_one_line_and_exits_with_2(fourfall: Fourfall, arguments: list[str], message: str) -> None:
    """The line names what is wrong."""
    result = fourfall(*arguments)
    assert (result.returncode, result.stdout, result.stderr) == (2, "", f"fourfall: {message}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["analyse", "6x7", "--time", "inf"],
        ["analyse", "6x7", "--time", "nan"],
        ["analyse", "6x7", "--simulations", "99999999999999999999"],
        ["analyse", "6x7", "--memory-mb", "99999999999999999999"],
        ["solve", "4x4", "--memory-mb", "1"],
        ["analyse", "6x7", "--threads", "65"],
        ["play", "--threads", "0"],
        ["play", "--seed", "99999999999999999999"],
    ],
    ids=" ".join,
)
def test_numbers_out_of_range_are_usage_errors(fourfall: Fourfall, arguments: list[str]) -> None:
    """A number out of range exits with 2 and prints no traceback."""
    result = fourfall(*arguments)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr


def test_perft_depth_is_capped_at_free_cells(fourfall: Fourfall) -> None:
    """A larger depth prints one line per free cell."""
    assert len(fourfall("perft", "4x4:111122223333", "99999").stdout.splitlines()) == 1 + 5


def test_huge_position_prints_one_short_line(fourfall: Fourfall) -> None:
    """An error in a position of 10 MB names the first wrong character and does not echo the input."""
    result = fourfall("board", "-", typed="6x7:" + "4" * 10_000_000)
    assert (result.returncode, result.stderr) == (2, "fourfall: character 11 '4': ply 7 goes into a full column\n")


def test_invalid_bytes_in_a_position_are_rejected() -> None:
    """Bytes that cannot be decoded are a usage error."""
    program = os.fsencode(Path(sys.executable).with_name("fourfall"))
    result = subprocess.run([program, b"board", b"\xff"], capture_output=True, check=False)
    assert result.returncode == 2
    assert result.stderr == b"fourfall: character 1: a lone surrogate is not a character\n"


def test_unwritable_file_exits_with_1(fourfall: Fourfall) -> None:
    """An error of the operating system prints one line and exits with 1."""
    result = fourfall("board", "6x7", "--svg", "no/such/folder/x.svg")
    assert (result.returncode, result.stderr) == (1, "fourfall: no/such/folder/x.svg: No such file or directory\n")


def test_closed_output_pipe_is_not_an_error() -> None:
    """Piping into head prints nothing on stderr."""
    program = Path(sys.executable).with_name("fourfall")
    line = f"{program} perft 6x7 4 --divide | head -n 1"
    result = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert result.stderr == ""


def test_perft_counts_by_depth_and_by_column(fourfall: Fourfall) -> None:
    """Counts by depth and by first move agree with known numbers."""
    rows = [line.split() for line in fourfall("perft", "6x7", "5").stdout.splitlines()[1:]]
    assert [row[1] for row in rows] == ["1", "7", "49", "343", "2,401", "16,807"]
    rows = [line.split() for line in fourfall("perft", "6x7", "5", "--divide").stdout.splitlines()[1:]]
    assert [row[:2] for row in rows] == [[str(column), "2,401"] for column in range(1, 8)]


@pytest.mark.parametrize("name", ["fourfall", "seed-004-v12"])
def test_engines_lists_every_preset_and_shows_one(fourfall: Fourfall, tmp_path: Path, name: str) -> None:
    """The list is complete, and a printed preset can be used as a preset file."""
    listed = fourfall("engines").stdout
    assert all(f" {name} " in listed for name in presets.list_names())
    shown = fourfall("engines", "show", name, "--all-keys").stdout
    (tmp_path / "mine.toml").write_text(shown)
    arguments = ["6x7:44", "--simulations", "300", "--json", "--engine"]
    ours, theirs = (fourfall("analyse", *arguments, engine).stdout for engine in ("./mine.toml", name))
    assert ours.split('"simulations_per_second"')[0] == theirs.split('"simulations_per_second"')[0]


def test_fingerprint_is_reproducible(fourfall: Fourfall) -> None:
    """Two runs of bench print the same number."""
    numbers = {fourfall("bench").stdout.splitlines()[0] for _ in range(2)}
    assert len(numbers) == 1
    assert numbers.pop().startswith("Bench: ")


def test_interrupt_stops_perft_without_traceback() -> None:
    """Ctrl-C during a long count ends the program without a traceback."""
    with start_computing("perft", "12x12", "30") as process:
        process.send_signal(signal.SIGINT)
        _, message = process.communicate(timeout=PATIENCE_S)
        assert process.returncode in (1, 130)
    assert "Traceback" not in message
