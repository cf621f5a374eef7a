"""A session in this process whose replies are recorded."""

import threading
from collections.abc import Iterable

from fourfall.ugi import Options, Session
from tests.processes import PATIENCE_S

FAST = Options("seed-002", memory_mb=16)
"""A preset that needs no network, and little memory."""


class RecordedSession:
    """A session with the lines that it has written."""

    def __init__(self, options: Options = FAST) -> None:
        self.lines: list[str] = []
        self._changed = threading.Condition()
        self._session = Session(self._write, options)

    def send(self, *commands: str) -> list[str]:
        """Send commands and return the lines that they wrote so far."""
        begin = len(self.lines)
        for command in commands:
            assert self._session.handle(command)
        return self.lines[begin:]

    def search(self, *commands: str) -> list[str]:
        """Send commands, the last of which starts a search; return all lines up to the best move."""
        begin = len(self.lines)
        self.send(*commands)
        assert self.wait_for("bestmove", begin)
        return self.lines[begin:]

    def wait_for(self, word: str, begin: int) -> bool:
        """Wait for a line that begins with this word, after the first `begin` lines."""
        with self._changed:
            return self._changed.wait_for(
                lambda: any(line.split()[0] == word for line in self.lines[begin:]), PATIENCE_S
            )

    def close(self) -> None:
        """End the running search."""
        self._session.close()

    def _write(self, lines: Iterable[str]) -> None:
        with self._changed:
            self.lines += lines
            self._changed.notify_all()
