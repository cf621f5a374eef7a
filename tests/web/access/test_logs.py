"""Tests the log: control characters, length, repetitions, and requests of an attacker."""

import io
import logging
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from fourfall.web.access.logs import LOGGERS, RepetitionFilter, configure_log
from fourfall.web.app import Settings
from fourfall.web.limits import Limits
from tests.web.conftest import run_in_thread


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Write the log to memory; afterwards the loggers are as before."""
    loggers = [logging.getLogger(name) for name in LOGGERS]
    states = [(logger, logger.handlers, logger.propagate, logger.level) for logger in loggers]
    stream = io.StringIO()
    configure_log(stream)
    yield stream
    for logger, handlers, propagate, level in states:
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)


def test_control_characters_are_replaced(log: io.StringIO) -> None:
    """A message stays in one line and cannot control a terminal; an exception keeps its lines."""
    logger = logging.getLogger("fourfall.web")
    logger.error("path %s", "/x\r\n2026-11-16 10:00:00 ERROR forged\x1b[2J")
    try:
        raise ValueError("text\x1b[31m of a client")
    except ValueError:
        logger.exception("failed")
    lines = log.getvalue().splitlines()
    assert "\x1b" not in log.getvalue()
    assert lines[0].endswith("ERROR path /x  2026-11-16 10:00:00 ERROR forged [2J")
    assert lines[-1] == "ValueError: text [31m of a client"


def test_long_messages_are_shortened(log: io.StringIO) -> None:
    """One message has at most 2000 characters."""
    logging.getLogger("fourfall.web").error("%s", "x" * 100_000)
    assert len(log.getvalue()) < 2100


def test_repetitions_are_left_out_and_counted() -> None:
    """After some messages of one statement, further ones are left out; other statements are not affected."""
    stream, now = io.StringIO(), 0.0
    handler = logging.StreamHandler(stream)
    handler.addFilter(RepetitionFilter(burst=3, interval_s=60, clock=lambda: now))
    logger = logging.Logger("test")
    logger.addHandler(handler)
    for number in range(101):
        now = 61.0 if number == 100 else 0.0
        logger.error("message %d", number)
    logger.error("another one")
    assert stream.getvalue().splitlines() == [
        "message 0",
        "message 1",
        "message 2 (similar messages are left out for 60 s)",
        "message 100 (97 similar messages were left out)",
        "another one",
    ]


def test_invalid_requests_do_not_fill_the_log(tmp_path: Path, log: io.StringIO) -> None:
    """Hundreds of invalid requests, refused handshakes and wrong tokens cause only a few lines."""
    invalid = (
        b"not HTTP\x1b[2J\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
        b"GET /ws?token=wrong HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    )
    limits = Limits(client_connects_per_s=1e6, client_connect_burst=10**6)
    with run_in_thread(Settings(tmp_path / "page.db", token="x" * 16, limits=limits)) as server:
        for number in range(150):
            with socket.create_connection(("127.0.0.1", server.port), timeout=10) as sock:
                sock.sendall(invalid[number % len(invalid)])
                assert sock.recv(100).startswith(b"HTTP/1.1 4")
    assert len(log.getvalue().splitlines()) <= 20
    assert "\x1b" not in log.getvalue()
