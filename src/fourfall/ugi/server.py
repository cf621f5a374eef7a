"""Connects a session with two streams: commands as lines of bytes, replies as lines of bytes."""

import os
import sys
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from fourfall import __version__
from fourfall.ugi.options import Options
from fourfall.ugi.session import Session

MAX_LINE_BYTES = 65_536
"""Length limit of a command; the longest sensible one is a position with 144 moves."""

_INTERRUPTED = 130


def serve(commands: BinaryIO, answers: BinaryIO, options: Options | None = None) -> None:
    r"""Carry out commands until `quit`, the end of the input, or until nobody reads the answers.

    >>> import io
    >>> answers = io.BytesIO()
    >>> serve(io.BytesIO(b"query p1turn\nsing\n"), answers)
    >>> print(answers.getvalue().decode().split(";")[0])
    response true
    info string error: unknown command 'sing'
    """
    output = _Output(answers)
    session = Session(output.write, options)
    try:
        for line in _read_lines(commands):
            if line is None:
                session.report_error(f"the line is too long (at most {MAX_LINE_BYTES} bytes)")
            elif not session.handle(line):
                break
            if output.error is not None:
                break
    finally:
        session.close()
    if output.error is not None:
        raise output.error


def serve_stdio(options: Options | None = None) -> None:
    """Serve the standard streams until the end. Exits with code 130 after Ctrl-C, and with 1 if output fails."""
    if sys.stdin is None or sys.stdout is None:
        sys.exit("fourfall: the commands come from standard input and the replies go to standard output; one is closed")
    if sys.stdin.isatty():
        sys.stderr.write(f"Fourfall {__version__}: commands of the Universal Game Interface; quit ends the program.\n")
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer, options)
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except BrokenPipeError:
        _discard_output()
    except OSError as error:
        _discard_output()
        sys.exit(f"fourfall: standard streams: {error.strerror}")


class _Output:
    """Writes lines. After an error, for example because the reader has closed the pipe, lines are discarded."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.error: OSError | None = None

    def write(self, lines: Iterable[str]) -> None:
        """Write lines at once."""
        if self.error is not None:
            return
        try:
            self._stream.write("".join(f"{line}\n" for line in lines).encode("utf-8", errors="replace"))
            self._stream.flush()
        except OSError as error:
            self.error = error


def _read_lines(stream: BinaryIO) -> Iterator[str | None]:
    """Yield the lines, and None for a line that is too long, without storing it. The last line may lack its end."""
    while line := stream.readline(MAX_LINE_BYTES + 1):
        if len(line) <= MAX_LINE_BYTES or line.endswith(b"\n"):
            yield line.decode("utf-8", errors="replace")
            continue
        while (rest := stream.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
            pass
        yield None


def _discard_output() -> None:
    """Redirect stdout, so that the interpreter's final flush of what could not be written succeeds."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
