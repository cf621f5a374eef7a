"""Owns the tests of the export commands and of ``fourfall platform`` that need no compiler."""

import base64
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from fourfall import Board, Engine, Limit, presets
from fourfall.adapters.one_file import SOURCES, Settings, one_file
from fourfall.agents import protocol
from fourfall.arena.judge import landing_row
from tests.programs.test_exports import FOURFALL, played
from tests.search.network_reference import Weights

FAST = ["--engine", "seed-002", "--simulations", "100"]


def fourfall(*arguments: str, cwd: Path, said: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a user would."""
    return subprocess.run(
        [FOURFALL, *arguments],
        cwd=cwd,
        input=said,
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, **environment},
    )


def test_the_same_settings_make_the_same_zip(tmp_path: Path) -> None:
    """A submission is the same file byte for byte, small, with main.cpp at its root."""
    for name in ("one.zip", "two.zip"):
        assert fourfall("export", "platform", name, cwd=tmp_path).returncode == 0
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.zip", "two.zip"]
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert archive.namelist() == ["main.cpp", "LICENSE"]
        assert archive.testzip() is None
    assert (tmp_path / "one.zip").stat().st_size < 2**20


@pytest.mark.parametrize("name", presets.names())
def test_settings_hold_the_whole_preset(name: str) -> None:
    """Every choice of a preset stands in the file in C++, with the time, the memory and one thread."""
    preset = presets.load(name)
    text = one_file("platform_main.cpp", Settings(preset, 1.25, 100, seed=7), "c++")
    assert "config.move_time_s = 1.25;" in text
    assert "kMemoryMb = 100;" in text
    assert "kSeed = 7U;" in text
    written = text.partition("Config config() {")[2].partition("return config;")[0]
    plain, _, learned = written.partition("if (auto network = embedded_network(kWeights)) {")
    chosen = [key for key in dir(preset.config) if key[0] != "_" and getattr(preset.config, key) is not None]
    assert plain.count("    config.") == len({*chosen, "time"} - {"network", "weights"})
    assert ("config.threads = 1;" in plain) == (preset.search == "graph")
    fields = re.findall(r"config\.(\w+) =", learned)
    assert fields == (["evaluator", "exploration", "first_play_urgency", "network"] if name == "fourfall" else [])


def test_a_network_of_ones_own_travels(tmp_path: Path) -> None:
    """The weights that a preset names are in the file, with the constants that go with them, and their path is not."""
    Weights.drawn(3, channels=32, blocks=1).write(tmp_path / "own.f4w")
    preset = tmp_path / "own.toml"
    preset.write_text('base = "fourfall"\n[selection]\nprior = 0.5\n[evaluation]\nweights = "./own.f4w"\n')
    text = one_file("platform_main.cpp", Settings(presets.load(preset), 1.0), "c++")
    literal = re.search(r'kWeights\[\] =\n((?: +"[^"]+"\n)+) +;', text)
    assert literal
    assert base64.b64decode("".join(re.findall(r'"([^"]+)"', literal[1]))) == (tmp_path / "own.f4w").read_bytes()
    assert max(map(len, literal[1].splitlines())) <= 120
    plain, learned = re.findall(r"config\.prior = ([0-9.]+);", text)
    assert (plain, learned) == ("1.0", "0.5")
    assert str(tmp_path) not in text
    preset.write_text('base = "fourfall"\n[evaluation]\nevaluator = "rollouts"\n')
    assert "kWeights" not in one_file("platform_main.cpp", Settings(presets.load(preset), 1.0), "c++")


def test_the_sources_are_in_the_package() -> None:
    """The installed package holds the sources that an export is made of, and nothing that is built."""
    kinds = {path.suffix for path in SOURCES.rglob("*") if path.is_file()}
    assert kinds == {".cpp", ".hpp", ""}
    assert (SOURCES / "programs" / "player.cpp").is_file()


def test_without_a_compiler_nothing_is_written(tmp_path: Path) -> None:
    """One line says what is missing, and the folder is not made; a compiler that fails leaves nothing either."""
    missing = fourfall("export", "library", "out", "--engine", "seed-002", cwd=tmp_path, PATH="/nowhere", CXX="")
    broken = fourfall("export", "library", "out", cwd=tmp_path, CXX="false")
    assert (missing.returncode, broken.returncode) == (1, 1)
    assert missing.stderr.decode().startswith("fourfall: there is no C++ compiler 'c++' here")
    command = "false -std=c++20 -O3 -shared -fPIC -o fourfall.so fourfall.cpp"
    assert broken.stderr.decode() == f"fourfall: {command} failed: it does not say why\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["export", "platform", "no/such/out.zip"], 1, "No such file or directory"),
        (["export", "library", "no/such/folder"], 1, "No such file or directory"),
        (["export", "platform", "out.zip", "-e", "sead-002"], 2, "there is no preset 'sead-002'"),
        (["export", "platform", "out.zip", "--memory-mb", "2"], 2, "this engine needs at least 16 MiB of memory"),
        (["export", "platform", "out.zip", "--memory-mb", "1024"], 2, "--memory-mb"),
        (["export", "library", "out", "--time", "0"], 2, "--time"),
        (["platform", "-e", "sead-002"], 2, "there is no preset 'sead-002'"),
        (["platform", "--time", "soon"], 2, "--time"),
    ],
)
def test_bad_input_is_named(arguments: list[str], code: int, complaint: str, tmp_path: Path) -> None:
    """A wrong option, engine or folder ends the command with its name, and nothing is written."""
    result = fourfall(*arguments, cwd=tmp_path)
    assert result.returncode == code
    assert complaint in result.stderr.decode()
    assert "Traceback" not in result.stderr.decode()
    assert list(tmp_path.iterdir()) == []


def test_platform_answers_in_both_protocols(tmp_path: Path) -> None:
    """Standard output holds the engine's moves in frames and nothing else; a new position needs no history."""
    boards = [Board.parse(text) for text in ("9x10@4,4", "9x10@4,4:5566")]
    engine = Engine("seed-002")
    cells = []
    for board in boards:
        column = engine.play(board, Limit(simulations=100))
        cells.append((landing_row(board, column), column))
    said = b"".join([protocol.write_start(boards[0].geometry), *map(protocol.write_question, boards)])
    text = fourfall("platform", *FAST, "--time", "60", cwd=tmp_path, said=said)
    assert (text.returncode, text.stderr) == (0, b"")
    assert text.stdout == b"".join(protocol.frame_message(protocol.format_cell(cell)) for cell in cells)
    said = b"".join(
        [
            protocol.write_json_start(boards[0].geometry),
            *map(protocol.write_json_question, boards),
            protocol.JSON_END,
            b"more",
        ]
    )
    older = fourfall("platform", *FAST, "--time", "60", "--json", cwd=tmp_path, said=said)
    assert (older.returncode, older.stderr) == (0, b"")
    assert older.stdout == b"".join(protocol.frame_message(protocol.format_json_cell(cell)) for cell in cells)


@pytest.mark.parametrize(
    ("arguments", "said", "complaint"),
    [
        ([], b"hello\n", "a line must contain integers only, not 'hello\\n'"),
        ([], b"9 9\n", "the first line must be"),
        ([], b"\xff\xfe\n", "a line must contain integers only"),
        ([], b"9 9 1 1", "the input ended within a line"),
        ([], b"9 9 1 1\n" + 5000 * b"1 ", "a line is too long"),
        ([], b"9 9 1 1\n" + b"1 " * 92 + b"\n", "0 own and 80 opposing stones, but it is our turn"),
        (["--json"], b"9 9 1 1\n", "a message must begin with its length in four digits"),
        (["--json"], b"0040{}", "the input ended within a message"),
        (["--json"], b'0010{"type":1}', "not a message of the protocol"),
    ],
)
def test_platform_names_what_is_wrong(arguments: list[str], said: bytes, complaint: str, tmp_path: Path) -> None:
    """What is not the protocol ends in one line on standard error, exit code 1, and silence on standard output."""
    result = fourfall("platform", *FAST, *arguments, cwd=tmp_path, said=said)
    assert (result.returncode, result.stdout) == (1, b"")
    lines = result.stderr.decode().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("fourfall: standard input: ")
    assert complaint in lines[0]


def test_platform_leaves_quietly_when_nobody_asks(tmp_path: Path) -> None:
    """The end of the input is no failure in either protocol."""
    assert fourfall("platform", *FAST, cwd=tmp_path).returncode == 0
    assert fourfall("platform", *FAST, "--json", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("kind", ["program", "program+json"])
def test_platform_plays_a_game_through_our_judge(kind: str) -> None:
    """As a program agent the installed engine plays to an honest end, also from the middle of a game."""
    option = " --json" if kind == "program+json" else ""
    address = f"{kind}:{sys.executable} {FOURFALL} platform -e seed-002 --simulations 50{option}"
    played("level-1", address, "9x9@8,4:5566", sandbox=False)
