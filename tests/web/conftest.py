"""Owns real servers for the tests, and pages that talk to them."""

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
from fourfall.web.server import bound_socket, configuration

Message = dict[str, Any]
WAIT_S = 20.0


class Page:
    """The other end of a websocket."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self._refs = count()
        self.welcome = self.hear("welcome")

    def say(self, **message: object) -> None:
        """Send a message."""
        self.connection.send(json.dumps(message))

    def hear(self, *types: str, wait_s: float = WAIT_S) -> Message:
        """Wait for the next message of these types."""
        while True:
            message: Message = json.loads(self.connection.recv(timeout=wait_s))
            if message["type"] in types:
                return message
            assert message["type"] != "error", message

    def ask(self, *types: str, **message: object) -> Message:
        """Send a message and wait for its answer, of these types or an error; other messages are passed over."""
        ref = message.setdefault("ref", f"ask {next(self._refs)}")
        self.say(**message)
        while (answer := self.hear(*types, "error"))["ref"] != ref:
            pass
        return answer

    def hear_turn(self, moves: int) -> Message:
        """Wait until a game has so many moves."""
        while len((game := self.hear("game"))["moves"]) < moves:
            pass
        return game

    def play(self, game: Message, column: int) -> Message:
        """Make a move and wait for the opponent's, unless the game ends."""
        ply = len(game["moves"])
        self.say(type="move", game=game["game"], ply=ply, column=column)
        while True:
            answer = self.hear("game", "error")
            assert answer["type"] == "game", answer
            if len(answer["moves"]) > ply and (answer["status"] == "over" or answer["turn"] == answer["you"]):
                return answer


@dataclass
class Served:
    """A server in a thread of the tests."""

    port: int
    database: Path
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    @contextmanager
    def page(self, **options: Any) -> Iterator[Page]:  # noqa: ANN401 (what connect takes)
        """Open a page."""
        with connect(f"ws://127.0.0.1:{self.port}/ws", **options) as connection:
            yield Page(connection)

    def request(
        self, path: str, body: object = None, *, method: str | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any, Headers]:
        """Ask over HTTP: the status, the body (as JSON where it is), the headers."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(  # noqa: S310 (our own server)
            self.address + path,
            data=data,
            method=method,
            headers={"Content-Type": "application/json", **self.headers, **(headers or {})},
        )
        try:
            with urllib.request.urlopen(request, timeout=WAIT_S) as answer:  # noqa: S310
                return answer.status, _read(answer.read(), answer.headers), answer.headers
        except urllib.error.HTTPError as error:
            with error:
                return error.code, _read(error.read(), error.headers), error.headers

    def get(self, path: str) -> Any:  # noqa: ANN401 (any JSON)
        """Get something that is there."""
        status, body, _ = self.request(path)
        assert status == 200, body
        return body


def _read(body: bytes, headers: Headers) -> Any:  # noqa: ANN401 (any JSON)
    return json.loads(body) if body and headers.get_content_type() == "application/json" else body.decode()


@contextmanager
def serving(settings: Settings, port: int = 0) -> Iterator[Served]:
    """Run a server in a thread until the context is left."""
    sock: socket.socket = bound_socket("127.0.0.1", port)
    server = uvicorn.Server(configuration(create_app(settings), settings.limits))
    started = threading.Event()

    async def run() -> None:
        task = asyncio.create_task(server.serve(sockets=[sock]))
        while not server.started and not task.done():
            await asyncio.sleep(0.005)
        started.set()
        await task

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    assert started.wait(WAIT_S)
    try:
        yield Served(sock.getsockname()[1], settings.database)
    finally:
        server.should_exit = True
        thread.join(WAIT_S)
        sock.close()
        assert not thread.is_alive()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve all tests of a module."""
    with serving(Settings(tmp_path_factory.mktemp("page") / "page.db")) as served:
        yield served


@pytest.fixture
def page(server: Served) -> Iterator[Page]:
    """Open a page of the module's server."""
    with server.page() as page:
        yield page


Begin = Callable[..., Message]


@pytest.fixture
def begin(page: Page) -> Begin:
    """Begin a game against the weakest level, on the classic board unless told otherwise."""

    def new(**options: object) -> Message:
        conditions: dict[str, object] = {"board": "6x7", "opponent": "level-1", "side": "first", **options}
        game = page.ask("game", type="new", **conditions)
        while game["type"] == "game" and game["thinking"]:
            game = page.hear("game")
        return game

    return new
