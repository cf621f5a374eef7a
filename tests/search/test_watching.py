"""Owns a search under way: it can be watched, stopped and interrupted from outside, and lets nobody else in."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from fourfall import Analysis, Board, Engine, EngineError, Limit, presets

ENDLESS = Limit(simulations=10**12)
OPENING = Board.parse("9x9@3,4")
# How often to ask again, and how long to wait for a thread, before giving up on a machine that is busy.
PATIENCE, PATIENCE_S = 1000, 60.0

INTERRUPTED = """
import os, signal, threading
from fourfall import Board, Engine, Limit

engine, board = Engine("{name}", seed=1, memory_mb=16), Board(9, 9)

def interrupt():
    while engine.snapshot() is None:
        pass
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt).start()
try:
    engine.analyse(board, Limit(simulations=10**12))
except KeyboardInterrupt:
    print("interrupted", engine.analyse(board, Limit(simulations=50)).simulations)
"""


class Running:
    """A search in a thread of its own, and what came of it."""

    def __init__(self, engine: Engine, limit: Limit) -> None:
        self.engine = engine
        self.answers: list[Analysis] = []
        self.thread = threading.Thread(target=lambda: self.answers.append(engine.analyse(OPENING, limit)))

    def snapshot(self, wanted: Callable[[Analysis], bool]) -> Analysis:
        """Ask until the search has something to show that is wanted."""
        for _ in range(PATIENCE):
            seen = self.engine.snapshot()
            if seen is not None and wanted(seen):
                return seen
            self.thread.join(0.001)
        raise AssertionError("nothing of the kind was seen")

    def stop(self) -> Analysis:
        """End the search and return its answer."""
        self.engine.stop()
        self.thread.join(PATIENCE_S)
        assert not self.thread.is_alive()
        return self.answers[0]


@contextmanager
def searching(engine: Engine) -> Iterator[Running]:
    """Have a search without practical end under way, and stop it in the end."""
    running = Running(engine, ENDLESS)
    running.thread.start()
    running.snapshot(lambda seen: seen.simulations > 0)
    try:
        yield running
    finally:
        running.stop()


def test_before_the_first_search_there_is_nothing_to_see() -> None:
    """A new engine has no snapshot; afterwards the last answer stays."""
    engine = Engine("seed-002", seed=1)
    assert engine.snapshot() is None
    analysis = engine.analyse(OPENING, Limit(simulations=100))
    seen = engine.snapshot()
    assert seen is not None
    assert (seen.move, seen.simulations, seen.pv) == (analysis.move, 100, analysis.pv)


@pytest.mark.parametrize("name", presets.names())
def test_a_search_can_be_watched_and_stopped(name: str) -> None:
    """Snapshots of a running search make sense and grow; stopped, it answers with no less than they showed."""
    with searching(Engine(name, seed=1, memory_mb=16)) as running:
        first = running.snapshot(lambda seen: seen.simulations > 0)
        second = running.snapshot(lambda seen: seen.simulations > first.simulations)
        for seen in (first, second):
            assert seen.move in OPENING.legal_moves
            assert [column.column for column in seen.columns] == OPENING.legal_moves
        analysis = running.stop()
    assert analysis.stopped_by == "stop"
    assert analysis.simulations >= second.simulations
    assert analysis.move in OPENING.legal_moves


@pytest.mark.parametrize("name", ["fourfall", "seed-002"])
def test_a_stopped_engine_searches_again(name: str) -> None:
    """To stop is to end one search: neither a stop after it nor one before the next has any effect on the next."""
    engine = Engine(name, seed=1, memory_mb=16)
    with searching(engine) as running:
        running.stop()
    engine.stop()
    analysis = engine.analyse(OPENING, Limit(simulations=500))
    assert (analysis.stopped_by, analysis.simulations) == ("simulations", 500)


@pytest.mark.parametrize("name", ["fourfall", "seed-004-v13"])
def test_a_busy_engine_refuses_other_work(name: str) -> None:
    """A second search, a look at the tree and forgetting are refused while a search runs, which goes on unharmed."""
    engine = Engine(name, seed=1, memory_mb=16)
    with searching(engine) as running:
        refused: list[Callable[[], object]] = [
            lambda: engine.analyse(OPENING, Limit(simulations=1)),
            lambda: engine.play(Board(6, 7), Limit(simulations=1)),
            lambda: engine.tree(1),
            engine.clear,
        ]
        for call in refused:
            with pytest.raises(EngineError, match="searching"):
                call()
        seen = running.snapshot(lambda seen: seen.simulations > 0)
        running.snapshot(lambda later: later.simulations > seen.simulations)
    assert running.answers[0].stopped_by == "stop"
    assert engine.tree(1).visits > 0


def test_the_board_may_be_played_on_meanwhile() -> None:
    """A search looks at the board as it was when it began."""
    engine, board = Engine("seed-002", seed=1, memory_mb=16), OPENING.copy()
    answers: list[Analysis] = []
    thread = threading.Thread(target=lambda: answers.append(engine.analyse(board, ENDLESS)))
    thread.start()
    while engine.snapshot() is None:
        thread.join(0.001)
    for column in range(4):
        for _ in range(board.rows):
            if board.is_legal(column):
                board.push(column)
    engine.stop()
    thread.join(PATIENCE_S)
    assert [column.column for column in answers[0].columns] == OPENING.legal_moves
    assert sum(column.visits for column in answers[0].columns) == answers[0].simulations


@pytest.mark.parametrize("name", ["fourfall", "seed-004-v13"])
def test_engines_search_side_by_side(name: str) -> None:
    """Two engines in two threads give the answers that each gives alone."""
    answers: dict[int, Analysis] = {}

    def search(seed: int) -> None:
        answers[seed] = Engine(name, seed=seed, memory_mb=16).analyse(OPENING, Limit(simulations=5000))

    threads = [threading.Thread(target=search, args=(seed,)) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    for seed, analysis in list(answers.items()):
        search(seed)
        assert (answers[seed].move, answers[seed].pv) == (analysis.move, analysis.pv)
        visits = [[column.visits for column in each.columns] for each in (answers[seed], analysis)]
        assert visits[0] == visits[1]
    assert sorted(answers) == [1, 2]


@pytest.mark.parametrize("name", ["fourfall", "seed-002", "seed-004-v15"])
def test_an_endless_search_can_be_interrupted(name: str) -> None:
    """Ctrl-C in the midst of a search that would run for days raises KeyboardInterrupt; the engine stays usable."""
    result = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.format(name=name)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "interrupted 50\n", "")
