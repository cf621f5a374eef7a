"""Measures the report: time, peak memory and size of the file for databases of growing size, without turning points.

python -m benchmarks.report [--games 10000 100000 1000000]

Databases are generated (`generated_games.py`) and kept in --folder if it is given, so that a second run can use them.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.generated_games import generate_database

_COMMAND = "from fourfall.cli import main; main()"


def main() -> None:
    """Print a table with one row per number of games."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, nargs="+", default=[10_000, 100_000], help="numbers of games")
    parser.add_argument("--folder", type=Path, help="folder for the databases, which are kept")
    arguments = parser.parse_args()
    print("| games | database | output | processor time | wall-clock time | peak memory | size |")
    print("|---:|---:|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as temporary:
        for games in arguments.games:
            folder = arguments.folder or Path(temporary)
            database = folder / f"generated-{games}.db"
            if not database.exists():
                generate_database(database, games)
            html, table = Path(temporary) / "report.html", Path(temporary) / "games.csv"
            print_measurement(games, database, "text", [], None)
            print_measurement(games, database, "HTML", ["--html", html], html)
            print_measurement(games, database, "CSV", ["--csv", table], table)


def print_measurement(games: int, database: Path, label: str, options: Sequence[str | Path], file: Path | None) -> None:
    """Run the command once and print its row."""
    command = [sys.executable, "-c", _COMMAND, "report", database, "--analysis-time", "0", *options]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    assert os.waitstatus_to_exitcode(status) == 0, f"the command failed: {command}"
    size = "" if file is None else f"{file.stat().st_size / 1e6:.1f} MB"
    cpu = usage.ru_utime + usage.ru_stime
    stored = f"{database.stat().st_size / 1e6:.0f} MB"
    memory = f"{usage.ru_maxrss / 1024:.0f} MiB"
    print(f"| {games:,} | {stored} | {label} | {cpu:.1f} s | {wall:.1f} s | {memory} | {size} |", flush=True)


if __name__ == "__main__":
    main()
