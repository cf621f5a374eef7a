"""Fixtures: a real server in a thread, and pages that exchange messages with it."""

import asyncio
import json
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message as Headers
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from websockets.sync.client import ClientConnection, connect

from fourfall.web.app import Settings, create_app
from fourfall.web.server import bind_socket, create_config

Message = dict[str, Any]
TIMEOUT_S = 60.0


class Page:
    """Client of a websocket."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self._refs = count()
        self.welcome = self.receive("welcome")

    def send(self, **message: object) -> None:
        """Send a message."""
        self.connection.send(json.dumps(message))

    def receive(self, *types: str, timeout_s: float = TIMEOUT_S) -> Message:
        """Return the next message of one of these types; an error that is not among them fails the test."""
        while True:
            message: Message = json.loads(self.connection.recv(timeout=timeout_s))
            if message["type"] in types:
                return message
            assert message["type"] != "error", message

    def request(self, *types: str, **message: object) -> Message:
        """Send a message and return its reply, of one of these types or an error; skip other messages."""
        ref = message.setdefault("ref", f"request {next(self._refs)}")
        self.send(**message)
        while (reply := self.receive(*types, "error"))["ref"] != ref:
            pass
        return reply

    def receive_game(self, moves: int) -> Message:
        """Wait until a game has this number of moves."""
        while len((game := self.receive("game"))["moves"]) < moves:
            pass
        return game

    def play(self, game: Message, column: int) -> Message:
        """Play a move; return the game after the opponent's reply or after the end."""
        ply = len(game["moves"])
        self.send(type="move", game=game["game"], ply=ply, column=column)
        while True:
            reply = self.receive("game", "error")
            assert reply["type"] == "game", reply
            if len(reply["moves"]) > ply and (reply["status"] == "over" or reply["turn"] == reply["you"]):
                return reply


@dataclass
class RunningServer:
    """A server in a thread of the tests."""

    port: int
    database: Path
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """Address of the page without a path."""
        return f"http://127.0.0.1:{self.port}"

    @contextmanager
    def open_page(self, **options: Any) -> Iterator[Page]:  # noqa: ANN401 (options of connect)
        """Open a websocket."""
        with connect(f"ws://127.0.0.1:{self.port}/ws", **options) as connection:
            yield Page(connection)

    def request(
        self, path: str, body: object = None, *, method: str | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any, Headers]:
        """Send an HTTP request; return the status, the body (parsed if it is JSON) and the headers."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(  # noqa: S310 (the server of the tests)
            self.address + path,
            data=data,
            method=method,
            headers={"Content-Type": "application/json", **self.headers, **(headers or {})},
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:  # noqa: S310
                return response.status, _parse_body(response.read(), response.headers), response.headers
        except urllib.error.HTTPError as error:
            with error:
                return error.code, _parse_body(error.read(), error.headers), error.headers

    def get(self, path: str) -> Any:  # noqa: ANN401 (any JSON)
        """Send a GET request that must succeed; return the body."""
        status, body, _ = self.request(path)
        assert status == 200, body
        return body


def _parse_body(body: bytes, headers: Headers) -> Any:  # noqa: ANN401 (any JSON)
    return (
        json.loads(body) if body and headers.get_content_type() == "application/json" else body.decode(errors="replace")
    )


@contextmanager
def run_in_thread(settings: Settings, port: int = 0) -> Iterator[RunningServer]:
    """Run a server in a thread for the duration of the context."""
    sock: socket.socket = bind_socket("127.0.0.1", port)
    server = uvicorn.Server(create_config(create_app(settings), settings.limits))
    started = threading.Event()

    async def run() -> None:
        task = asyncio.create_task(server.serve(sockets=[sock]))
        while not server.started and not task.done():
            await asyncio.sleep(0.005)
        started.set()
        await task

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    assert started.wait(TIMEOUT_S)
    try:
        yield RunningServer(sock.getsockname()[1], settings.database)
    finally:
        server.should_exit = True
        thread.join(TIMEOUT_S)
        sock.close()
        assert not thread.is_alive()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run a server for all tests of a module."""
    with run_in_thread(Settings(tmp_path_factory.mktemp("page") / "page.db")) as running:
        yield running


@pytest.fixture
def page(server: RunningServer) -> Iterator[Page]:
    """Open a page of the module's server."""
    with server.open_page() as page:
        yield page


StartGame = Callable[..., Message]


@pytest.fixture
def start_game(page: Page) -> StartGame:
    """Return a function that starts a game, by default against level-1 on the 6x7 board."""

    def start(**options: object) -> Message:
        fields: dict[str, object] = {"board": "6x7", "opponent": "level-1", "side": "first", **options}
        game = page.request("game", type="new", **fields)
        while game["type"] == "game" and game["thinking"]:
            game = page.receive("game")
        return game

    return start
