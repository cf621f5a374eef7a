"""Measures the arena: what a move costs beyond the agents' thinking, what a second worker gains, and a long campaign.

python benchmarks/arena.py [--games 40]
python benchmarks/arena.py --campaign 10000
"""

import argparse
import resource
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

from fourfall import Board, Engine, Limit
from fourfall.agents.base import Conditions
from fourfall.agents.registry import open_agent
from fourfall.arena.cores import free_cores
from fourfall.arena.game import ScheduledGame, Seat, play_game
from fourfall.arena.record import GameRecord
from fourfall.arena.spec import Spec, match_spec
from fourfall.arena.store import Store
from fourfall.arena.tournament import run_event

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
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--games", type=int, default=40, help="games of each measurement, five times as many of the last"
    )
    parser.add_argument("--campaign", type=int, metavar="N", help="play N fast games instead, and watch the memory")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.campaign:
            campaign(Path(folder), arguments.campaign)
        else:
            overhead(Path(folder), arguments.games)
            scaling(Path(folder), 5 * arguments.games)  # so many that the wait for the last one hardly counts


def overhead(folder: Path, games: int) -> None:
    """Print what a move costs beyond the thinking: engines of one simulation, and a library that answers at once."""
    source, library = folder / "instant.cpp", folder / "instant.so"
    source.write_text(INSTANT, encoding="utf-8")
    subprocess.run(["c++", "-O1", "-shared", "-fPIC", "-o", library, source], check=True)  # noqa: S607 (whichever it is)
    engine, jailed = [], []
    for number in range(games):
        record, seconds = timed_game("seed-002?simulations=1", number)
        engine.append((seconds - thinking(record)) / len(record.times_ms))
        record, seconds = timed_game(f"library:{library}", number)
        jailed.append(seconds / len(record.times_ms))
    print(f"{games} games each, median of the games, per move beyond thinking:")
    print(f"  built-in engines {1000 * statistics.median(engine):.3f} ms")
    print(f"  jailed libraries {1000 * statistics.median(jailed):.3f} ms")


def timed_game(address: str, number: int) -> tuple[GameRecord, float]:
    """Play an agent against itself; the record and the seconds of the moves, without the start."""
    seats = (Seat("a", address, Conditions(seed=number)), Seat("b", address, Conditions(seed=number + 1)))
    game = ScheduledGame(0, 0, seats, Board.random(number).notation)
    began = time.perf_counter()
    record = play_game(game, open_agent)
    return record, time.perf_counter() - began - sum(record.startup_ms) / 1000


def thinking(record: GameRecord) -> float:
    """Return the seconds that the same engines take for the same game without an arena."""
    board = Board.parse(record.board)
    engines = [Engine("seed-002", seed=seed) for seed in (0, 1)]
    total = 0.0
    for column in record.final.moves[board.ply :]:
        began = time.perf_counter()
        engines[board.turn].analyse(board, Limit(simulations=1))
        total += time.perf_counter() - began
        board.push(column)
    return total


def scaling(folder: Path, games: int) -> None:
    """Print how much faster two workers play the same match than one."""
    cores = free_cores()
    if len(cores) < 2:
        print("two workers against one: not measured, fewer than two cores are free")
        return
    spec = match_spec("seed-002?simulations=3000", "seed-004-v17?simulations=3000", games // 2)
    took = {count: seconds_of(folder / f"{count}.db", spec, cores[:count]) for count in (1, 2)}
    print(f"the same {games} games: one worker {took[1]:.2f} s, two {took[2]:.2f} s, ratio {took[1] / took[2]:.2f}")


def seconds_of(database: Path, spec: Spec, cores: list[int]) -> float:
    """Play a spec; the seconds from its first record to its last, so that starting the workers does not count."""
    with Store(database) as store:
        event = store.create_event(spec)
        stamps = [time.perf_counter() for _ in run_event(store, event, cores)]
    return (stamps[-1] - stamps[0]) * len(stamps) / (len(stamps) - 1)


def campaign(folder: Path, games: int) -> None:
    """Play many fast games between built-in agents; print endings, and the memory of workers after each tenth."""
    spec = match_spec("level-1", "seed-000?simulations=2", games // 2)
    endings: Counter[str] = Counter()
    with Store(folder / "campaign.db") as store:
        event = store.create_event(spec)
        began = time.perf_counter()
        for number, record in enumerate(run_event(store, event, free_cores()), 1):
            endings[record.ending] += 1
            if number % max(games // 10, 1) == 0:
                rate = number / (time.perf_counter() - began)
                ends = ", ".join(f"{count} by {ending}" for ending, count in endings.items())
                print(f"{number} games, {rate:.0f}/s: {ends}; workers {workers_mb(folder)} MiB", flush=True)
        assert store.played(event) == set(range(games))
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"this process at most {own:.0f} MiB; every scheduled game is stored once")


def workers_mb(folder: Path) -> list[int]:
    """Return the resident memory of the workers of a database."""
    sizes = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes()
                pages = int((entry / "statm").read_text(encoding="ascii").split()[1])
            except OSError:
                continue
            if b"arena.worker" in words and str(folder).encode() in words:
                sizes.append(pages * 4096 // 2**20)
    return sorted(sizes)


if __name__ == "__main__":
    main()
