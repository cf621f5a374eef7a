"""Tests of the memory limit: searches and games of any length stay within it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fourfall import Analysis, Board, Engine, EngineError, Limit, presets
from tests.kinds import GRAPHS, NAMES, TREES

# All kinds of storage and reclamation: pool and heap, with and without reuse, and the four graph presets.
KINDS = ["seed-000", "seed-002", "seed-004-v13", *(f"seed-004-v{version}" for version in range(14, 18))]
MEGABYTE = 2**20
# Slot 0 means "no node": one more node and position than the memory limit allows for.
SLACK = 256

# Peak memory as reported by the kernel. getrusage does not work: after fork and exec it reports the peak of the parent.
PEAK_MEMORY = """
import json, re, sys
from pathlib import Path
from fourfall import Board, Engine, Limit

def resident():
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) // 1024

Engine("seed-002", memory_mb=1).play(Board(12, 12), Limit(simulations=1000))
before = resident()
grown = {}
for name in sys.argv[2:]:
    engine, board = Engine(name, seed=1, memory_mb=int(sys.argv[1])), Board(12, 12, hole=(9, 5))
    for _ in range(3):
        board.push(engine.play(board, Limit(simulations=60_000)))
    del engine
    grown[name] = resident() - before
print(json.dumps(grown))
"""

MANY_ENGINES = """
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from fourfall import Board, Engine, Limit

def resident():
    return int(re.search(r"VmRSS:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) // 1024

def search(number, engines=[]):
    name = ("fourfall-classic", "seed-002", "seed-001")[number % 3]
    engine = Engine(name, memory_mb=32 + 16 * (number % 2))
    engine.search(Board.random(number), Limit(simulations=300))
    engines.append(engine)
    if len(engines) > 16:
        del engines[number % 16]

before = resident()
with ThreadPoolExecutor(8) as threads:
    list(threads.map(search, range(200)))
print(resident() - before)
"""

SMALL_CAPACITIES = """
import sys
from fourfall import Board, Engine, Limit

for path in sys.argv[2:]:
    try:
        engine, board = Engine(path, seed=1, memory_mb=1), Board.parse(sys.argv[1])
        board.push(engine.play(board, Limit(simulations=2000)))
        board.push(engine.play(board, Limit(simulations=2000)))
    except ValueError:
        print("rejected")
    else:
        print("played")
"""


def run_script(script: str, *arguments: str) -> str:
    """Run a script in a new process, check that it succeeds, and return its output."""
    result = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def min_memory_mb(name: str) -> int:
    """Return the minimum memory of a preset in MiB, read from the error message."""
    with pytest.raises(EngineError) as caught:
        Engine(name, memory_mb=0)
    found = re.search(r"at least (\d+) MiB", str(caught.value))
    assert found is not None
    return int(found[1])


def column_visits(analysis: Analysis) -> dict[int, int]:
    """Return the visits of every column."""
    return {column.column: column.visits for column in analysis.columns}


def test_memory_of_deleted_engines_is_freed() -> None:
    """Two hundred short searches in eight threads use only the memory of the sixteen engines that exist at a time."""
    assert int(run_script(MANY_ENGINES)) < 100


@pytest.mark.parametrize(("memory_mb", "text"), [(2, "9x9@3,4"), (2, "12x12@9,5"), (8, "12x12@9,5")])
@pytest.mark.parametrize("name", KINDS)
def test_memory_limit_is_kept_through_a_game(name: str, memory_mb: int, text: str) -> None:
    """With more simulations than fit in memory, the search stays within the limit and plays legal, visited moves."""
    engine, board = Engine(name, seed=1, memory_mb=memory_mb), Board.parse(text)
    simulations = 10_000 * memory_mb
    peak = 0
    for _ in range(4):
        analysis = engine.search(board, Limit(simulations=simulations))
        peak = max(peak, analysis.memory_bytes)
        assert analysis.move in board.legal_moves
        assert column_visits(analysis)[analysis.move] > 0 or analysis.stopped_by in ("win", "block")
        assert analysis.simulations == simulations or analysis.stopped_by != "simulations"
        board.push(analysis.move)
        if board.is_over:
            break
    assert 0.5 * memory_mb * MEGABYTE < peak <= memory_mb * MEGABYTE + SLACK


@pytest.mark.parametrize("name", KINDS)
def test_chosen_move_always_has_visits(name: str) -> None:
    """The chosen move has visits after each of 9000 single simulations, also just after memory was reclaimed."""
    engine, board = Engine(name, seed=1, memory_mb=1), Board.parse("12x12@3,3")
    unvisited = 0
    for _ in range(9000):
        analysis = engine.search(board, Limit(simulations=1))
        unvisited += column_visits(analysis)[analysis.move] == 0
    assert unvisited == 0


def test_heap_and_pool_report_similar_memory(tmp_path: Path) -> None:
    """A graph has the same nodes in pool and heap, and the same memory apart from the pointers to the nodes."""
    reported = {}
    for storage in ("pool", "heap"):
        path = tmp_path / f"{storage}.toml"
        path.write_text(f'base = "seed-004-v14"\n[memory]\nstorage = "{storage}"\n', encoding="utf-8")
        analysis = Engine(path, seed=1, memory_mb=16).search(Board.parse("9x9@3,4"), Limit(simulations=20_000))
        reported[storage] = (analysis.nodes, analysis.memory_bytes)
    assert reported["heap"][0] == reported["pool"][0]
    assert reported["heap"][1] == pytest.approx(reported["pool"][1], rel=0.1)


def test_process_memory_stays_near_the_limit() -> None:
    """With a limit of 4 MB, the process grows by far less than the 30 MB of an unlimited graph."""
    grown: dict[str, int] = json.loads(run_script(PEAK_MEMORY, "4", *KINDS))
    assert {name: megabytes for name, megabytes in grown.items() if megabytes > 2 * 4 + 8} == {}


@pytest.mark.parametrize("name", presets.list_names())
@pytest.mark.parametrize("below", [1, 2, 1000])
def test_too_little_memory_is_rejected(name: str, below: int) -> None:
    """The message gives the minimum."""
    minimum = min_memory_mb(name)
    with pytest.raises(EngineError, match=f"at least {minimum} MiB"):
        Engine(name, memory_mb=minimum - below)


def test_minimum_memory_of_trees_and_graphs() -> None:
    """The minimum is 1 MiB for a tree search and more for a graph search."""
    assert {min_memory_mb(name) for name in TREES} == {1}
    assert all(min_memory_mb(name) > 1 for name in GRAPHS)


# The other presets with a network have the same search and the same memory, and are slower.
@pytest.mark.parametrize("text", ["12x12@9,5", "4x4"])
@pytest.mark.parametrize("name", ["fourfall", *NAMES])
def test_minimum_memory_is_enough_to_play(name: str, text: str) -> None:
    """With the minimum memory, every preset searches on large and small boards and stays within the limit."""
    engine, board = Engine(name, seed=1, memory_mb=min_memory_mb(name)), Board.parse(text)
    for _ in range(4):
        analysis = engine.search(board, Limit(simulations=3000))
        assert analysis.memory_bytes <= min_memory_mb(name) << 20
        assert analysis.simulations == 3000 or analysis.stopped_by != "simulations"
        board.push(analysis.move)


@pytest.mark.parametrize("base", KINDS)
def test_very_small_capacity_does_not_crash(tmp_path: Path, base: str) -> None:
    """A preset with a very small capacity plays or is rejected; the process does not crash."""
    capacities = (1, 11, 50)
    paths = [tmp_path / f"small_{capacity}.toml" for capacity in capacities]
    for path, capacity in zip(paths, capacities, strict=True):
        path.write_text(f'base = "{base}"\n[memory]\ncapacity = {capacity}\n', encoding="utf-8")
    results = run_script(SMALL_CAPACITIES, "12x12@9,5", *map(str, paths)).split()
    assert len(results) == len(paths)
    assert set(results) <= {"played", "rejected"}
