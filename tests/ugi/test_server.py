"""Tests the streams: any bytes are answered and survived."""

import io

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fourfall.ugi import serve
from fourfall.ugi.server import MAX_LINE_BYTES
from tests.ugi.recorded_session import FAST

WORDS = {"id", "option", "ugiok", "readyok", "info", "bestmove", "response"}


def run(commands: bytes) -> list[str]:
    """Serve commands until the end; return the lines of the reply after checking their form."""
    answers = io.BytesIO()
    serve(io.BytesIO(commands), answers, FAST)
    text = answers.getvalue().decode()
    assert not text or text.endswith("\n")
    lines = text.split("\n")[:-1]
    assert all(line.isprintable() and line.split()[0] in WORDS for line in lines)
    return lines


def test_last_line_without_an_end() -> None:
    """It counts as a command."""
    assert run(b"query p1turn\nquery gameover") == ["response true", "response false"]


def test_windows_line_ends() -> None:
    """A carriage return is a blank."""
    assert run(b"position startpos moves 4\r\nquery p1turn\r\n") == ["response false"]


@pytest.mark.parametrize("size", [MAX_LINE_BYTES + 1, MAX_LINE_BYTES * 3, MAX_LINE_BYTES * 3 + 7])
def test_line_that_is_too_long(size: int) -> None:
    """It gets one error, and the next line is a command again."""
    error, answer = run(b"x" * size + b"\nquery p1turn\n")
    assert error == f"info string error: the line is too long (at most {MAX_LINE_BYTES} bytes)"
    assert answer == "response true"
    assert run(b"x" * size)[0] == error


def test_longest_line() -> None:
    """A line of the greatest length is read."""
    line = b"query p1turn".ljust(MAX_LINE_BYTES - 1) + b"\n"
    assert run(line) == ["response true"]


@pytest.mark.parametrize("data", [b"\x00\n", b"\xff\xfe\n", bytes(range(256)), b"go nodes \x00\n", b"\x1b[2J\n"])
def test_binary_input(data: bytes) -> None:
    """Errors contain no control characters."""
    assert all(line.startswith("info string error: ") for line in run(data))


@pytest.mark.parametrize("end", [b"quit\n", b"quit", b""])
def test_end_during_a_search(end: bytes) -> None:
    """`quit` and the end of the input end the search, which still writes its best move."""
    assert run(b"go infinite\n" + end)[-1].startswith("bestmove ")


def test_nothing_after_quit_is_read() -> None:
    """Commands after `quit` have no effect."""
    assert run(b"quit\nquery p1turn\n") == []


class ClosedPipe(io.BytesIO):
    """A stream that breaks after some bytes."""

    def write(self, data: object, /) -> int:
        """Fail like a pipe whose reader has gone."""
        raise BrokenPipeError(32, "Broken pipe")


def test_reader_that_is_gone() -> None:
    """The session ends after the first failed reply and stops its search; the caller gets the error."""
    commands = io.BytesIO(b"go infinite\nquery p1turn\nquery p1turn\n")
    with pytest.raises(BrokenPipeError):
        serve(commands, ClosedPipe(), FAST)
    assert commands.read() == b"query p1turn\n"


COMMANDS = (
    b"ugi", b"isready", b"uginewgame", b"stop", b"go", b"go nodes 5", b"go infinite", b"go depth 2", b"go movetime 1",
    b"go p1time 5 p2time 5", b"go nodes x", b"position startpos", b"position startpos moves 4 4", b"position fen 4x4",
    b"position fen 5x6@1,1:12 moves 3", b"position", b"moves 1", b"query p1turn", b"query gameover", b"query result",
    b"query", b"debug on", b"setoption name MultiPV value 3", b"setoption name Preset value level-2",
    b"setoption name Preset value x", b"setoption name Memory value 8", b"quit", b"sing",
)  # fmt: skip


@settings(max_examples=30)
@given(st.lists(st.one_of(st.sampled_from(COMMANDS), st.binary(max_size=20)), max_size=12).map(b"\n".join))
@example(b"go infinite\nstop\ngo infinite\nposition\nquit")
def test_any_input_is_survived(commands: bytes) -> None:
    """Replies are well formed, and no search writes two best moves."""
    lines = run(commands)
    starts = [line for line in commands.decode(errors="replace").split("\n") if line.split()[:1] == ["go"]]
    assert sum(line.startswith("bestmove ") for line in lines) <= len(starts)
