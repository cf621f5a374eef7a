"""Checks the arena over long runs: verdicts of many quick games, and an event that is killed many times.

python -m benchmarks.reliability games --count 100000
python -m benchmarks.reliability kills --count 50
"""

import argparse
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks.arena import compile_instant_library
from fourfall.arena.cores import find_free_cores
from fourfall.arena.event_runner import run_event
from fourfall.arena.judge import Ending
from fourfall.arena.record_check import check_record
from fourfall.arena.spec_file import parse_spec
from fourfall.arena.store import Store

KILLED_AGENTS = ("seed-000?simulations=400", "seed-002?simulations=150")
GAMES_PER_KILL = 8


def main() -> int:
    """Run the selected campaign; return 1 if it found an error."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("campaign", choices=["games", "kills"])
    parser.add_argument("--count", type=int, required=True, help="number of games, or of kills")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = play_many_games if arguments.campaign == "games" else kill_many_times
        return run(Path(folder), arguments.count)


def play_many_games(folder: Path, count: int) -> int:
    """Play quick games of built-in agents and a sandboxed library; none of them may fail.

    All agents answer within milliseconds, so every ending other than a win or a tie is a false verdict. Every result is
    compared with the moves. After each tenth the endings and the memory of the workers are printed.
    """
    library = compile_instant_library(folder)
    agents = ["level-2", "seed-000?simulations=2", f"library:{library}"]
    pairs = count // 6  # three pairings, two games in each pair
    spec = parse_spec({"name": "quick games", "pairs": pairs, "agents": [{"address": agent} for agent in agents]})
    count = 6 * pairs
    endings: Counter[str] = Counter()
    false_verdicts = 0
    with Store(folder / "games.db") as store:
        event = store.create_event(spec)
        start = time.perf_counter()
        for number, record in enumerate(run_event(store, event, find_free_cores()), 1):
            endings[record.ending] += 1
            check_record(record)
            if record.ending not in (Ending.WIN, Ending.TIE):
                false_verdicts += 1
                print(f"false verdict in game {number}: {record.ending} of player {record.culprit}, {record.detail}")
            if number % max(count // 10, 1) == 0:
                rate = number / (time.perf_counter() - start)
                ends = ", ".join(f"{games} by {ending}" for ending, games in endings.items())
                print(
                    f"{number} games, {rate:.0f} games/s: {ends}; workers {measure_workers_mb(folder)} MiB", flush=True
                )
        is_complete = store.get_played_numbers(event) == set(range(count))
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{false_verdicts} false verdicts; every scheduled game is stored once: {'yes' if is_complete else 'NO'}")
    print(f"maximum memory of this process {own:.0f} MiB")
    return int(false_verdicts > 0 or not is_complete)


def kill_many_times(folder: Path, count: int) -> int:
    """Kill an event with SIGKILL at random moments and resume it; compare its games with a run that was not killed."""
    games = GAMES_PER_KILL * count
    options = ["--games", str(games), "--seed", "3", "--workers", "2", "--no-pin"]
    fourfall = Path(sys.executable).with_name("fourfall")
    command = [str(fourfall), "match", *KILLED_AGENTS, *options, "--db"]
    chance = random.Random(1)  # noqa: S311 (moments, not secrets)
    database, reference = folder / "killed.db", folder / "reference.db"
    kills = 0
    while kills < count:
        resume = ["--resume"] if kills else []
        run = subprocess.Popen([*command, str(database), *resume], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # At most this many new games per run, so that games are left for every kill on a machine of any speed.
        target = count_stored_games(database) + chance.randrange(GAMES_PER_KILL - 1)
        started = time.monotonic()
        while run.poll() is None and time.monotonic() < started + 60:
            if measure_workers_mb(database) and count_stored_games(database) >= target:
                time.sleep(chance.uniform(0, 0.1))
                break
            time.sleep(0.005)
        if run.poll() is not None:
            print(f"the run ended with code {run.returncode} before kill {kills + 1}")
            return 1
        run.send_signal(signal.SIGKILL)
        run.wait()
        kills += 1
        print(f"kill {kills}: {count_stored_games(database)} of {games} games stored", flush=True)
    subprocess.run([*command, str(database), "--resume"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([*command, str(reference)], check=True, stdout=subprocess.DEVNULL)
    killed, expected = read_games(database), read_games(reference)
    numbers = [number for number, _ in killed]
    lost = games - len(set(numbers))
    doubled = len(numbers) - len(set(numbers))
    different = len(set(killed) ^ set(expected))
    print(
        f"{kills} kills, {games} games: {lost} lost, {doubled} doubled, {different} different from a run without kills"
    )
    return int(lost + doubled + different > 0)


def read_games(database: Path) -> list[tuple[int, str]]:
    """Return number and record of every game, without times and dates."""
    with Store(database, read_only=True) as store:
        return sorted((record.number, record.without_times().to_json()) for record in store.find_records(1))


def count_stored_games(database: Path) -> int:
    """Return the number of games in a database, 0 before its event exists."""
    if not database.exists():
        return 0
    try:
        with Store(database, read_only=True) as store:
            return len(store.get_played_numbers(1))
    except ValueError:  # the database is being created
        return 0


def measure_workers_mb(path: Path) -> list[int]:
    """Return the resident memory of the workers that use a database at or below `path`, in MiB."""
    sizes = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes()
                pages = int((entry / "statm").read_text(encoding="ascii").split()[1])
            except OSError:
                continue
            if b"arena.worker" in words and str(path).encode() in words:
                sizes.append(pages * 4096 // 2**20)
    return sorted(sizes)


if __name__ == "__main__":
    sys.exit(main())
