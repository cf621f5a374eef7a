"""Tests of the command explain, and of the reasons in analyse and play."""

import json

import pytest

from fourfall import Board
from fourfall.coach import explain
from tests.cli.conftest import Fourfall


def test_draws_the_board_and_says_why(fourfall: Fourfall) -> None:
    """The sentences name the players as in the drawing."""
    result = fourfall("explain", "6x7:11223", "1", "--simulations", "0")
    board = Board.parse("6x7:11223")
    assert result.stdout == f"{board}\n\nX now completes four in column 4, which O had to block.\n"


def test_chinese(fourfall: Fourfall) -> None:
    """--lang zh writes Chinese."""
    result = fourfall("explain", "6x7:112233", "4", "--lang", "zh")
    assert result.stdout.splitlines()[-1] == "X 方下第 4 列，当即连成四子获胜。"  # noqa: RUF001


def test_json(fourfall: Fourfall) -> None:
    """--json prints the plain data of the library."""
    result = json.loads(fourfall("explain", "6x7:4426", "5", "--simulations", "0", "--json").stdout)
    assert result == {
        "position": "6x7:4426",
        "column": 4,
        **explain(Board.parse("6x7:4426"), 4).to_json_value(),
    }


def test_engine_compares_columns(fourfall: Fourfall) -> None:
    """With simulations, the engine's estimates are compared."""
    result = fourfall("explain", "9x9@4,4", "1", "--engine", "fourfall-classic", "--simulations", "200")
    assert "The engine prefers column" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["6x7:44", "8"], "fourfall: '8' is not a column; the columns are 1..7\n"),
        (["9x12@0,0", "d"], "fourfall: 'd' is not a column; the columns are 1..c\n"),
        (["6x7:1212121", "3"], "fourfall: the game is over: there is no move to explain\n"),
        (["6x7:444444", "4"], "fourfall: column 4 is full\n"),
        (["6x7:4z", "3"], "fourfall: character 6 'z': not a column; the columns are 1..7\n"),
    ],
)
def test_bad_input_is_one_line(fourfall: Fourfall, arguments: list[str], message: str) -> None:
    """Wrong input exits with 2 and says what is wrong."""
    result = fourfall("explain", *arguments)
    assert (result.returncode, result.stderr) == (2, message)


def test_analyse_gives_the_reason_of_the_best_move(fourfall: Fourfall) -> None:
    """The last lines say why."""
    result = fourfall("analyse", "6x7:112233", "--engine", "seed-002", "--simulations", "100")
    assert result.stdout.splitlines()[-1] == ("why    X wins at once: the stone in column 4 completes four in a row.")


def test_hint_gives_a_reason(fourfall: Fourfall) -> None:
    """A hint is followed by its reason."""
    result = fourfall("play", "6x7:112233", "--engine", "seed-002", "--simulations", "100", typed="h\nq\n")
    assert "X wins at once: the stone in column 4 completes four in a row." in result.stdout
