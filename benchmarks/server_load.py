"""Measures the web server under load: many open games, several analyses, and the time of every opponent's move.

python -m benchmarks.server_load [--minutes 10] [--games 100] [--analyses 20] [--pause 8] [--attack]
python -m benchmarks.server_load --short

Every simulated page has an address of its own (127.1.x.y), because the server limits what one address may do. With
--attack, another process attacks the server meanwhile in the ways that attacks.py lists.

Exit code 1 if a move came later than its time + 0.5 s, if an error message was received, or, in the long form, if
the server's memory grew by more than 30 MB. The short form loads the server for 8 seconds, up to three times: one of
the attempts must have no late move.
"""

import argparse
import asyncio
import json
import os
import random
import re
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import Process, Queue
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.attacks import attack_server

TOLERANCE_S = 0.5
LEVEL_TIME_S = 5.0  # time allowed for a level; its simulations need far less
MAX_GROWTH_MB = 30
SHORT_S, SHORT_PAUSE_S, SHORT_ATTEMPTS = 8.0, 5.0, 3
OPPONENTS: tuple[dict[str, Any], ...] = (
    {"opponent": "level-4"},
    {"opponent": "level-50"},
    {"opponent": "level-70"},
    {"opponent": "level-90"},
    {"opponent": "fourfall", "move_time_s": 0.5},
)


@dataclass
class Measurements:
    """Measurements of one load."""

    moves: list[tuple[float, float]] = field(default_factory=list)  # of opponents: (seconds taken, seconds allowed)
    analyses: int = 0
    queued: int = 0
    games: int = 0
    errors: list[str] = field(default_factory=list)
    connections: int = 0
    attacks: Counter[str] = field(default_factory=Counter)
    memory_mb: list[float] = field(default_factory=list)
    stall_s: float = 0.0  # maximum delay of a thread that only sleeps: the part of the lateness caused by the machine

    @property
    def late(self) -> list[tuple[float, float]]:
        """The moves that came too late."""
        return [(took, allowed) for took, allowed in self.moves if took > allowed + TOLERANCE_S]

    @property
    def growth_mb(self) -> float:
        """Mean memory in the last third of the time minus mean memory in the second third."""
        third = len(self.memory_mb) // 3
        if third == 0:
            return 0.0
        return statistics.mean(self.memory_mb[-third:]) - statistics.mean(self.memory_mb[third : 2 * third])

    def __str__(self) -> str:
        took = sorted(took for took, _ in self.moves) or [0.0]
        memory = f"{self.memory_mb[0]:.0f} to {max(self.memory_mb):.0f} MB, growth {self.growth_mb:+.1f}"
        attacks = "".join(f"\n  {name}: {count}" for name, count in sorted(self.attacks.items()))
        lateness = sorted(took - allowed for took, allowed in self.moves) or [0.0]
        return (
            f"{self.connections} connections; {len(self.moves)} moves in {self.games} games: "
            f"median {statistics.median(took):.3f} s, 99 % within {took[int(0.99 * (len(took) - 1))]:.3f} s, "
            f"at most {took[-1]:.3f} s; relative to the time allowed: median {statistics.median(lateness):+.3f} s, "
            f"99 % within {lateness[int(0.99 * (len(lateness) - 1))]:+.3f} s, at most {lateness[-1]:+.3f} s; "
            f"{len(self.late)} late; {self.analyses} analysis messages, {self.queued} times queued; memory {memory}; "
            f"{len(self.errors)} errors {self.errors[:3]}; maximum delay of a sleeping thread {self.stall_s:.3f} s"
            f"{attacks}"
        )


@dataclass(frozen=True)
class LoadedServer:
    """A server in another process: address of its websocket, token and process id."""

    address: str
    token: str
    pid: int

    @property
    def headers(self) -> dict[str, str]:
        """Headers of an honest page."""
        return {"Authorization": f"Bearer {self.token}"}


def connect_page(server: LoadedServer, number: int) -> connect:
    """Return a connection of a simulated page, which has an address of its own."""
    source = f"127.1.{number // 250}.{number % 250 + 1}"
    return connect(server.address, additional_headers=server.headers, local_addr=(source, 0))


async def play_games(
    server: LoadedServer, number: int, until: float, pause_s: float, measurements: Measurements
) -> None:
    """Simulate a person who plays one game after another with random moves and a pause before each move."""
    rng = random.Random(number)  # noqa: S311
    async with connect_page(server, number) as socket:
        measurements.connections += 1
        conditions = OPPONENTS[number % len(OPPONENTS)]
        allowed = conditions.get("move_time_s", LEVEL_TIME_S)
        while time.monotonic() < until:
            measurements.games += 1
            side = rng.choice(["first", "second"])
            await _send(socket, type="new", board="random", side=side, **conditions)
            game = await _wait_for_turn(socket, 0, measurements)
            while game is not None and game["status"] == "playing" and time.monotonic() < until:
                await asyncio.sleep(rng.uniform(0.5, 1.5) * pause_s)
                sent_at = time.monotonic()
                column = rng.randrange(int(game["start"].partition("x")[2].partition("@")[0].partition(":")[0]))
                ply = len(game["moves"])
                await _send(socket, type="move", game=game["game"], ply=ply, column=column)
                after = await _wait_for_turn(socket, ply + 1, measurements)
                if after is not None and len(after["moves"]) > ply + 1:
                    measurements.moves.append((time.monotonic() - sent_at, allowed))
                game = after or game


async def _wait_for_turn(socket: ClientConnection, min_moves: int, measurements: Measurements) -> dict[str, Any] | None:
    """Wait until it is the person's turn or the game is over; return None if the move was rejected.

    Messages about the game with fewer than `min_moves` moves are outdated and are skipped.
    """
    while True:
        message = json.loads(await socket.recv())
        if message["type"] == "game" and len(message["moves"]) < min_moves:
            continue
        if message["type"] == "game" and (message["status"] == "over" or message["turn"] == message["you"]):
            return dict(message)
        if message["type"] == "error":
            if message["code"] != "column_full":
                measurements.errors.append(message["message"])
            return None


async def analyse(server: LoadedServer, number: int, until: float, measurements: Measurements) -> None:
    """Simulate a page that analyses one position after another."""
    rng = random.Random(number)  # noqa: S311
    async with connect_page(server, number) as socket:
        measurements.connections += 1
        while time.monotonic() < until:
            moves = "".join(rng.choice("123456789") for _ in range(rng.randrange(6)))
            await _send(socket, type="analyse", position=f"9x9@4,4:{moves}", key=str(number))
            end = time.monotonic() + rng.uniform(3, 12)
            while time.monotonic() < end:
                try:
                    message = json.loads(await asyncio.wait_for(socket.recv(), 1.0))
                except TimeoutError:
                    continue
                measurements.analyses += message["type"] == "analysis"
                measurements.queued += message["type"] == "queued"
                if message["type"] == "error":
                    measurements.errors.append(message["message"])


async def _send(socket: ClientConnection, **message: object) -> None:
    await socket.send(json.dumps(message))


async def record_memory(pid: int, until: float, measurements: Measurements) -> None:
    """Record the server's resident memory every second."""
    while time.monotonic() < until:
        status = Path(f"/proc/{pid}/status").read_text()
        resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        measurements.memory_mb.append(int(resident.split()[1]) / 1024)
        await asyncio.sleep(1)


def record_stalls(until: float, measurements: Measurements) -> None:
    """Record the maximum delay with which the system wakes up a sleeping thread."""
    while (now := time.monotonic()) < until:
        time.sleep(0.01)
        measurements.stall_s = max(measurements.stall_s, time.monotonic() - now - 0.01)


async def load_server(server: LoadedServer, seconds: float, games: int, analyses: int, pause_s: float) -> Measurements:
    """Load a server for some seconds and return the measurements."""
    measurements, until = Measurements(), time.monotonic() + seconds
    await asyncio.gather(
        record_memory(server.pid, until, measurements),
        asyncio.to_thread(record_stalls, until, measurements),
        *(play_games(server, number, until, pause_s, measurements) for number in range(games)),
        *(analyse(server, 1000 + number, until, measurements) for number in range(analyses)),
    )
    return measurements


@contextmanager
def run_server(database: Path) -> Iterator[LoadedServer]:
    """Start a server in another process. Its log goes to a file, whose size is printed at the end."""
    command = [str(Path(sys.executable).with_name("fourfall")), "serve", "--port", "0", "--no-browser"]
    environment = {**os.environ, "FOURFALL_TOKEN": secrets.token_urlsafe()}
    with (
        database.with_suffix(".log").open("w+") as log,
        subprocess.Popen(
            [*command, "--db", str(database)], stdout=subprocess.PIPE, stderr=log, text=True, env=environment
        ) as server,
    ):
        assert server.stdout is not None
        try:
            line = server.stdout.readline()
            url = re.search(r"http(://[^\s/]+/)", line)
            assert url is not None, f"no address in {line!r}"
            yield LoadedServer(f"ws{url[1]}ws", environment["FOURFALL_TOKEN"], server.pid)
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(timeout=10)
            log.seek(0)
            lines = log.read().splitlines()
            print(f"log of the server: {len(lines)} lines", *lines[:5], sep="\n  ")


def run_attacks(address: str, token: str, seconds: float, result: "Queue[Counter[str]]") -> None:
    """Attack a server for some seconds; runs in a process of its own."""
    result.put(asyncio.run(attack_server(address, token, time.monotonic() + seconds)))


def measure(seconds: float, games: int, analyses: int, pause_s: float, *, is_attacked: bool = False) -> Measurements:
    """Start a server, load it, and print the measurements."""
    with tempfile.TemporaryDirectory() as folder, run_server(Path(folder) / "load.db") as server:
        result: Queue[Counter[str]] = Queue()
        attacker = Process(target=run_attacks, args=(server.address, server.token, seconds, result))
        if is_attacked:
            attacker.start()
        measurements = asyncio.run(load_server(server, seconds, games, analyses, pause_s))
        if is_attacked:
            measurements.attacks = result.get(timeout=60)
            attacker.join()
    print(measurements, flush=True)
    return measurements


def run_short() -> bool:
    """Load a server for a few seconds; return whether it passed.

    Other programs may use the machine for a moment, so one of three attempts must have no late move. In every attempt
    there must be no errors and a minimum number of moves, analyses and queued analyses.
    """
    for _ in range(SHORT_ATTEMPTS):
        result = measure(SHORT_S, games=100, analyses=20, pause_s=SHORT_PAUSE_S)
        if result.errors or len(result.moves) <= 100 or result.analyses <= 20 or result.queued <= 20:
            return False
        if not result.late:
            return True
    return False


def main() -> int:
    """Run the short or the long form; return 1 if the server failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="load the server for 8 seconds, up to three times")
    parser.add_argument("--minutes", type=float, default=10.0, help="duration in minutes")
    parser.add_argument("--games", type=int, default=100, help="games open at the same time")
    parser.add_argument("--analyses", type=int, default=20, help="analyses at the same time")
    parser.add_argument("--pause", type=float, default=8.0, help="mean pause of a player before each move, in seconds")
    parser.add_argument("--attack", action="store_true", help="attack the server from other addresses meanwhile")
    options = parser.parse_args()
    if options.short:
        return int(not run_short())
    seconds = 60 * options.minutes
    result = measure(seconds, options.games, options.analyses, options.pause, is_attacked=options.attack)
    return int(bool(result.late or result.errors) or result.growth_mb > MAX_GROWTH_MB)


if __name__ == "__main__":
    sys.exit(main())
