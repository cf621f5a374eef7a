"""Owns the tests of who may use the server, how much, and what the browser is told."""

import http.client
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from fourfall.web.app import Settings
from fourfall.web.limits import Limits
from tests.web.conftest import Page, Served, serving

TOKEN = "a secret; with = odd signs"  # noqa: S105


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve as for other machines: with a token, under any name."""
    settings = Settings(tmp_path_factory.mktemp("guarded") / "page.db", token=TOKEN, local=False)
    with serving(settings) as served:
        yield served


@pytest.mark.parametrize("host", ["evil.example", "evil.example:4444", "127.0.0.1.evil.example", "", "[::2]:80"])
def test_a_foreign_name_for_this_machine_is_refused(server: Served, host: str) -> None:
    """A site that rebinds its name to this machine gets nothing, over HTTP or websocket."""
    status, body, _ = server.request("/api/engines", headers={"Host": host})
    assert (status, body["code"]) == (403, "forbidden")


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:9", "[::1]:4444", "LOCALHOST:80"])
def test_the_names_of_this_machine_are_answered(server: Served, host: str) -> None:
    """Whatever port a tunnel shows."""
    assert server.request("/api/engines", headers={"Host": host})[0] == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "http://localhost"])
def test_a_foreign_origin_is_refused(server: Served, origin: str) -> None:
    """Pages of other sites can neither open a websocket nor begin a match."""
    with pytest.raises(InvalidStatus) as refused, server.page(origin=origin):
        pass
    assert refused.value.response.status_code == 403
    status, body, _ = server.request("/api/matches", {"a": "level-1", "b": "level-2"}, headers={"Origin": origin})
    assert (status, body["code"]) == (403, "forbidden")


def test_the_page_itself_may(server: Served) -> None:
    """The same origin opens a websocket."""
    with server.page(origin=server.address) as page:
        assert page.ask("pong", type="ping")["type"] == "pong"


def test_with_a_token_nothing_is_answered_without_it(guarded: Served) -> None:
    """API, files and websocket ask for it; a wrong one is none."""
    for path in ("/", "/api/engines", "/api/openapi.json", "/nothing"):
        assert guarded.request(path)[0] == 401
        assert guarded.request(path, headers={"Authorization": "Bearer wrong"})[0] == 401
        assert guarded.request(path, headers={"Cookie": "fourfall_token=wrong"})[0] == 401
    for options in ({}, {"additional_headers": {"Authorization": "Bearer no"}}):
        with pytest.raises(InvalidStatus), guarded.page(**options):
            pass


def test_a_bearer_and_the_printed_address_open_the_door(guarded: Served) -> None:
    """The address leaves the token in a cookie, which is all that the page needs from then on."""
    assert guarded.request("/api/engines", headers={"Authorization": f"Bearer {TOKEN}"})[0] == 200
    connection = http.client.HTTPConnection("127.0.0.1", guarded.port)
    connection.request("GET", "/?token=a%20secret%3B%20with%20%3D%20odd%20signs")
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Location")) == (303, "/")
    set_cookie = answer.getheader("Set-Cookie") or ""
    connection.close()
    assert "HttpOnly" in set_cookie
    assert "SameSite=Strict" in set_cookie
    cookie = {"Cookie": set_cookie.partition(";")[0]}
    assert guarded.request("/api/engines", headers=cookie)[0] == 200
    with guarded.page(additional_headers=cookie, origin=guarded.address) as page:
        assert page.ask("pong", type="ping")["type"] == "pong"


def test_every_answer_protects_the_page(server: Served) -> None:
    """Good and bad answers alike say what a browser may do with them."""
    for path in ("/", "/api/engines", "/nothing", "/api/games/a1"):
        headers = server.request(path)[2]
        assert "script-src 'self'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_too_large_a_request_is_refused(server: Served) -> None:
    """A body over the limit, announced or not, is not read to its end."""
    large = {"text": "x" * 20_000}
    status, body, _ = server.request("/api/read", large)
    assert (status, body["code"]) == (413, "too_large")
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    chunks = (b"x" * 1000 for _ in range(40))
    connection.request("POST", "/api/read", chunks, {"Content-Type": "application/json"}, encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()


def test_too_large_a_message_ends_the_connection_and_nobody_elses(server: Served, page: Page) -> None:
    """The page that sent it is closed with 1009; others go on."""
    with server.page() as greedy:
        greedy.connection.send("x" * 20_000)
        with pytest.raises(ConnectionClosed) as closed:
            greedy.hear("pong")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
    assert page.ask("pong", type="ping")["type"] == "pong"


def flood(page: Page) -> None:
    """Send far more than anybody may, and wait for what comes of it."""
    for _ in range(5000):
        page.say(type="ping")
    while True:
        page.hear("pong", "error")


def test_too_many_messages_are_not_looked_at(tmp_path: Path) -> None:
    """Over the rate a message gets an error; later ones are answered again; a flood ends the connection."""
    limits = Limits(messages_per_s=20, message_burst=5)
    with serving(Settings(tmp_path / "page.db", limits=limits)) as server, server.page() as page:
        for _ in range(6):
            page.say(type="ping")
        heard = [page.hear("pong", "error") for _ in range(6)]
        assert [message["type"] for message in heard] == ["pong"] * 5 + ["error"]
        assert heard[-1]["code"] == "too_fast"
        time.sleep(0.2)
        assert page.ask("pong", type="ping")["type"] == "pong"
        with pytest.raises(ConnectionClosed) as closed:
            flood(page)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008


def test_too_many_requests_and_connections_are_refused(tmp_path: Path) -> None:
    """Over the rate HTTP answers 429; one connection too many is told to come back later."""
    limits = Limits(requests_per_s=1, request_burst=3, connections=1)
    with serving(Settings(tmp_path / "page.db", limits=limits)) as server:
        assert [server.request("/api/engines")[0] for _ in range(4)] == [200, 200, 200, 429]
        with server.page() as page:
            with pytest.raises(ConnectionClosed) as closed, server.page():
                pass
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1013
            assert page.ask("pong", type="ping")["type"] == "pong"


def test_only_so_many_games_are_listened_to(tmp_path: Path) -> None:
    """The game that was opened first is left when there are too many; it can be opened again."""
    with serving(Settings(tmp_path / "page.db", limits=Limits(games=2))) as server, server.page() as page:
        games = [page.ask("game", type="new", board="6x7", opponent="level-1")["game"] for _ in range(3)]
        with server.page() as other:
            other.say(type="move", game=games[0], ply=0, column=3)
            other.hear_turn(2)
            other.say(type="move", game=games[2], ply=0, column=3)
            other.hear_turn(2)
        assert page.hear_turn(1)["game"] == games[2]
        assert len(page.ask("game", type="open", game=games[0])["moves"]) == 2


def test_a_page_that_does_not_read_is_closed_and_holds_up_nobody(tmp_path: Path) -> None:
    """A connection whose messages pile up is ended; the server's memory does not hold them for ever."""
    limits = Limits(messages_per_s=1e6, message_burst=10**6, unsent_messages=50)
    with serving(Settings(tmp_path / "page.db", limits=limits)) as server, socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", server.port))
        deaf.sendall(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        ping = json.dumps({"type": "ping", "ref": "x" * 64}).encode()
        frame = bytes([0x81, 0x80 | len(ping)]) + bytes(4) + ping
        deaf.settimeout(2)
        with pytest.raises(OSError, match=r"reset|pipe|timed out"):
            deaf.sendall(frame * 400_000)
        with server.page() as page:
            assert page.ask("pong", type="ping")["type"] == "pong"
