"""Tests the checks of every request: host, origin, token, size and rate; and the security headers."""

import asyncio
import http.client
import json
import socket
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send
from websockets.exceptions import ConnectionClosed, InvalidStatus

from fourfall.web.app import Settings
from fourfall.web.limits import Limits
from fourfall.web.middleware import AccessMiddleware
from fourfall.web.websocket import MAX_IGNORED_IN_A_ROW
from tests.web.conftest import Page, RunningServer, run_in_thread

TOKEN = "a secret; with = odd signs"  # noqa: S105


@pytest.fixture(scope="module")
def protected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run a server as for other machines: with a token and any host name."""
    database, limits = tmp_path_factory.mktemp("protected") / "page.db", Limits(token_attempts=1000)
    settings = Settings(database, token=TOKEN, is_local=False, limits=limits)
    with run_in_thread(settings) as running:
        yield running


@pytest.mark.parametrize("host", ["evil.example", "evil.example:4444", "127.0.0.1.evil.example", "", "[::2]:80"])
def test_other_host_names_are_refused(server: RunningServer, host: str) -> None:
    """A site that binds its host name to this machine (DNS rebinding) gets 403."""
    status, body, _ = server.request("/api/engines", headers={"Host": host})
    assert (status, body["code"], body["params"]) == (403, "forbidden", {"header": "Host", "value": host})


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:9", "[::1]:4444", "LOCALHOST:80"])
def test_host_names_of_this_machine_are_accepted(server: RunningServer, host: str) -> None:
    """The port does not matter, because a tunnel may have another one."""
    assert server.request("/api/engines", headers={"Host": host})[0] == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "http://localhost"])
def test_other_origins_are_refused(server: RunningServer, origin: str) -> None:
    """Pages of other sites can neither open a websocket nor start a match."""
    with pytest.raises(InvalidStatus) as refused, server.open_page(origin=origin):
        pass
    assert refused.value.response.status_code == 403
    status, body, _ = server.request("/api/matches", {"a": "level-2", "b": "level-4"}, headers={"Origin": origin})
    assert (status, body["code"]) == (403, "forbidden")


def test_own_origin_is_accepted(server: RunningServer) -> None:
    """A page of this server opens a websocket."""
    with server.open_page(origin=server.address) as page:
        assert page.request("pong", type="ping")["type"] == "pong"


def test_requests_without_the_token_are_refused(protected: RunningServer) -> None:
    """API, files and websocket need the token; a wrong token is refused too."""
    for path in ("/", "/api/engines", "/api/openapi.json", "/nothing"):
        assert protected.request(path)[0] == 401
        assert protected.request(path, headers={"Authorization": "Bearer wrong"})[0] == 401
        assert protected.request(path, headers={"Cookie": "fourfall_session=wrong"})[0] == 401
    for options in ({}, {"additional_headers": {"Authorization": "Bearer no"}}):
        with pytest.raises(InvalidStatus) as refused, protected.open_page(**options):
            pass
        assert refused.value.response.status_code == 401


def test_bearer_token_and_printed_address_are_accepted(protected: RunningServer) -> None:
    """The address with the token sets a cookie, which later requests use."""
    assert protected.request("/api/engines", headers={"Authorization": f"Bearer {TOKEN}"})[0] == 200
    connection = http.client.HTTPConnection("127.0.0.1", protected.port)
    connection.request("GET", "/?token=a%20secret%3B%20with%20%3D%20odd%20signs")
    response = connection.getresponse()
    assert (response.status, response.getheader("Location")) == (303, "/")
    set_cookie = response.getheader("Set-Cookie") or ""
    connection.close()
    assert "HttpOnly" in set_cookie
    assert "SameSite=Strict" in set_cookie
    cookie = {"Cookie": set_cookie.partition(";")[0]}
    assert protected.request("/api/engines", headers=cookie)[0] == 200
    with protected.open_page(additional_headers=cookie, origin=protected.address) as page:
        assert page.request("pong", type="ping")["type"] == "pong"


def test_every_response_has_security_headers(server: RunningServer) -> None:
    """Successful and failed responses have the security headers."""
    for path in ("/", "/api/engines", "/nothing", "/api/games/a1"):
        headers = server.request(path)[2]
        assert "script-src 'self'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_only_the_embedded_board_may_be_shown_in_a_frame(server: RunningServer) -> None:
    """Other sites can show the board without controls, but not the page, on which clicks could be stolen."""
    for path, ancestors in (("/embed.html", "*"), ("/", "'none'"), ("/index.html", "'none'"), ("/nothing", "'none'")):
        policy = server.request(path)[2]["Content-Security-Policy"]
        assert policy.endswith(f"frame-ancestors {ancestors}")


def test_large_request_is_refused(server: RunningServer) -> None:
    """A body over the limit is refused, with and without a Content-Length header."""
    large = {"text": "x" * 20_000}
    status, body, _ = server.request("/api/import", large)
    assert (status, body["code"], body["params"]) == (413, "too_large", {"limit": 16384})
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    chunks = (b"x" * 1000 for _ in range(40))
    connection.request("POST", "/api/import", chunks, {"Content-Type": "application/json"}, encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()


def test_large_message_closes_only_its_connection(server: RunningServer, page: Page) -> None:
    """The connection that sent it is closed with 1009; others stay open."""
    with server.open_page() as large_page:
        large_page.connection.send("x" * 20_000)
        with pytest.raises(ConnectionClosed) as closed:
            large_page.receive("pong")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
    assert page.request("pong", type="ping")["type"] == "pong"


def test_message_rate_is_limited(tmp_path: Path) -> None:
    """A message over the rate gets an error, and later messages are handled again."""
    limits = Limits(messages_per_s=1, message_burst=5)
    with run_in_thread(Settings(tmp_path / "page.db", limits=limits)) as server, server.open_page() as page:
        for _ in range(6):
            page.send(type="ping")
        received = [page.receive("pong", "error") for _ in range(6)]
        assert [message["type"] for message in received] == ["pong"] * 5 + ["error"]
        assert received[-1]["code"] == "too_fast"
        reply = received[-1]
        while reply["type"] == "error":
            time.sleep(0.5)
            page.send(type="ping")
            reply = page.receive("pong", "error")


def test_flood_of_messages_closes_the_connection(tmp_path: Path) -> None:
    """The connection is closed with 1008 after too many messages over the rate in a row.

    The test sends exactly as many as that. If the server closed a connection with unread messages, the system would
    reset it, and the reason would be lost.
    """
    limits = Limits(messages_per_s=1e-6, message_burst=5, frame_burst=2 * MAX_IGNORED_IN_A_ROW)
    with run_in_thread(Settings(tmp_path / "page.db", limits=limits)) as server, server.open_page() as page:
        for _ in range(limits.message_burst + MAX_IGNORED_IN_A_ROW + 1):
            page.send(type="ping")
        replies = [page.receive("pong", "error")["type"] for _ in range(2 * limits.message_burst)]
        assert replies == ["pong"] * limits.message_burst + ["error"] * limits.message_burst
        with pytest.raises(ConnectionClosed) as closed:
            page.receive("pong", "error")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008


def test_request_rate_and_connections_are_limited(tmp_path: Path) -> None:
    """A request over the rate gets 429; a connection over the limit is closed with 1013."""
    limits = Limits(requests_per_s=0.01, request_burst=3, websockets=1)
    with run_in_thread(Settings(tmp_path / "page.db", limits=limits)) as server:
        assert [server.request("/api/engines")[0] for _ in range(4)] == [200, 200, 200, 429]
        with server.open_page() as page:
            with pytest.raises(ConnectionClosed) as closed, server.open_page():
                pass
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1013
            assert page.request("pong", type="ping")["type"] == "pong"


def test_queries_of_one_client_wait_for_each_other() -> None:
    """A client has few queries in the application at once, so that it cannot fill the queue of the database."""
    running: Counter[str] = Counter()
    largest: Counter[str] = Counter()

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        client = scope["client"][0]
        running[client] += 1
        largest[client] = max(largest[client], running[client])
        await asyncio.sleep(0.01)
        running[client] -= 1
        await Response()(scope, receive, send)

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def ignore(message: Message) -> None:
        """Do nothing with a message of the response."""

    async def run() -> None:
        middleware = AccessMiddleware(answer, None, False, Limits(client_requests=2))
        scope: Scope = {"type": "http", "method": "GET", "path": "/api/games", "headers": [], "query_string": b""}
        clients = ["192.0.2.1"] * 10 + ["192.0.2.2"]
        await asyncio.gather(*(middleware({**scope, "client": (client, 1)}, receive, ignore) for client in clients))

    asyncio.run(run())
    assert largest == {"192.0.2.1": 2, "192.0.2.2": 1}


def test_subscriptions_of_a_connection_are_limited(tmp_path: Path) -> None:
    """The subscription that was used least recently ends; the game can be opened again."""
    with run_in_thread(Settings(tmp_path / "page.db", limits=Limits(games=2))) as server, server.open_page() as page:
        games = [page.request("game", type="new", board="6x7", opponent="level-2")["game"] for _ in range(3)]
        with server.open_page() as other:
            other.send(type="move", game=games[0], ply=0, column=3)
            other.receive_game(2)
            other.send(type="move", game=games[2], ply=0, column=3)
            other.receive_game(2)
        assert page.receive_game(1)["game"] == games[2]
        assert len(page.request("game", type="open", game=games[0])["moves"]) == 2


def test_page_that_does_not_read_is_closed(tmp_path: Path) -> None:
    """A connection with too many unsent messages is closed; other connections are not delayed."""
    limits = Limits(messages_per_s=1e6, message_burst=10**6, frames_per_s=1e6, frame_burst=10**6, unsent_messages=50)
    with run_in_thread(Settings(tmp_path / "page.db", limits=limits)) as server, socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", server.port))
        slow.sendall(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        ping = json.dumps({"type": "ping", "ref": "x" * 64}).encode()
        frame = bytes([0x81, 0x80 | len(ping)]) + bytes(4) + ping
        slow.settimeout(2)
        with pytest.raises(OSError, match=r"reset|pipe|timed out"):
            slow.sendall(frame * 400_000)
        with server.open_page() as page:
            assert page.request("pong", type="ping")["type"] == "pong"
