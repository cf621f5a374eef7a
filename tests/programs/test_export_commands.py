"""Tests the export commands and ``fourfall platform`` without a compiler."""

import base64
import os
import re
import sys
import zipfile
from pathlib import Path

import pytest

from fourfall import Board, Engine, Limit, presets
from fourfall.agents import protocol
from fourfall.exports.single_file import SOURCES, ExportSettings, generate_source
from tests.cli.fork_server import Result, run_command
from tests.programs.test_exports import FOURFALL, find_cell, play_to_end
from tests.search.network_reference import ReferenceNetwork

FAST = ["--engine", "seed-002", "--simulations", "100"]


def run_fourfall(*arguments: str, cwd: Path, stdin: bytes = b"", **environment: str) -> Result:
    """Run the command line program."""
    environment = {**os.environ, **environment}
    return run_command([FOURFALL, *arguments], folder=cwd, typed=stdin, environment=environment, timeout_s=60)


def test_equal_settings_give_equal_zips(tmp_path: Path) -> None:
    """A submission is reproducible byte for byte, smaller than 1 MiB, with main.cpp at its root."""
    for name in ("one.zip", "two.zip"):
        assert run_fourfall("export", "platform", name, cwd=tmp_path).returncode == 0
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.zip", "two.zip"]
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert archive.namelist() == ["main.cpp", "LICENSE"]
        assert archive.testzip() is None
    assert (tmp_path / "one.zip").stat().st_size < 2**20


@pytest.mark.parametrize("name", presets.list_names())
def test_source_contains_all_settings_of_the_preset(name: str) -> None:
    """Every field of the configuration is written in C++, with the time, the memory and one thread."""
    preset = presets.load(name)
    text = generate_source("platform_program.cpp", ExportSettings(preset, 1.25, 100, seed=7), "c++")
    assert "config.move_time_s = 1.25;" in text
    assert "kMemoryMb = 100;" in text
    assert "kSeed = 7U;" in text
    written = text.partition("Config config() {")[2].partition("return config;")[0]
    arithmetic = ", network::kFloat32" if name in ("fourfall-float32", "fourfall-value") else ""
    classic, _, with_network = written.partition(f"if (auto network = read_embedded_network(kWeights{arithmetic})) {{")
    fields = [key for key in dir(preset.config) if key[0] != "_" and getattr(preset.config, key) is not None]
    assert classic.count("    config.") == len({*fields, "move_time_s"} - {"network", "weights"})
    assert ("config.threads = 1;" in classic) == (preset.search == "graph")
    changed = re.findall(r"config\.(\w+) =", with_network)
    network_fields = ["evaluator", "exploration", "first_play_urgency", "network"]
    assert changed == {
        "fourfall": [*network_fields[:-1], "lower_confidence_bound", "network"],
        "fourfall-float32": ["arithmetic", *network_fields],
        "fourfall-value": ["arithmetic", *network_fields[:-1], "prior", "network"],
    }.get(name, [])


def test_custom_network_is_embedded(tmp_path: Path) -> None:
    """The source contains the weights that a preset names and the settings for them, but not their path."""
    ReferenceNetwork.random(3, channels=32, blocks=1).write(tmp_path / "own.f4w")
    preset = tmp_path / "own.toml"
    preset.write_text('base = "fourfall"\n[selection]\nprior = 0.5\n[evaluation]\nweights = "./own.f4w"\n')
    text = generate_source("platform_program.cpp", ExportSettings(presets.load(preset), 1.0), "c++")
    literal = re.search(r'kWeights\[\] =\n((?: +"[^"]+"\n)+) +;', text)
    assert literal
    assert base64.b64decode("".join(re.findall(r'"([^"]+)"', literal[1]))) == (tmp_path / "own.f4w").read_bytes()
    assert max(map(len, literal[1].splitlines())) <= 120
    classic, with_network = re.findall(r"config\.prior = ([0-9.]+);", text)
    assert (classic, with_network) == ("1.0", "0.5")
    assert str(tmp_path) not in text
    preset.write_text('base = "fourfall"\n[evaluation]\nevaluator = "rollouts"\n')
    assert "kWeights[]" not in generate_source("platform_program.cpp", ExportSettings(presets.load(preset), 1.0), "c++")


def test_package_contains_the_sources() -> None:
    """The installed package contains the C++ sources for exports and no build products."""
    suffixes = {path.suffix for path in SOURCES.rglob("*") if path.is_file()}
    assert suffixes == {".cpp", ".hpp", ".inl", ""}
    assert (SOURCES / "programs" / "player.cpp").is_file()


def test_no_file_is_written_without_a_working_compiler(tmp_path: Path) -> None:
    """One line says that the compiler is missing or failed, and no folder is created."""
    missing = run_fourfall("export", "library", "out", "--engine", "seed-002", cwd=tmp_path, PATH="/nowhere", CXX="")
    broken = run_fourfall("export", "library", "out", cwd=tmp_path, CXX="false")
    assert (missing.returncode, broken.returncode) == (1, 1)
    assert missing.stderr.startswith("fourfall: C++ compiler 'c++' not found; install one")
    command = "false -std=c++20 -O3 -shared -fPIC -o fourfall.so fourfall.cpp"
    assert broken.stderr == f"fourfall: {command} failed: no error message\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["export", "platform", "no/such/out.zip"], 1, "fourfall: no/such: No such file or directory"),
        (["export", "library", "no/such/folder"], 1, "fourfall: no/such: No such file or directory"),
        (["export", "platform", "out.zip", "-e", "sead-002"], 2, "there is no preset 'sead-002'"),
        (["export", "platform", "out.zip", "--memory-mb", "2"], 2, "this engine needs at least 16 MiB of memory"),
        (["export", "platform", "out.zip", "--memory-mb", "1024"], 2, "--memory-mb"),
        (["export", "library", "out", "--time", "0"], 2, "--time"),
        (["platform", "-e", "sead-002"], 2, "there is no preset 'sead-002'"),
        (["platform", "--time", "soon"], 2, "--time"),
    ],
)
def test_wrong_argument_is_reported(arguments: list[str], code: int, message: str, tmp_path: Path) -> None:
    """The error names the wrong option, engine or folder, and no file is written."""
    result = run_fourfall(*arguments, cwd=tmp_path)
    assert result.returncode == code
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_platform_answers_in_both_protocols(tmp_path: Path) -> None:
    """Standard output contains only the frame_message moves; a position without its history is accepted."""
    boards = [Board.parse(text) for text in ("9x10@4,4", "9x10@4,4:5566")]
    engine = Engine("seed-002")
    cells = []
    for board in boards:
        column = engine.play(board, Limit(simulations=100))
        cells.append(find_cell(board, column))
    stdin = b"".join([protocol.write_start(boards[0].geometry), *map(protocol.write_question, boards)])
    text = run_fourfall("platform", *FAST, "--time", "60", cwd=tmp_path, stdin=stdin)
    assert (text.returncode, text.stderr) == (0, "")
    assert text.stdout.encode() == b"".join(protocol.frame_message(protocol.format_cell(cell)) for cell in cells)
    stdin = b"".join(
        [
            protocol.write_json_start(boards[0].geometry),
            *map(protocol.write_json_question, boards),
            protocol.JSON_END,
            b"more",
        ]
    )
    older = run_fourfall("platform", *FAST, "--time", "60", "--json", cwd=tmp_path, stdin=stdin)
    assert (older.returncode, older.stderr) == (0, "")
    assert older.stdout.encode() == b"".join(protocol.frame_message(protocol.format_json_cell(cell)) for cell in cells)


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        ([], b"hello\n", "a line must contain integers only, not 'hello\\n'"),
        ([], b"9 9\n", "the first line must be"),
        ([], b"\xff\xfe\n", "a line must contain integers only"),
        ([], b"9 9 1 1", "the input ended inside a line"),
        ([], b"9 9 1 1\n" + 5000 * b"1 ", "a line is too long"),
        ([], b"9 9 1 1\n" + b"1 " * 92 + b"\n", "0 own and 80 opposing stones, but it is our turn"),
        (["--json"], b"9 9 1 1\n", "a message must begin with its length in four digits"),
        (["--json"], b"0040{}", "the input ended inside a message"),
        (["--json"], b'0010{"type":1}', "not a message of the protocol"),
    ],
)
def test_platform_reports_protocol_errors(arguments: list[str], stdin: bytes, message: str, tmp_path: Path) -> None:
    """A malformed request ends in one line on standard error, exit code 1 and no output."""
    result = run_fourfall("platform", *FAST, *arguments, cwd=tmp_path, stdin=stdin)
    assert (result.returncode, result.stdout) == (1, "")
    lines = result.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("fourfall: standard input: ")
    assert message in lines[0]


def test_platform_exits_normally_without_requests(tmp_path: Path) -> None:
    """An empty input is not an error in either protocol."""
    assert run_fourfall("platform", *FAST, cwd=tmp_path).returncode == 0
    assert run_fourfall("platform", *FAST, "--json", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("kind", ["program", "program+json"])
def test_platform_plays_a_complete_game_as_an_agent(kind: str) -> None:
    """As a program agent the installed engine plays a game that begins in the middle to its end."""
    option = " --json" if kind == "program+json" else ""
    address = f"{kind}:{sys.executable} {FOURFALL} platform -e seed-002 --simulations 50{option}"
    play_to_end("level-2", address, "9x9@8,4:5566", sandbox=False)
