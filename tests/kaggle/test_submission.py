"""Tests of ``fourfall export kaggle``: the file alone, executed as Kaggle does, and the command."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fourfall import Board
from fourfall.agents.kaggle_calls import make_configuration, make_observation
from fourfall.exports import kaggle_submission
from fourfall.exports.kaggle_submission import export_kaggle, generate_submission
from tests.programs.test_export_commands import run_fourfall
from tests.search.network_reference import ReferenceNetwork

# Executes a file without its path in an empty namespace and calls the last callable, in a process without fourfall.
KAGGLE = """
import json, sys
namespace = {}
exec(compile(sys.stdin.readline().encode().decode("unicode_escape"), "<string>", "exec"), namespace)
name, function = [(name, value) for name, value in namespace.items() if callable(value)][-1]
moves = [function(*question) for question in json.loads(sys.stdin.readline())]
print(json.dumps([name, moves, "fourfall" in sys.modules, "__file__" in namespace]))
"""


def ask_submission(source: str, positions: list[str], folder: Path) -> list[object]:
    """Return the name of the function that Kaggle calls, its columns, and whether fourfall or a path was visible."""
    boards = [Board.parse(position) for position in positions]
    questions = [(make_observation(board), make_configuration(board, 0.3)) for board in boards]
    lines = [source.encode("unicode_escape").decode(), json.dumps(questions), ""]
    command = [sys.executable, "-I", "-c", KAGGLE]
    result = subprocess.run(command, input="\n".join(lines), text=True, capture_output=True, check=True, cwd=folder)
    assert result.stderr == ""
    answer: list[object] = json.loads(result.stdout)
    return answer


def test_exported_file_plays_alone(tmp_path: Path) -> None:
    """The file needs nothing but NumPy: it wins, blocks, opens in the center, and avoids a losing move."""
    size = export_kaggle(tmp_path / "submission.py")
    source = (tmp_path / "submission.py").read_text()
    assert size == len(source.encode()) < 800_000
    positions = ["6x7:414243", "6x7:4142434", "6x7", "6x7:11223", "9x10@8,4:5566"]
    name, moves, *visible = ask_submission(source, positions, tmp_path)
    assert (name, visible) == ("agent", [False, False])
    assert isinstance(moves, list)
    assert moves[:4] == [3, 3, 3, 3]
    assert Board.parse(positions[-1]).is_legal(moves[-1])


def test_file_without_network_plays(tmp_path: Path) -> None:
    """Alpha-beta search replaces a missing network."""
    assert ask_submission(generate_submission(None), ["6x7:414243", "6x7:4142434"], tmp_path)[1] == [3, 3]


def test_own_network_is_exported(tmp_path: Path) -> None:
    """With --weights the file contains another network, and no strength is claimed for it."""
    ReferenceNetwork.random(3, channels=32, blocks=1).write(tmp_path / "own.f4w")
    result = run_fourfall("export", "kaggle", "own.py", "--weights", "own.f4w", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert "not measured for this weights file" in result.stdout
    source = (tmp_path / "own.py").read_text()
    assert '    "32 1 ' in source
    assert ask_submission(source, ["6x7:4142434"], tmp_path)[1] == [3]


def test_command_writes_the_same_file_again(tmp_path: Path) -> None:
    """Equal weights give equal files; the command states size and strength, and replaces a file only if told so."""
    first = run_fourfall("export", "kaggle", "a.py", cwd=tmp_path)
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.splitlines()[1] == f"Strength: {kaggle_submission.STRENGTH}"
    content = (tmp_path / "a.py").read_bytes()
    assert f"a.py: {len(content) / 1024:.0f} KiB" in first.stdout
    (tmp_path / "a.py").write_text("mine")
    refused = run_fourfall("export", "kaggle", "a.py", cwd=tmp_path)
    assert refused.returncode == 2
    assert "a.py exists; choose another name" in refused.stderr
    assert (tmp_path / "a.py").read_text() == "mine"
    export_kaggle(tmp_path / "a.py", overwrite=True)
    assert (tmp_path / "a.py").read_bytes() == content


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["no/such/a.py"], 1, "No such file or directory"),
        (["a.txt"], 2, "must end in .py"),
        (["a.py", "--weights", "none.f4w"], 2, "none.f4w"),
    ],
)
def test_wrong_argument_is_reported(arguments: list[str], code: int, message: str, tmp_path: Path) -> None:
    """The error names the wrong argument, and no file is written."""
    result = run_fourfall("export", "kaggle", *arguments, cwd=tmp_path)
    assert (result.returncode, list(tmp_path.iterdir())) == (code, [])
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_names_of_modules_must_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two modules that define one name cannot be joined."""
    monkeypatch.setattr(kaggle_submission, "MODULES", ("rules", "rules"))
    with pytest.raises(ValueError, match=r"rules\.py defines Rules"):
        generate_submission(None)
