"""Measures the opening explorer with many stored games: `python tools/explorer_load.py [GAMES]`.

Half of the games are played on the 6x7 board, half on random official boards, all with random moves.
"""

import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median

from fourfall import Board
from fourfall.arena.judge import Ending
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.store import Store
from fourfall.web.explorer import Explorer
from fourfall.web.game_repository import GameRepository

REPETITIONS = 9
POSITIONS = ("6x7", "6x7:4", "6x7:44", "6x7:4453", "6x7:445321", "6x7:44532166", "6x7:4453216653")


def create_games(count: int) -> Iterator[GameRecord]:
    """Yield games with random moves."""
    rng = random.Random(1)  # noqa: S311 (not for security)
    for number in range(count):
        board = Board(6, 7) if number % 2 else Board.random(number)
        start = board.notation
        while not board.is_over:
            board.push(rng.choice(board.legal_moves))
        outcome = board.outcome()
        winner = None if outcome is None else outcome.winner
        yield replace(
            EXAMPLE,
            number=number,
            board=start,
            moves=board.notation.partition(":")[2],
            ending=Ending.TIE if winner is None else Ending.WIN,
            winner=winner,
            started=f"2026-11-15T12:{number // 60_000:02}:{number // 1000 % 60:02}.{number % 1000:03}+00:00",
        )


def main(count: int) -> None:
    """Create the games, then print the time of creating the index and of some requests."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arena.db"
        with Store(path) as store:
            store.import_games("random", create_games(count))
        GameRepository(path).close()
        size = path.stat().st_size
        start, cpu = time.perf_counter(), time.process_time()
        explorer = Explorer(path)
        seconds = f"{time.perf_counter() - start:.2f} s (processor: {time.process_time() - cpu:.2f} s)"
        explorer.close()
        print(f"{count} games: index created in {seconds}, {(path.stat().st_size - size) / 2**20:.0f} MB")
        explorer = Explorer(path)
        print("Requests: median and maximum of the elapsed time, median of the processor time")
        for position in (*POSITIONS, Board.random(0).notation):
            elapsed, used = [], []
            for _ in range(REPETITIONS):
                start, cpu = time.perf_counter(), time.process_time()
                info = explorer.explore(Board.parse(position), None)
                elapsed.append(1000 * (time.perf_counter() - start))
                used.append(1000 * (time.process_time() - cpu))
            times = f"{median(elapsed):6.1f} ms {max(elapsed):6.1f} ms {median(used):6.1f} ms"
            print(f"{position:24} {info.games:6} games {times}")
        explorer.close()
    print(f"memory: at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
