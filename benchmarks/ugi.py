"""Measures `fourfall ugi`: time until it is ready, time until `stop` is answered, and whether it keeps `movetime`.

python benchmarks/ugi.py [--stops 200] [--starts 10]
"""

import argparse
import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from fourfall import Board

MOVETIME_MS = 100


class Setting(NamedTuple):
    """Name of a measured setting, and the commands that set it."""

    name: str
    commands: tuple[str, ...] = ()


SETTINGS = (
    Setting("fourfall"),
    Setting("fourfall, 2 threads", ("setoption name Threads value 2",)),
    Setting("fourfall, MultiPV 12", ("setoption name MultiPV value 12",)),
    Setting("fourfall-classic", ("setoption name Preset value fourfall-classic",)),
    Setting("seed-002", ("setoption name Preset value seed-002",)),
)


class Client:
    """A running engine."""

    def __init__(self) -> None:
        words = [sys.executable, "-c", "from fourfall.entry_point import main; main()", "ugi"]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, *lines: str) -> None:
        """Send lines without waiting."""
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self._process.stdin.flush()

    def wait(self, *words: str) -> str:
        """Wait for a line that begins with one of the words; return the word."""
        assert self._process.stdout is not None
        while True:
            for word in self._process.stdout.readline().decode().split()[:1]:
                if word in words:
                    return word

    def ask(self, word: str, *lines: str) -> float:
        """Send lines and wait for the answer that begins with a word; return the seconds."""
        begin = time.perf_counter()
        self.send(*lines)
        self.wait(word)
        return time.perf_counter() - begin

    def close(self) -> None:
        """End the engine."""
        self.send("quit")
        self._process.wait()


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=10, help="starts of the program")
    parser.add_argument("--stops", type=int, default=200, help="stopped searches per setting")
    arguments = parser.parse_args()

    print("| ms | median | 99 % | worst |\n|---|---:|---:|---:|")
    starts = [measure_start() for _ in range(arguments.starts)]
    print_row("start of the process until `ugiok`", [until_ugiok for until_ugiok, _ in starts])
    print_row("first `isready` until `readyok`", [until_readyok for _, until_readyok in starts])
    for setting in SETTINGS:
        print_row(f"`stop` until `bestmove`, {setting.name}", measure(setting, arguments.stops, stop_search))
    for setting in SETTINGS:
        times = measure(setting, arguments.stops // 4, search_with_movetime)
        print_row(f"`go movetime {MOVETIME_MS}` until `bestmove`, {setting.name}", times)


def measure_start() -> tuple[float, float]:
    """Return the seconds until `ugiok`, and from then until `readyok`."""
    begin = time.perf_counter()
    client = Client()
    client.ask("ugiok", "ugi")
    until_ugiok = time.perf_counter() - begin
    until_readyok = client.ask("readyok", "isready")
    client.close()
    return until_ugiok, until_readyok


def measure(setting: Setting, count: int, ask: Callable[[Client, random.Random], float | None]) -> list[float]:
    """Measure in positions of random games on official boards, each board as a new game."""
    client, rng = Client(), random.Random(1)  # noqa: S311
    client.ask("readyok", *setting.commands, "isready")
    times: list[float] = []
    while len(times) < count:
        board = Board.random(rng.randrange(2**32))
        for _ in range(rng.randrange(board.geometry.cells // 2)):
            if not board.is_over:
                board.push(rng.choice(board.legal_moves))
        if board.is_over or board.winning_moves:
            continue
        client.send("uginewgame", f"position fen {board.notation}")
        seconds = ask(client, rng)
        if seconds is not None:
            times.append(seconds)
    client.close()
    return times


def stop_search(client: Client, rng: random.Random) -> float | None:
    """Search for 20 to 120 ms, then stop; return the seconds from there, or None if a proof has ended the search."""
    client.send("go infinite")
    time.sleep(rng.uniform(0.02, 0.12))
    client.send("isready")
    if client.wait("readyok", "bestmove") == "bestmove":
        client.wait("readyok")
        return None
    return client.ask("bestmove", "stop")


def search_with_movetime(client: Client, _: random.Random) -> float:
    """Return the seconds from `go movetime` until the best move."""
    return client.ask("bestmove", f"go movetime {MOVETIME_MS}")


def print_row(name: str, seconds: list[float]) -> None:
    """Print median, 99 % quantile and maximum."""
    times = sorted(1000 * time_s for time_s in seconds)
    print(
        f"| {name} | {times[len(times) // 2]:.2f} | {times[int(0.99 * len(times))]:.2f} | {times[-1]:.2f} |", flush=True
    )


if __name__ == "__main__":
    main()
