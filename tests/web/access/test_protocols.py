"""Tests the limits of connections: time for headers and body, numbers per client, frames, unread data."""

import logging
import resource
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.sync.client import connect

from fourfall.web.app import Settings
from fourfall.web.limits import Limits
from tests.web.conftest import RunningServer, run_in_thread

HEADER_S, BODY_S = 0.3, 0.3
CLIENT_CONNECTIONS, CLIENT_WEBSOCKETS = 8, 3
WAIT_S = 60.0
REQUEST = b"HEAD /icon.svg HTTP/1.1\r\nHost: localhost\r\n"
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
EMPTY_PING, LONG_PING = b"\x89\x80" + bytes(4), b"\x89\xfd" + bytes(4 + 125)
EMPTY_FRAGMENT = b"\x00\x80" + bytes(4)


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run a server with short time limits."""
    limits = Limits(header_s=HEADER_S, body_s=BODY_S, unread_s=0.5)
    with run_in_thread(Settings(tmp_path_factory.mktemp("strict") / "page.db", limits=limits)) as running:
        yield running


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run a server that allows few connections per client, for as long as usual."""
    limits = Limits(client_connections=CLIENT_CONNECTIONS, client_websockets=CLIENT_WEBSOCKETS)
    with run_in_thread(Settings(tmp_path_factory.mktemp("crowded") / "page.db", limits=limits)) as running:
        yield running


def open_socket(server: RunningServer, source: str = "127.0.0.1", receive_buffer: int = 0) -> socket.socket:
    """Connect from an address of this machine; all of 127.0.0.0/8 are."""
    sock = socket.socket()
    sock.settimeout(WAIT_S)
    if receive_buffer:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    sock.bind((source, 0))
    sock.connect(("127.0.0.1", server.port))
    return sock


def open_raw_websocket(server: RunningServer) -> socket.socket:
    """Open a websocket of which the test sends the frames and never reads a message."""
    sock = open_socket(server, receive_buffer=4096)
    sock.sendall(UPGRADE + b"\r\n")
    response = b""
    while b"\r\n\r\n" not in response:
        response += sock.recv(1)
    assert response.startswith(b"HTTP/1.1 101")
    return sock


def read_all(sock: socket.socket) -> bytes:
    """Read until the server closes the connection; fails if it does not."""
    received = b""
    try:
        while data := sock.recv(65536):
            received += data
    except ConnectionResetError:
        pass
    return received


def send_until_closed(sock: socket.socket, data: bytes, pause_s: float = 0.0) -> None:
    """Send data again and again without reading; fails if the server does not close the connection."""
    with pytest.raises(OSError, match=r"reset|pipe"):
        _send_repeatedly(sock, data, pause_s)


def _send_repeatedly(sock: socket.socket, data: bytes, pause_s: float) -> None:
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        sock.sendall(data)
        time.sleep(pause_s)


def measure_memory_mb() -> float:
    """Return the resident memory of this process, in which the server runs."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for a condition."""
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize(
    "start",
    [b"", b"HEAD", REQUEST, REQUEST + b"X-Header: "],
    ids=["nothing", "method", "one header", "incomplete header"],
)
def test_incomplete_headers_close_the_connection(strict: RunningServer, start: bytes) -> None:
    """A client that sends nothing, or an incomplete request, is answered with 408 or closed."""
    with open_socket(strict) as sock:
        sock.sendall(start)
        response = read_all(sock)
    assert response.startswith(b"HTTP/1.1 408 Request Timeout") if start else response == b""
    assert (b"did not arrive completely within 1 s" in response) == bool(start)


def test_slowly_sent_headers_close_the_connection(strict: RunningServer) -> None:
    """One byte after the other does not extend the time, also in the second request of a connection."""
    with open_socket(strict) as sock:
        sock.sendall(REQUEST + b"\r\n")
        assert sock.recv(65536).startswith(b"HTTP/1.1 200")
        send_until_closed(sock, b"G", 0.02)


def test_idle_connection_is_kept_for_the_next_request(strict: RunningServer) -> None:
    """The time limit of the headers begins with the first byte of the next request."""
    with open_socket(strict) as sock:
        for _ in range(2):
            sock.sendall(REQUEST + b"\r\n")
            assert sock.recv(65536).startswith(b"HTTP/1.1 200")
            time.sleep(2 * HEADER_S)


@pytest.mark.parametrize("path", ["/api/import", "/nothing"])
def test_incomplete_body_closes_the_connection(strict: RunningServer, path: str) -> None:
    """A body that does not arrive in time gets 408; a body that nobody reads does not keep the connection open."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
    with open_socket(strict) as sock:
        sock.sendall(head.encode() + b'{"te')
        response = read_all(sock)
    assert response.startswith(b"HTTP/1.1 408" if path == "/api/import" else b"HTTP/1.1 40")
    assert path != "/api/import" or b'"too_slow"' in response


def test_connections_of_a_client_are_limited(crowded: RunningServer) -> None:
    """The connection after the last allowed one gets 503; another address can connect; closed ones do not count."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(open_socket(crowded, "127.0.0.2")) for _ in range(CLIENT_CONNECTIONS)]
        for sock in sockets:
            sock.sendall(REQUEST + b"\r\n")
            assert sock.recv(65536).startswith(b"HTTP/1.1 200")
        with open_socket(crowded, "127.0.0.2") as refused:
            response = read_all(refused)
            assert response.startswith(b"HTTP/1.1 503 Service Unavailable")
            assert b"too many connections" in response
        with open_socket(crowded, "127.0.0.3") as other:
            other.sendall(REQUEST + b"\r\n")
            assert other.recv(65536).startswith(b"HTTP/1.1 200")

    def is_accepted() -> bool:
        with open_socket(crowded, "127.0.0.2") as again:
            again.sendall(REQUEST + b"Connection: close\r\n\r\n")
            return read_all(again).startswith(b"HTTP/1.1 200")

    wait_until(is_accepted)


def test_websockets_of_a_client_are_limited(crowded: RunningServer) -> None:
    """The websocket after the last allowed one is closed with 1013; another address can connect."""
    with ExitStack() as stack:
        for _ in range(CLIENT_WEBSOCKETS):
            stack.enter_context(crowded.open_page(source_address=("127.0.0.4", 0)))
        with pytest.raises(ConnectionClosed) as closed, crowded.open_page(source_address=("127.0.0.4", 0)):
            pass
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
        with crowded.open_page(source_address=("127.0.0.5", 0)) as page:
            assert page.request("pong", type="ping")["type"] == "pong"


def test_rate_of_new_connections_is_limited(tmp_path: Path) -> None:
    """A client that opens connections too fast gets 429."""
    limits = Limits(client_connects_per_s=0.1, client_connect_burst=2)
    with run_in_thread(Settings(tmp_path / "page.db", limits=limits)) as server:
        responses = []
        for _ in range(3):
            with open_socket(server) as sock:
                sock.sendall(REQUEST + b"Connection: close\r\n\r\n")
                responses.append(read_all(sock)[:12])
    assert responses[:2] == [b"HTTP/1.1 200"] * 2
    assert responses[2] in (b"HTTP/1.1 429", b"")  # the response is lost if the request arrives after it


def test_proxy_headers_do_not_change_the_client(tmp_path: Path) -> None:
    """A client cannot avoid its limits by pretending to be a proxy for other clients."""
    limits = Limits(requests_per_s=0.1, request_burst=2)
    with run_in_thread(Settings(tmp_path / "page.db", limits=limits)) as server:
        statuses = [
            server.request("/api/engines", headers={"X-Forwarded-For": f"192.0.2.{number}"})[0] for number in range(3)
        ]
    assert statuses == [200, 200, 429]


@pytest.mark.parametrize("frame", [EMPTY_PING, LONG_PING, EMPTY_FRAGMENT], ids=["ping", "long ping", "fragment"])
def test_flood_of_frames_closes_the_websocket(strict: RunningServer, frame: bytes) -> None:
    """Pings and empty fragments of a message are limited like messages; the client never reads."""
    with open_raw_websocket(strict) as sock:
        first = b"\x01\x80" + bytes(4) if frame == EMPTY_FRAGMENT else b""
        sock.sendall(first + frame * 500)
        send_until_closed(sock, frame * 100)


def test_unread_pongs_do_not_fill_the_memory(tmp_path: Path) -> None:
    """Pings of a client that does not read stay unanswered; the connection stays open until its time is over."""
    limits = Limits(frames_per_s=1e9, frame_burst=10**9)
    with (
        run_in_thread(Settings(tmp_path / "page.db", limits=limits)) as server,
        open_raw_websocket(server) as sock,
    ):
        sock.sendall(LONG_PING * 10_000)
        before = measure_memory_mb()
        for _ in range(12):
            sock.sendall(LONG_PING * 10_000)
        assert measure_memory_mb() - before < 7  # the pongs have 15 MB


def test_client_that_does_not_read_is_disconnected(tmp_path: Path) -> None:
    """A connection with unread data is closed after a time, although the client is not idle."""
    limits = Limits(frames_per_s=1e9, frame_burst=10**9, unread_s=0.5)
    with (
        run_in_thread(Settings(tmp_path / "page.db", limits=limits)) as server,
        open_raw_websocket(server) as sock,
    ):
        send_until_closed(sock, LONG_PING * 10_000, 0.05)


def test_large_headers_are_refused_without_a_traceback(strict: RunningServer, caplog: pytest.LogCaptureFixture) -> None:
    """A request and a websocket handshake with large or many headers are refused, and no exception is logged."""
    with caplog.at_level(logging.WARNING):
        for start in (REQUEST, UPGRADE):
            for header in (b"X-Large: " + b"x" * 30_000, b"X-Line: " + b"x" * 10_000, b"X: y\r\n" * 2000 + b"X: y"):
                with open_socket(strict) as sock:
                    sock.sendall(start + header + b"\r\n\r\n")
                    sock.settimeout(WAIT_S)
                    sock.shutdown(socket.SHUT_WR)
                    read_all(sock)
    assert [record for record in caplog.records if record.exc_info or record.levelno > logging.WARNING] == []
    assert strict.request("/api/engines")[0] == 200


def test_compressed_messages_are_not_negotiated(strict: RunningServer) -> None:
    """A compressed message could expand to a thousand times its size; the server does not accept the extension."""
    address = f"ws://127.0.0.1:{strict.port}/ws"
    with connect(address, extensions=[ClientPerMessageDeflateFactory()]) as connection:
        assert connection.protocol.extensions == []
