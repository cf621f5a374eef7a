"""Measure the page under load: many open games, some pages analysing, every opponent's answer on the clock.

Run as ``python benchmarks/soak.py [--minutes 10] [--games 100] [--analysing 20]``; fails where an answer came later
than its time + 0.5 s, or where the server's memory grew.
"""

import argparse
import asyncio
import json
import random
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

LATE_S = 0.5
LEVEL_S = 5.0  # what a level may take; its simulations need far less
OPPONENTS: tuple[dict[str, Any], ...] = (
    {"opponent": "level-2"},
    {"opponent": "level-5"},
    {"opponent": "level-7"},
    {"opponent": "level-9"},
    {"opponent": "fourfall", "time_s": 0.5},
)


@dataclass
class Figures:
    """What was measured: for every answer how long it took and how long it was allowed to take."""

    answers: list[tuple[float, float]] = field(default_factory=list)
    analyses: int = 0
    queued: int = 0
    games: int = 0
    errors: list[str] = field(default_factory=list)
    memory_mb: list[float] = field(default_factory=list)
    stall_s: float = 0.0  # how late somebody woke up who only slept: what the machine itself cannot do better

    @property
    def late(self) -> list[tuple[float, float]]:
        """The answers that came too late."""
        return [(took, allowed) for took, allowed in self.answers if took > allowed + LATE_S]

    @property
    def growth_mb(self) -> float:
        """How much more memory the last third needed than the second one."""
        third = len(self.memory_mb) // 3
        if third == 0:
            return 0.0
        return statistics.mean(self.memory_mb[-third:]) - statistics.mean(self.memory_mb[third : 2 * third])

    def __str__(self) -> str:
        took = sorted(took for took, _ in self.answers) or [0.0]
        excess = max((took - allowed for took, allowed in self.answers), default=0.0)
        memory = f"{self.memory_mb[0]:.0f} to {max(self.memory_mb):.0f} MB, growth {self.growth_mb:+.1f}"
        return (
            f"{len(self.answers)} answers in {self.games} games: median {statistics.median(took):.3f} s, 99 % within "
            f"{took[int(0.99 * (len(took) - 1))]:.3f} s, at most {took[-1]:.3f} s, {excess:+.3f} s against the time; "
            f"{len(self.late)} late; {self.analyses} analyses told, {self.queued} times queued; memory {memory}; "
            f"{len(self.errors)} errors {self.errors[:3]}; the machine stalled for up to {self.stall_s:.3f} s"
        )


async def play(address: str, number: int, until: float, pause_s: float, figures: Figures) -> None:
    """Be a person who plays one game after another, at random, and thinks a while before each move."""
    rng = random.Random(number)  # noqa: S311 (no secret)
    async with connect(address) as socket:
        conditions = OPPONENTS[number % len(OPPONENTS)]
        allowed = conditions.get("time_s", LEVEL_S)
        while time.monotonic() < until:
            figures.games += 1
            side = rng.choice(["first", "second"])
            await _send(socket, type="new", board="random", side=side, **conditions)
            game = await _next_turn(socket, 0, figures)
            while game is not None and game["status"] == "playing" and time.monotonic() < until:
                await asyncio.sleep(rng.uniform(0.5, 1.5) * pause_s)
                asked = time.monotonic()
                column = rng.randrange(int(game["start"].partition("x")[2].partition("@")[0].partition(":")[0]))
                ply = len(game["moves"])
                await _send(socket, type="move", game=game["game"], ply=ply, column=column)
                answered = await _next_turn(socket, ply + 1, figures)
                if answered is not None and len(answered["moves"]) > ply + 1:
                    figures.answers.append((time.monotonic() - asked, allowed))
                game = answered or game


async def _next_turn(socket: ClientConnection, least: int, figures: Figures) -> dict[str, Any] | None:
    """Wait until it is the person's turn again, or the game is over; None where the move was none.

    `least` is how many moves the game has by now: fewer are yesterday's news.
    """
    while True:
        message = json.loads(await socket.recv())
        if message["type"] == "game" and len(message["moves"]) < least:
            continue
        if message["type"] == "game" and (message["status"] == "over" or message["turn"] == message["you"]):
            return dict(message)
        if message["type"] == "error":
            if message["code"] != "column_full":
                figures.errors.append(message["message"])
            return None


async def analyse(address: str, number: int, until: float, figures: Figures) -> None:
    """Be a page that looks at one position after another."""
    rng = random.Random(number)  # noqa: S311 (no secret)
    async with connect(address) as socket:
        while time.monotonic() < until:
            moves = "".join(rng.choice("123456789") for _ in range(rng.randrange(6)))
            await _send(socket, type="analyse", position=f"9x9@4,4:{moves}", key=str(number))
            over = time.monotonic() + rng.uniform(3, 12)
            while time.monotonic() < over:
                try:
                    message = json.loads(await asyncio.wait_for(socket.recv(), 1.0))
                except TimeoutError:
                    continue
                figures.analyses += message["type"] == "analysis"
                figures.queued += message["type"] == "queued"
                if message["type"] == "error":
                    figures.errors.append(message["message"])


async def _send(socket: ClientConnection, **message: object) -> None:
    await socket.send(json.dumps(message))


async def weigh(pid: int, until: float, figures: Figures) -> None:
    """Note the server's memory now and then."""
    while time.monotonic() < until:
        status = Path(f"/proc/{pid}/status").read_text()
        resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        figures.memory_mb.append(int(resident.split()[1]) / 1024)
        await asyncio.sleep(1)


def sleep_lightly(until: float, figures: Figures) -> None:
    """Note how late the system lets a sleeper wake up."""
    while (now := time.monotonic()) < until:
        time.sleep(0.01)
        figures.stall_s = max(figures.stall_s, time.monotonic() - now - 0.01)


async def soak(address: str, pid: int, seconds: float, games: int, analysing: int, pause_s: float) -> Figures:
    """Load a server for a while; what was measured."""
    figures, until = Figures(), time.monotonic() + seconds
    await asyncio.gather(
        weigh(pid, until, figures),
        asyncio.to_thread(sleep_lightly, until, figures),
        *(play(address, number, until, pause_s, figures) for number in range(games)),
        *(analyse(address, 1000 + number, until, figures) for number in range(analysing)),
    )
    return figures


@contextmanager
def served(database: Path) -> Iterator[tuple[str, int]]:
    """Start a server in a process of its own; the address of its websocket, and its process."""
    words = [str(Path(sys.executable).with_name("fourfall")), "serve", "--port", "0", "--no-browser"]
    with subprocess.Popen([*words, "--db", str(database)], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[3].replace("http:", "ws:") + "ws", server.pid
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(timeout=10)


def main() -> int:
    """Start a server, load it, and say how it did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--analysing", type=int, default=20)
    parser.add_argument("--pause", type=float, default=8.0, help="seconds a player thinks, on average")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "soak.db") as (where, pid):
        figures = asyncio.run(soak(where, pid, 60 * options.minutes, options.games, options.analysing, options.pause))
    print(figures)
    return int(bool(figures.late or figures.errors) or figures.growth_mb > 30)


if __name__ == "__main__":
    sys.exit(main())
