"""Tests live analyses outside Jupyter: in a terminal and without one."""

import sys

import pytest

from fourfall import Board, Engine, EngineError, Limit, NotationError
from fourfall.notebook import analyse_live, review_live

LIMIT = Limit(simulations=2000)


def test_result_is_that_of_the_engine(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a terminal nothing is printed, and the result is that of Engine.analyse."""
    live = analyse_live("6x7:4455", "seed-002", LIMIT)
    plain = Engine("seed-002").analyse(Board.parse("6x7:4455"), LIMIT)
    assert str(live) == str(plain)
    assert capsys.readouterr().out == ""


def test_terminal_shows_board_and_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """In a terminal the last state stays: the board and one line for every column."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    analysis = analyse_live("6x7:112233", "seed-002", LIMIT)
    output = capsys.readouterr().out
    assert all(line.rstrip() in output for line in str(analysis).splitlines())
    assert " 5  X X X . . . ." in output
    assert "simulations in" in output
    review_live("6x7:112237", "seed-002", Limit(simulations=50))
    assert "6 moves reviewed by seed-002" in capsys.readouterr().out


def test_errors_are_raised_in_the_calling_thread() -> None:
    """A finished game and a wrong position are refused as by the engine."""
    with pytest.raises(EngineError, match="the game is over"):
        analyse_live("6x7:1122334", "seed-002", LIMIT)
    with pytest.raises(NotationError):
        analyse_live("6x7:x", "seed-002", LIMIT)


def test_board_of_the_wrong_type_is_named() -> None:
    """The error names the value."""
    with pytest.raises(TypeError, match="board must be a Board or a position in text such as '6x7:44', not 5"):
        analyse_live(5)  # type: ignore[arg-type]
