"""Attacks on the web server for `server_load.py`: run from addresses of their own beside honest players."""

import asyncio
import contextlib
import json
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, WebSocketException

HANDSHAKE = (
    "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer {token}\r\n\r\n"
)
PAUSE_S = 0.01
ERRORS = (OSError, asyncio.IncompleteReadError, WebSocketException, InvalidHandshake, TimeoutError)


@dataclass
class Attacker:
    """One attacking client: the server, the token (known to attackers that log in), and what happened."""

    address: str  # of the websocket
    token: str
    source: str
    until: float
    counts: Counter[str]

    @property
    def target(self) -> tuple[str, int]:
        """Host and port of the server."""
        parts = urlsplit(self.address)
        return parts.hostname or "", parts.port or 80

    async def open_stream(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a connection from the attacker's address."""
        self.counts["connections"] += 1
        return await asyncio.open_connection(*self.target, local_addr=(self.source, 0))

    async def open_websocket_stream(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a websocket of which the attacker writes the bytes."""
        reader, writer = await self.open_stream()
        writer.write(HANDSHAKE.format(token=self.token).encode())
        await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
        return reader, writer

    async def repeat(self, attack: "Attack", name: str) -> None:
        """Repeat an attack until the time is over; a refused or closed connection is what the server should do."""
        while time.monotonic() < self.until:
            try:
                async with asyncio.timeout(max(0.1, self.until - time.monotonic())):
                    await attack(self)
                self.counts[name] += 1
            except ERRORS:
                self.counts[f"{name}: refused"] += 1
            await asyncio.sleep(PAUSE_S)


Attack = Callable[[Attacker], Awaitable[None]]


async def send_headers_slowly(attacker: Attacker) -> None:
    """Send one header byte per second, so that the request never ends."""
    _, writer = await attacker.open_stream()
    with contextlib.closing(writer):
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        while not writer.is_closing():
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(1)


async def send_body_slowly(attacker: Attacker) -> None:
    """Announce a body and send one byte per second."""
    _, writer = await attacker.open_stream()
    with contextlib.closing(writer):
        writer.write(
            b"POST /api/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + f"Content-Length: 9999\r\nAuthorization: Bearer {attacker.token}\r\n\r\n".encode()
        )
        while not writer.is_closing():
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(1)


async def guess_token(attacker: Attacker) -> None:
    """Try a random token over HTTP and over a websocket."""
    guess = f"{random.getrandbits(100):025x}"
    reader, writer = await attacker.open_stream()
    with contextlib.closing(writer):
        writer.write(f"GET /api/engines?token={guess} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        status = (await asyncio.wait_for(reader.readline(), 10)).split()[1:2]
    attacker.counts[f"guess: HTTP {b''.join(status).decode() or 'closed'}"] += 1
    await connect(f"{attacker.address}?token={guess}", local_addr=(attacker.source, 0)).__aenter__()


async def flood_connections(attacker: Attacker) -> None:
    """Open connections as fast as possible and leave them open."""
    opened = [await attacker.open_stream() for _ in range(50)]
    for _, writer in opened:
        writer.write(b"GET /" + b"x" * 20_000)
    await asyncio.sleep(1)
    for _, writer in opened:
        writer.close()


async def flood_requests(attacker: Attacker) -> None:
    """Send many expensive requests in one connection without waiting for the responses."""
    reader, writer = await attacker.open_stream()
    request = f"GET /api/games?limit=200 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {attacker.token}\r\n\r\n"
    with contextlib.closing(writer):
        writer.write(request.encode() * 200)
        while await asyncio.wait_for(reader.read(65536), 10):
            pass


async def flood_pings(attacker: Attacker) -> None:
    """Send ping frames as fast as possible and never read the pongs."""
    _, writer = await attacker.open_websocket_stream()
    with contextlib.closing(writer):
        while not writer.is_closing():
            writer.write((b"\x89\xfd" + bytes(4 + 125)) * 100)
            await writer.drain()


async def send_large_messages(attacker: Attacker) -> None:
    """Send messages of a megabyte."""
    _, writer = await attacker.open_websocket_stream()
    with contextlib.closing(writer):
        while not writer.is_closing():
            writer.write(b"\x81\xff" + (1 << 20).to_bytes(8, "big") + bytes(4) + b"x" * (1 << 20))
            await writer.drain()


async def occupy_threads(attacker: Attacker) -> None:
    """Start eight games with the longest time per move, an analysis and a review; then leave without a word."""
    headers = {"Authorization": f"Bearer {attacker.token}"}
    attacker.counts["connections"] += 1
    async with connect(attacker.address, additional_headers=headers, local_addr=(attacker.source, 0)) as socket:
        new = {"type": "new", "opponent": "fourfall", "side": "second", "move_time_s": 30}
        review = {"type": "review", "position": "9x9@4,4:123456789123456789", "move_time_s": 2}
        for message in [*[new] * 8, {"type": "analyse", "position": "9x9@4,4"}, review]:
            await socket.send(json.dumps(message))
        await asyncio.sleep(5)


ATTACKS: dict[str, tuple[Attack, int]] = {
    "slow headers": (send_headers_slowly, 60),
    "slow bodies": (send_body_slowly, 30),
    "token guesses": (guess_token, 4),
    "connection flood": (flood_connections, 2),
    "request flood": (flood_requests, 4),
    "ping flood": (flood_pings, 4),
    "large messages": (send_large_messages, 2),
    "occupied threads": (occupy_threads, 16),
}
"""The attacks, and how many connections carry out each at the same time."""


async def attack_server(address: str, token: str, until: float) -> Counter[str]:
    """Carry out all attacks until a time, each from its own address; return what happened how often."""
    counts: Counter[str] = Counter()
    async with asyncio.TaskGroup() as group:
        for number, (name, (attack, connections)) in enumerate(ATTACKS.items(), 1):
            attacker = Attacker(address, token, f"127.66.0.{number}", until, counts)
            for _ in range(connections):
                group.create_task(attacker.repeat(attack, name))
    return counts
