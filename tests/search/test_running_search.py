"""Tests of running searches: snapshots, stop, interruption, and calls that are rejected meanwhile."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from fourfall import Analysis, Board, Engine, EngineError, Limit, StopToken, presets

ENDLESS = Limit(simulations=10**12)
OPENING = Board.parse("9x9@3,4")
# Attempts to get a snapshot, and seconds to wait for a thread; generous, for busy machines.
ATTEMPTS, TIMEOUT_S = 1000, 60.0

INTERRUPTED_SEARCH = """
import os, signal, threading
from fourfall import Board, Engine, Limit

engine, board = Engine("{name}", seed=1, memory_mb=16), Board(9, 9)

def interrupt():
    while engine.snapshot() is None:
        pass
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt).start()
try:
    engine.search(board, Limit(simulations=10**12))
except KeyboardInterrupt:
    print("interrupted", engine.search(board, Limit(simulations=50)).simulations)
"""


class RunningSearch:
    """A search in another thread, and its result."""

    def __init__(self, engine: Engine, limit: Limit) -> None:
        self.engine = engine
        self.results: list[Analysis] = []
        self.thread = threading.Thread(target=lambda: self.results.append(engine.search(OPENING, limit)))

    def wait_for_snapshot(self, condition: Callable[[Analysis], bool]) -> Analysis:
        """Take snapshots until one meets the condition."""
        for _ in range(ATTEMPTS):
            snapshot = self.engine.snapshot()
            if snapshot is not None and condition(snapshot):
                return snapshot
            self.thread.join(0.001)
        raise AssertionError("no snapshot met the condition")

    def stop(self) -> Analysis:
        """End the search and return its result."""
        self.engine.stop()
        self.thread.join(TIMEOUT_S)
        assert not self.thread.is_alive()
        return self.results[0]


@contextmanager
def run_search(engine: Engine) -> Iterator[RunningSearch]:
    """Run an endless search in another thread, and stop it on exit."""
    running = RunningSearch(engine, ENDLESS)
    running.thread.start()
    running.wait_for_snapshot(lambda snapshot: snapshot.simulations > 0)
    try:
        yield running
    finally:
        running.stop()


def test_snapshot_without_a_running_search() -> None:
    """Before the first search the snapshot is None, afterwards it is the last analysis."""
    engine = Engine("seed-002", seed=1)
    assert engine.snapshot() is None
    analysis = engine.search(OPENING, Limit(simulations=100))
    snapshot = engine.snapshot()
    assert snapshot is not None
    assert (snapshot.move, snapshot.simulations, snapshot.pv) == (analysis.move, 100, analysis.pv)


@pytest.mark.parametrize("name", presets.list_names())
def test_snapshots_and_stop(name: str) -> None:
    """Snapshots of a running search are complete and grow; the result after stop() has at least their simulations."""
    with run_search(Engine(name, seed=1, memory_mb=16)) as running:
        first = running.wait_for_snapshot(lambda snapshot: snapshot.simulations > 0)
        second = running.wait_for_snapshot(lambda snapshot: snapshot.simulations > first.simulations)
        for snapshot in (first, second):
            assert snapshot.move in OPENING.legal_moves
            assert [column.column for column in snapshot.columns] == OPENING.legal_moves
        analysis = running.stop()
    assert analysis.stopped_by == "stop"
    assert analysis.simulations >= second.simulations
    assert analysis.move in OPENING.legal_moves


@pytest.mark.parametrize("name", ["fourfall", "seed-002"])
def test_stop_does_not_affect_the_next_search(name: str) -> None:
    """stop() ends only a running search; called between two searches it has no effect."""
    engine = Engine(name, seed=1, memory_mb=16)
    with run_search(engine) as running:
        running.stop()
    engine.stop()
    analysis = engine.search(OPENING, Limit(simulations=500))
    assert (analysis.stopped_by, analysis.simulations) == ("simulations", 500)


@pytest.mark.parametrize("name", ["fourfall", "seed-004-v13"])
def test_other_calls_are_rejected_during_a_search(name: str) -> None:
    """analyse(), search(), play(), tree() and clear() raise EngineError while a search runs; the search continues."""
    engine = Engine(name, seed=1, memory_mb=16)
    with run_search(engine) as running:
        rejected: list[Callable[[], object]] = [
            lambda: engine.analyse(OPENING, Limit(simulations=1)),
            lambda: engine.search(OPENING, Limit(simulations=1)),
            lambda: engine.play(Board(6, 7), Limit(simulations=1)),
            lambda: engine.tree(1),
            engine.clear,
        ]
        for call in rejected:
            with pytest.raises(EngineError, match="searching"):
                call()
        earlier = running.wait_for_snapshot(lambda snapshot: snapshot.simulations > 0)
        running.wait_for_snapshot(lambda later: later.simulations > earlier.simulations)
    assert running.results[0].stopped_by == "stop"
    assert engine.tree(1).visits > 0


def test_board_may_change_during_a_search() -> None:
    """A search works on a copy of the board."""
    engine, board = Engine("seed-002", seed=1, memory_mb=16), OPENING.copy()
    results: list[Analysis] = []
    thread = threading.Thread(target=lambda: results.append(engine.search(board, ENDLESS)))
    thread.start()
    while engine.snapshot() is None:
        thread.join(0.001)
    for column in range(4):
        for _ in range(board.rows):
            if board.is_legal(column):
                board.push(column)
    engine.stop()
    thread.join(TIMEOUT_S)
    assert [column.column for column in results[0].columns] == OPENING.legal_moves
    assert sum(column.visits for column in results[0].columns) == results[0].simulations


@pytest.mark.parametrize("name", ["fourfall", "seed-004-v13"])
def test_two_engines_in_two_threads(name: str) -> None:
    """Two engines that search at the same time have the same results as each alone."""
    results: dict[int, Analysis] = {}

    def search(seed: int) -> None:
        results[seed] = Engine(name, seed=seed, memory_mb=16).search(OPENING, Limit(simulations=1000))

    threads = [threading.Thread(target=search, args=(seed,)) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT_S)
    assert sorted(results) == [1, 2]
    for seed, analysis in list(results.items()):
        search(seed)
        assert (results[seed].move, results[seed].pv) == (analysis.move, analysis.pv)
        visits = [[column.visits for column in each.columns] for each in (results[seed], analysis)]
        assert visits[0] == visits[1]


@pytest.mark.parametrize("name", ["fourfall", "seed-002", "seed-004-v15"])
def test_ctrl_c_interrupts_a_search(name: str) -> None:
    """SIGINT during an endless search raises KeyboardInterrupt; the engine stays usable."""
    result = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_SEARCH.format(name=name)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "interrupted 50\n", "")


@pytest.mark.parametrize("name", ["fourfall-classic", "seed-004-v13"])
def test_a_stop_before_the_search_is_not_lost(name: str) -> None:
    """A search whose token was stopped before it began ends at once with a move; the next search is not affected."""
    engine, token = Engine(name, seed=1, memory_mb=16), StopToken()
    assert not StopToken().is_requested
    token.stop()
    assert token.is_requested
    for search in (engine.search, engine.analyse):
        analysis = search(OPENING, ENDLESS, stop_token=token)
        assert (analysis.stopped_by, analysis.move in OPENING.legal_moves) == ("stop", True)
        assert search(OPENING, Limit(simulations=500)).stopped_by == "simulations"


@pytest.mark.parametrize("name", ["fourfall-classic", "seed-004-v13"])
def test_a_token_ends_the_running_search_that_has_it(name: str) -> None:
    """A token ends its search from another thread; a token of an earlier search does nothing."""
    engine, earlier, token = Engine(name, seed=1, memory_mb=16), StopToken(), StopToken()
    engine.search(OPENING, Limit(simulations=10), stop_token=earlier)
    results: list[Analysis] = []
    thread = threading.Thread(target=lambda: results.append(engine.search(OPENING, ENDLESS, stop_token=token)))
    thread.start()
    try:
        earlier.stop()
        while (snapshot := engine.snapshot()) is None or snapshot.simulations <= 10:
            pass
        assert not results
    finally:
        token.stop()
        thread.join()
    assert results[0].stopped_by == "stop"
