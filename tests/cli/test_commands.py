"""Owns the tests of board, perft, engines and the common manners of all commands."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fourfall import Board, __version__, presets, render
from tests.cli.conftest import Fourfall

COMMANDS = [
    ["play"],
    ["analyse"],
    ["solve"],
    ["ask"],
    ["engines"],
    ["engines", "show"],
    ["board"],
    ["perft"],
    ["bench"],
    ["doctor"],
]


def test_version(fourfall: Fourfall) -> None:
    """--version prints the package's version."""
    assert fourfall("--version").stdout == f"fourfall {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_explains_itself_with_an_example(fourfall: Fourfall, command: list[str]) -> None:
    """--help of every command shows a line one can type."""
    result = fourfall(*command, "--help")
    assert result.returncode == 0
    assert f"fourfall {command[0]}" in result.stdout.split("Examples:")[1]


def test_board_draws_a_position(fourfall: Fourfall) -> None:
    """Without a terminal the drawing is plain text, and the state follows."""
    result = fourfall("board", "6x7:44")
    assert result.stdout == f"{Board.parse('6x7:44')}\n\n6x7:44  X, the first player, to move\n"


def test_board_reads_standard_input(fourfall: Fourfall) -> None:
    """A dash takes the position from standard input."""
    assert fourfall("board", "-", typed="6x7:44\n").stdout == fourfall("board", "6x7:44").stdout


def test_board_writes_a_picture(fourfall: Fourfall, tmp_path: Path) -> None:
    """--svg writes the same picture as the library."""
    assert fourfall("board", "6x7:44", "--svg", "out.svg").stdout == "wrote out.svg\n"
    assert (tmp_path / "out.svg").read_text() == render.svg(Board.parse("6x7:44")) + "\n"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["board", "6x7:4x"], "character 6 'x': not a column; the columns are 1..7"),
        (["board", "3x99"], "character 1 '3': the number of rows is 4..12"),
        (["board", "6x7@6,0"], "character 5 '6': the hole's row is 0..5"),
        (["board", "6x7:4444444"], "character 11 '4': ply 7 goes into a full column"),
        (["perft", "6x7:12121211", "3"], "character 12 '1': ply 8 follows the end of the game"),
        (["analyse", "6x7:1212121", "--engine", "seed-002"], "the game is over: there is nothing to search"),
        (
            ["analyse", "6x7", "--engine", "seed-02"],
            "there is no preset 'seed-02'; near ones: seed-002, seed-003, seed-001",
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
def test_a_mistake_is_one_line_and_exit_code_2(fourfall: Fourfall, arguments: list[str], complaint: str) -> None:
    """Bad input is answered with one line that names what is wrong."""
    result = fourfall(*arguments)
    assert (result.returncode, result.stdout, result.stderr) == (2, "", f"fourfall: {complaint}\n")


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
def test_numbers_beyond_reason_are_mistakes(fourfall: Fourfall, arguments: list[str]) -> None:
    """A number out of range is a usage error, never a traceback."""
    result = fourfall(*arguments)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr


def test_perft_ends_where_games_end(fourfall: Fourfall) -> None:
    """No sequence is longer than the free cells."""
    assert len(fourfall("perft", "4x4:111122223333", "99999").stdout.splitlines()) == 1 + 5


def test_ten_megabytes_of_position_are_one_line_too(fourfall: Fourfall) -> None:
    """A huge position is refused where it goes wrong, not echoed."""
    result = fourfall("board", "-", typed="6x7:" + "4" * 10_000_000)
    assert (result.returncode, result.stderr) == (2, "fourfall: character 11 '4': ply 7 goes into a full column\n")


def test_a_position_that_is_no_text_is_refused() -> None:
    """Bytes outside the terminal's encoding are a mistake like any other."""
    program = os.fsencode(Path(sys.executable).with_name("fourfall"))
    result = subprocess.run([program, b"board", b"\xff"], capture_output=True, check=False)
    assert result.returncode == 2
    assert result.stderr == b"fourfall: character 1: a lone surrogate is not a character\n"


def test_a_file_that_cannot_be_written_is_a_failure(fourfall: Fourfall) -> None:
    """What the system refuses ends in one line and exit code 1."""
    result = fourfall("board", "6x7", "--svg", "no/such/folder/x.svg")
    assert (result.returncode, result.stderr) == (1, "fourfall: no/such/folder/x.svg: No such file or directory\n")


def test_a_reader_that_leaves_early_is_no_error() -> None:
    """Piping into head leaves no complaint behind."""
    program = Path(sys.executable).with_name("fourfall")
    line = f"{program} perft 6x7 4 --divide | head -n 1"
    result = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert result.stderr == ""


def test_perft_counts_by_depth_and_by_column(fourfall: Fourfall) -> None:
    """The table agrees with the library, the divided one adds up."""
    rows = [line.split() for line in fourfall("perft", "6x7", "5").stdout.splitlines()[1:]]
    assert [row[1] for row in rows] == ["1", "7", "49", "343", "2,401", "16,807"]
    rows = [line.split() for line in fourfall("perft", "6x7", "5", "--divide").stdout.splitlines()[1:]]
    assert [row[:2] for row in rows] == [[str(column), "2,401"] for column in range(1, 8)]


@pytest.mark.parametrize("name", ["fourfall", "seed-004-v12"])
def test_engines_lists_every_preset_and_shows_one(fourfall: Fourfall, tmp_path: Path, name: str) -> None:
    """The list is complete, and a shown preset is a file that can be used in its place."""
    listed = fourfall("engines").stdout
    assert all(f" {name} " in listed for name in presets.names())
    shown = fourfall("engines", "show", name, "--whole").stdout
    (tmp_path / "mine.toml").write_text(shown)
    arguments = ["6x7:44", "--simulations", "300", "--json", "--engine"]
    ours, theirs = (fourfall("analyse", *arguments, engine).stdout for engine in ("./mine.toml", name))
    assert ours.split('"simulations_per_second"')[0] == theirs.split('"simulations_per_second"')[0]


def test_the_fingerprint_is_the_same_on_every_run(fourfall: Fourfall) -> None:
    """Two runs of bench print one number."""
    numbers = {fourfall("bench").stdout.splitlines()[0] for _ in range(2)}
    assert len(numbers) == 1
    assert numbers.pop().startswith("Bench: ")


def test_an_interrupt_ends_a_long_count_quietly() -> None:
    """Ctrl-C during a count ends the program at once, without a traceback."""
    program = Path(sys.executable).with_name("fourfall")
    with subprocess.Popen([program, "perft", "12x12", "30"], stderr=subprocess.PIPE, text=True) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1.5)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        complaint = process.stderr.read()
        assert process.wait(10) in (1, 130)
    assert "Traceback" not in complaint
