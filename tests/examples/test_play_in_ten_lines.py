"""Tests the example play_in_ten_lines.py."""

import ast
from pathlib import Path

from tests.examples.example_runner import EXAMPLES, run_example


def test_a_game_is_played_to_its_end(tmp_path: Path) -> None:
    """Input that is no legal column is asked for again; the game ends with its result."""
    output = run_example(
        "play_in_ten_lines.py", cwd=tmp_path, stdin="x\n0\n99\n\n" + "4\n3\n5\n2\n6\n1\n7\n" * 30
    ).stdout
    assert output.count("Your column") >= 8
    assert output.splitlines()[-1] in {
        "<Outcome: the first player won>",
        "<Outcome: the second player won>",
        "<Outcome: draw>",
    }


def test_ten_lines_are_enough() -> None:
    """The example has ten lines of code."""
    text = (EXAMPLES / "play_in_ten_lines.py").read_text()
    docstring = ast.parse(text).body[0]
    code = text.splitlines()[docstring.end_lineno or 0 :]
    assert sum(bool(line.strip()) for line in code) == 10
