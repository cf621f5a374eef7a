"""Tests the parser of commands."""

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfall import Board
from fourfall.ugi.commands import (
    CommandError,
    Debug,
    Go,
    PlayMoves,
    Query,
    SetOption,
    SetPosition,
    Simple,
    parse_command,
    play_moves,
)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("ugi", Simple("ugi")),
        ("  isready \r\n", Simple("isready")),
        ("\tstop", Simple("stop")),
        ("setoption name Threads value 2", SetOption("Threads", "2")),
        ("setoption name Move  Overhead value 5", SetOption("Move Overhead", "5")),
        ("setoption name Preset value /a b/value  x.toml \n", SetOption("Preset", "/a b/value  x.toml")),
        ("position startpos", SetPosition(Board(6, 7))),
        ("position startpos moves 4 4", SetPosition(Board.parse("6x7:44"))),
        ("position fen 10x11@4,7", SetPosition(Board.parse("10x11@4,7"))),
        ("position fen 10x12@4,7:6655 moves a c", SetPosition(Board.parse("10x12@4,7:6655ac"))),
        ("position startpos moves", SetPosition(Board(6, 7))),
        ("moves 4 5", PlayMoves("45")),
        ("go", Go()),
        ("go infinite", Go(is_infinite=True)),
        ("go nodes 100 depth 5 movetime 20", Go(20, 100, 5)),
        ("go p1time 900 p1inc 10 p2time 800", Go(times_ms=(900, 800), increments_ms=(10, 0))),
        ("go p1time -5 p2time 1 p1inc -3 p2inc 7 movestogo 3", Go(None, None, None, False, (-5, 1), (0, 7), 3)),
        ("query result", Query("result")),
        ("debug on", Debug(True)),
        ("debug off", Debug(False)),
    ],
)
def test_commands(line: str, command: object) -> None:
    """Every form of every command; blanks do not matter, except in a value."""
    assert parse_command(line) == command


@pytest.mark.parametrize("line", ["", "\n", " \r\n"])
def test_blank_line(line: str) -> None:
    """Blank lines are not commands."""
    assert parse_command(line) is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("sing", "unknown command 'sing'; the commands are debug, go, isready, moves, position, query, quit"),
        ("\x00\x1b[31m", r"unknown command '\x00\x1b[31m'"),
        ("x" * 1000, f"unknown command '{'x' * 40}...'"),
        ("quit now", "quit has no arguments, but here is 'now'"),
        ("position", "expected position startpos or position fen ROWSxCOLS[@row,col]"),
        ("position fen", "expected position startpos"),
        ("position fen moves 4", "expected position startpos"),
        ("position middle", "expected position startpos"),
        ("position startpos 4 4", "expected moves or the end of the line, not '4'"),
        ("position fen 3x7", "position 3x7: "),
        ("position fen 6x7@9,9", "position 6x7@9,9: "),
        ("position startpos moves 44", "move 1 is '44'; a move is a column, one of 1 2 3"),
        ("position startpos moves 4 d", "move 2 is 'd'"),
        ("position startpos moves 8", "character 5 '8': not a column; the columns are 1..7"),
        ("position startpos" + " moves" + " 1" * 7, "ply 7 goes into a full column"),
        ("position startpos moves 1 2 1 2 1 2 1 2", "ply 8 follows the end of the game"),
        ("position startpos moves" + " 4" * 10_000, "goes into a full column"),
        ("moves", "expected columns"),
        ("go fast", "unknown argument 'fast'; expected movetime, nodes, depth, p1time"),
        ("go movetime", "movetime needs a number"),
        ("go movetime 1e3", "movetime must be an integer from 0 to 1000000000000000, not '1e3'"),
        ("go movetime -1", "movetime must be an integer from 0"),
        ("go nodes 0", "nodes must be an integer from 1"),
        ("go nodes 99999999999999999999999", "nodes must be an integer"),
        ("go depth " + "9" * 10_000, "depth must be an integer"),
        ("go depth ٣", "depth must be an integer"),
        ("go nodes 1 nodes 2", "nodes is given twice"),
        ("go infinite movetime 5", "infinite cannot be combined with movetime"),
        ("go movestogo 0", "movestogo must be an integer from 1"),
        ("query", "expected query p1turn, query gameover or query result"),
        ("query p1turn gameover", "expected query p1turn"),
        ("debug", "expected debug on or debug off"),
        ("setoption", "expected setoption name NAME value VALUE"),
        ("setoption name Threads", "expected setoption name NAME value VALUE"),
        ("setoption name Threads value", "expected setoption name NAME value VALUE"),
        ("setoption name value 3", "expected setoption name NAME value VALUE"),
        ("setoption Threads 3", "expected setoption name NAME value VALUE"),
    ],
)
def test_errors(line: str, message: str) -> None:
    """Every error says what is wrong and what is expected, in one short line."""
    with pytest.raises(CommandError, match=re.escape(message)) as caught:
        parse_command(line)
    assert len(str(caught.value)) < 400
    assert str(caught.value).isprintable()


def test_moves_continue_a_position() -> None:
    """An illegal move is an error and does not change the board."""
    board = Board.parse("6x7:1212")
    assert play_moves(board, "12") == Board.parse("6x7:121212")
    with pytest.raises(CommandError, match="follows the end of the game"):
        play_moves(board, "1212")
    assert board.notation == "6x7:1212"


WORDS = (
    "ugi", "isready", "uginewgame", "stop", "setoption", "name", "value", "position", "startpos", "fen", "moves", "go",
    "movetime", "nodes", "depth", "infinite", "p1time", "p2time", "p1inc", "movestogo", "query", "p1turn", "debug",
    "6x7", "9x9@4,4:55", "4", "a", "0", "-1", "99999999999999999999", "\x00",
)  # fmt: skip
NOISE = st.binary(max_size=10).map(lambda data: data.decode(errors="replace"))


@given(st.lists(st.one_of(st.sampled_from(WORDS), NOISE), max_size=12).map(" ".join))
def test_any_line_is_a_command_or_an_error(line: str) -> None:
    """No text raises anything but CommandError."""
    with suppress(CommandError):
        parse_command(line)
