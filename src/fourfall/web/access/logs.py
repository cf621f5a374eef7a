"""The server's log on standard error: one line per message, control characters removed, repetitions left out."""

import logging
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TextIO

from fourfall.arena.tables import clean_lines, replace_control_characters

LOGGERS = ("uvicorn", "fourfall", "asyncio", "websockets")
MAX_MESSAGE_LENGTH = 2000
MAX_TRACEBACK_LENGTH = 20_000
_BURST = 10
_INTERVAL_S = 60.0
_MAX_KINDS = 200


class CleanFormatter(logging.Formatter):
    """Writes the time, the level and the message in one line; only a traceback has more lines."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s", "%Y-%m-%d %H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (name in logging)
        """Return the line without control characters, at most 2000 characters long."""
        line = replace_control_characters(super().formatMessage(record))
        return line if len(line) <= MAX_MESSAGE_LENGTH else f"{line[:MAX_MESSAGE_LENGTH]}..."

    def formatException(self, ei: object) -> str:  # noqa: N802 (name in logging)
        """Return the traceback without control characters; of a long one the end."""
        return clean_lines(super().formatException(ei)[-MAX_TRACEBACK_LENGTH:])  # type: ignore[arg-type]


class RepetitionFilter(logging.Filter):
    """Lets through `burst` messages of one kind per interval, and then one that says how many were left out.

    Messages are of the same kind if they were logged by the same statement. A client can therefore not fill the disk
    with messages about its requests.
    """

    def __init__(
        self, burst: int = _BURST, interval_s: float = _INTERVAL_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._clock = clock
        self._burst = burst
        self._interval_s = interval_s
        self._kinds: OrderedDict[tuple[str, int], tuple[float, int]] = OrderedDict()  # start of interval, messages

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write a message; add the number of messages that were left out before it."""
        kind, now = (record.pathname, record.lineno), self._clock()
        start, count = self._kinds.pop(kind, (now, 0))
        left_out = 0
        if now - start > self._interval_s:
            left_out, start, count = max(0, count - self._burst), now, 0
        self._kinds[kind] = (start, count + 1)
        while len(self._kinds) > _MAX_KINDS:
            self._kinds.popitem(last=False)
        if left_out:
            record.msg = f"{record.getMessage()} ({left_out} similar messages were left out)"
            record.args = None
        elif count == self._burst - 1:
            record.msg = f"{record.getMessage()} (similar messages are left out for {self._interval_s:g} s)"
            record.args = None
        return count < self._burst


def configure_log(stream: TextIO | None = None) -> logging.Handler:
    """Write the warnings and errors of the server and its libraries to a stream; returns the handler."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(CleanFormatter())
    handler.addFilter(RepetitionFilter())
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(logging.WARNING)
    return handler
