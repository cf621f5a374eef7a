"""Measures the web server under load: many open games, several analyses, and the time of every opponent's move.

python benchmarks/server_load.py [--minutes 10] [--games 100] [--analyses 20] [--pause 8]
python benchmarks/server_load.py --short

Exit code 1 if a move came later than its time + 0.5 s, if an error message was received, or, in the long form, if
the server's memory grew by more than 30 MB. The short form loads the server for 8 seconds, up to three times: one of
the attempts must have no late move.
"""

import argparse
import asyncio
import json
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

TOLERANCE_S = 0.5
LEVEL_TIME_S = 5.0  # time allowed for a level; its simulations need far less
MAX_GROWTH_MB = 30
SHORT_S, SHORT_PAUSE_S, SHORT_ATTEMPTS = 8.0, 5.0, 3
OPPONENTS: tuple[dict[str, Any], ...] = (
    {"opponent": "level-2"},
    {"opponent": "level-5"},
    {"opponent": "level-7"},
    {"opponent": "level-9"},
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
        excess = max((took - allowed for took, allowed in self.moves), default=0.0)
        memory = f"{self.memory_mb[0]:.0f} to {max(self.memory_mb):.0f} MB, growth {self.growth_mb:+.1f}"
        return (
            f"{len(self.moves)} moves in {self.games} games: median {statistics.median(took):.3f} s, 99 % within "
            f"{took[int(0.99 * (len(took) - 1))]:.3f} s, at most {took[-1]:.3f} s; "
            f"relative to the time allowed at most {excess:+.3f} s; "
            f"{len(self.late)} late; {self.analyses} analysis messages, {self.queued} times queued; memory {memory}; "
            f"{len(self.errors)} errors {self.errors[:3]}; maximum delay of a sleeping thread {self.stall_s:.3f} s"
        )


async def play_games(address: str, number: int, until: float, pause_s: float, measurements: Measurements) -> None:
    """Simulate a person who plays one game after another with random moves and a pause before each move."""
    rng = random.Random(number)  # noqa: S311
    async with connect(address) as socket:
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


async def analyse(address: str, number: int, until: float, measurements: Measurements) -> None:
    """Simulate a page that analyses one position after another."""
    rng = random.Random(number)  # noqa: S311
    async with connect(address) as socket:
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


async def load_server(
    address: str, pid: int, seconds: float, games: int, analyses: int, pause_s: float
) -> Measurements:
    """Load a server for some seconds and return the measurements."""
    measurements, until = Measurements(), time.monotonic() + seconds
    await asyncio.gather(
        record_memory(pid, until, measurements),
        asyncio.to_thread(record_stalls, until, measurements),
        *(play_games(address, number, until, pause_s, measurements) for number in range(games)),
        *(analyse(address, 1000 + number, until, measurements) for number in range(analyses)),
    )
    return measurements


@contextmanager
def run_server(database: Path) -> Iterator[tuple[str, int]]:
    """Start a server in another process; yield the address of its websocket and the process id."""
    command = [str(Path(sys.executable).with_name("fourfall")), "serve", "--port", "0", "--no-browser"]
    with subprocess.Popen([*command, "--db", str(database)], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            line = server.stdout.readline()
            url = re.search(r"http(://[^\s/]+/)", line)
            assert url is not None, f"no address in {line!r}"
            yield f"ws{url[1]}ws", server.pid
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(timeout=10)


def measure(seconds: float, games: int, analyses: int, pause_s: float) -> Measurements:
    """Start a server, load it, and print the measurements."""
    with tempfile.TemporaryDirectory() as folder, run_server(Path(folder) / "load.db") as (address, pid):
        measurements = asyncio.run(load_server(address, pid, seconds, games, analyses, pause_s))
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
    options = parser.parse_args()
    if options.short:
        return int(not run_short())
    result = measure(60 * options.minutes, options.games, options.analyses, options.pause)
    return int(bool(result.late or result.errors) or result.growth_mb > MAX_GROWTH_MB)


if __name__ == "__main__":
    sys.exit(main())
