"""Owns the promise of memory: an engine given a budget stays inside it, however long it searches and plays."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fourfall import Analysis, Board, Engine, EngineError, Limit, presets
from tests.kinds import GRAPHS, TREES

# Every way to store and to reclaim: pool and heap, nothing kept and trees kept, and the four kinds of graphs.
KINDS = ["seed-000", "seed-002", "seed-004-v13", *(f"seed-004-v{version}" for version in range(14, 18))]
MEGABYTE = 2**20
# Slot 0 stands for "no node"; it takes one node and one position more than the budget was divided into.
SLACK = 256

# The kernel's own mark of the most memory ever held. Not getrusage: after fork and exec its mark is the parent's.
RESIDENT = """
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

COMING_AND_GOING = """
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from fourfall import Board, Engine, Limit

def resident():
    return int(re.search(r"VmRSS:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) // 1024

def search(number, engines=[]):
    name = ("fourfall-classic", "seed-002", "seed-001")[number % 3]
    engine = Engine(name, memory_mb=32 + 16 * (number % 2))
    engine.analyse(Board.random(number), Limit(simulations=300))
    engines.append(engine)
    if len(engines) > 16:
        del engines[number % 16]

before = resident()
with ThreadPoolExecutor(8) as threads:
    list(threads.map(search, range(200)))
print(resident() - before)
"""

SEARCHED = """
import sys
from fourfall import Board, Engine, Limit

try:
    engine, board = Engine(sys.argv[1], seed=1, memory_mb=1), Board.parse(sys.argv[2])
    board.push(engine.play(board, Limit(simulations=2000)))
    board.push(engine.play(board, Limit(simulations=2000)))
except ValueError:
    print("refused")
else:
    print("played")
"""


def output_of(script: str, *arguments: str) -> str:
    """Run a script in a process of its own, which must end well, and return what it printed."""
    result = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def least_mb(name: str) -> int:
    """Return the least budget in MiB that a preset asks for when it is given none."""
    with pytest.raises(EngineError) as caught:
        Engine(name, memory_mb=0)
    found = re.search(r"at least (\d+) MiB", str(caught.value))
    assert found is not None
    return int(found[1])


def visits_of(analysis: Analysis) -> dict[int, int]:
    """Return the visits of every column."""
    return {column.column: column.visits for column in analysis.columns}


def test_engines_that_come_and_go_leave_nothing_behind() -> None:
    """Two hundred short searches in eight threads need what the sixteen engines alive at once have touched."""
    assert int(output_of(COMING_AND_GOING)) < 100


@pytest.mark.parametrize(("memory_mb", "text"), [(2, "9x9@3,4"), (2, "12x12@9,5"), (8, "12x12@9,5")])
@pytest.mark.parametrize("name", KINDS)
def test_a_budget_is_kept_through_a_game(name: str, memory_mb: int, text: str) -> None:
    """With more simulations than fit in memory the search stays inside it and goes on giving sensible answers."""
    engine, board = Engine(name, seed=1, memory_mb=memory_mb), Board.parse(text)
    nodes = 10_000 * memory_mb
    fullest = 0
    for _ in range(4):
        analysis = engine.analyse(board, Limit(simulations=nodes))
        fullest = max(fullest, analysis.memory_bytes)
        assert analysis.move in board.legal_moves
        assert visits_of(analysis)[analysis.move] > 0 or analysis.stopped_by in ("win", "block")
        assert analysis.simulations == nodes or analysis.stopped_by != "simulations"
        board.push(analysis.move)
        if board.is_over:
            break
    assert 0.5 * memory_mb * MEGABYTE < fullest <= memory_mb * MEGABYTE + SLACK


@pytest.mark.parametrize("name", KINDS)
def test_every_answer_rests_on_visits(name: str) -> None:
    """At no moment, not even when memory has just been reclaimed, is a move played that nothing speaks for."""
    engine, board = Engine(name, seed=1, memory_mb=1), Board.parse("12x12@3,3")
    unfounded = 0
    for _ in range(9000):
        analysis = engine.analyse(board, Limit(simulations=1))
        unfounded += visits_of(analysis)[analysis.move] == 0
    assert unfounded == 0


def test_the_heap_counts_what_the_pool_counts(tmp_path: Path) -> None:
    """A graph is the same in pool and heap; apart from the pointers to its nodes it takes up the same memory."""
    reported = {}
    for storage in ("pool", "heap"):
        path = tmp_path / f"{storage}.toml"
        path.write_text(f'base = "seed-004-v14"\n[memory]\nstorage = "{storage}"\n', encoding="utf-8")
        analysis = Engine(path, seed=1, memory_mb=16).analyse(Board.parse("9x9@3,4"), Limit(simulations=20_000))
        reported[storage] = (analysis.nodes, analysis.memory_bytes)
    assert reported["heap"][0] == reported["pool"][0]
    assert reported["heap"][1] == pytest.approx(reported["pool"][1], rel=0.1)


def test_the_process_grows_by_little_more_than_the_budget() -> None:
    """The operating system sees the same: a budget of 4 MB never becomes the 30 MB that a kept graph would use."""
    grown: dict[str, int] = json.loads(output_of(RESIDENT, "4", *KINDS))
    assert {name: megabytes for name, megabytes in grown.items() if megabytes > 2 * 4 + 8} == {}


@pytest.mark.parametrize("name", presets.names())
@pytest.mark.parametrize("below", [1, 2, 1000])
def test_too_small_a_budget_is_refused(name: str, below: int) -> None:
    """The complaint names the least that an engine of this kind can work with."""
    least = least_mb(name)
    with pytest.raises(EngineError, match=f"at least {least} MiB"):
        Engine(name, memory_mb=least - below)


def test_a_tree_needs_less_than_a_graph() -> None:
    """The least is a matter of the kind of search: 1 MiB for a tree, more for a graph."""
    assert {least_mb(name) for name in TREES} == {1}
    assert all(least_mb(name) > 1 for name in GRAPHS)


@pytest.mark.parametrize("text", ["12x12@9,5", "4x4"])
@pytest.mark.parametrize("name", presets.names())
def test_the_least_budget_is_enough(name: str, text: str) -> None:
    """With the least memory that it asks for every preset plays on every board."""
    engine, board = Engine(name, seed=1, memory_mb=least_mb(name)), Board.parse(text)
    for _ in range(4):
        board.push(engine.play(board, Limit(simulations=3000)))


@pytest.mark.parametrize("capacity", [1, 11, 50])
@pytest.mark.parametrize("base", KINDS)
def test_no_capacity_is_too_small_to_survive(tmp_path: Path, base: str, capacity: int) -> None:
    """A preset with hardly any room plays or is refused; it never takes the process down."""
    path = tmp_path / "cramped.toml"
    path.write_text(f'base = "{base}"\n[memory]\ncapacity = {capacity}\n', encoding="utf-8")
    assert output_of(SEARCHED, str(path), "12x12@9,5").strip() in ("played", "refused")
