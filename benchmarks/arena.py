"""Measures the arena: overhead per move and speed-up of a second worker.

python benchmarks/arena.py [--games 40]
"""

import argparse
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from fourfall import Board, Engine, Limit
from fourfall.agents.base import Conditions
from fourfall.agents.registry import open_agent
from fourfall.arena.cores import find_free_cores
from fourfall.arena.event_runner import run_event
from fourfall.arena.game import ScheduledGame, Seat, play_game
from fourfall.arena.record import GameRecord
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store

INSTANT = """
struct Point { int x, y; };
extern "C" Point* getPoint(int, int N, const int* top, const int*, int, int, int, int) {
    int y = 0;
    while (y < N && top[y] == 0) ++y;
    return new Point{top[y] - 1, y};
}
extern "C" void clearPoint(Point* point) { delete point; }
"""


def main() -> None:
    """Run the selected measurement."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--games",
        type=int,
        default=40,
        help="games per measurement of the overhead; the match of one worker against two has five times as many",
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure_overhead(Path(folder), arguments.games)
        measure_workers(Path(folder), 5 * arguments.games)  # enough that waiting for the last game hardly counts


def measure_overhead(folder: Path, games: int) -> None:
    """Print the time per move besides the search: engines with one simulation, and a library that returns at once."""
    library = compile_instant_library(folder)
    engine, library_times = [], []
    for number in range(games):
        record, seconds = measure_game("seed-002?simulations=1", number)
        engine.append((seconds - measure_search(record)) / len(record.times_ms))
        record, seconds = measure_game(f"library:{library}", number)
        library_times.append(seconds / len(record.times_ms))
    print(f"{games} games each, median over the games, time per move besides the search:")
    print(f"  built-in engines    {1000 * statistics.median(engine):.3f} ms")
    print(f"  sandboxed libraries {1000 * statistics.median(library_times):.3f} ms")


def compile_instant_library(folder: Path) -> Path:
    """Compile a strategy library that plays the first free column."""
    source, library = folder / "instant.cpp", folder / "instant.so"
    source.write_text(INSTANT, encoding="utf-8")
    subprocess.run(["c++", "-O1", "-shared", "-fPIC", "-o", library, source], check=True)  # noqa: S607
    return library


def measure_game(address: str, number: int) -> tuple[GameRecord, float]:
    """Play an agent against itself; return the record and the seconds of the moves without the start-up."""
    seats = (Seat("a", address, Conditions(seed=number)), Seat("b", address, Conditions(seed=number + 1)))
    game = ScheduledGame(0, 0, seats, Board.random(number).notation)
    start = time.perf_counter()
    record = play_game(game, open_agent)
    return record, time.perf_counter() - start - sum(record.startup_ms) / 1000


def measure_search(record: GameRecord) -> float:
    """Return the seconds that the same engines search in the same game without the arena."""
    board = Board.parse(record.board)
    engines = [Engine("seed-002", seed=seed) for seed in (0, 1)]
    total = 0.0
    for column in record.final_board.moves[board.ply :]:
        start = time.perf_counter()
        engines[board.turn].search(board, Limit(simulations=1))
        total += time.perf_counter() - start
        board.push(column)
    return total


def measure_workers(folder: Path, games: int) -> None:
    """Print the time of the same match with one worker and with two."""
    cores = find_free_cores()
    if len(cores) < 2:
        print("two workers compared with one: not measured, fewer than two cores are free")
        return
    spec = Spec.match("seed-002?simulations=3000", "seed-004-v17?simulations=3000", pairs=games // 2)
    took = {count: measure_event(folder / f"{count}.db", spec, cores[:count]) for count in (1, 2)}
    print(f"the same {games} games: one worker {took[1]:.2f} s, two {took[2]:.2f} s, ratio {took[1] / took[2]:.2f}")


def measure_event(database: Path, spec: Spec, cores: list[int]) -> float:
    """Play a spec; return the seconds for all games, extrapolated from first to last record."""
    with Store(database) as store:
        event = store.create_event(spec)
        stamps = [time.perf_counter() for _ in run_event(store, event, cores)]
    return (stamps[-1] - stamps[0]) * len(stamps) / (len(stamps) - 1)


if __name__ == "__main__":
    main()
