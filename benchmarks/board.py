"""Measures the speed of the board from Python, compared with OpenSpiel's connect_four if that is installed.

OpenSpiel uses its fastest method for each workload: ``child`` (clone and apply in one call), because connect_four does
not implement ``undo_action``; an empty ``legal_actions`` as the end of a game; in perft the last ply is counted, not
visited. Both sides alternate within every round, and each figure is the median of the rounds.
"""

import importlib
import importlib.metadata
import os
import platform
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import fourfall

ROUNDS = 9
PERFT_DEPTH = 7
INSTALL = "OpenSpiel is not installed; `make bench` installs it, or: pip install open_spiel==2.0.2"

Workload = Callable[[], int]
"""Runs once and returns the number of units (positions, games, moves) processed."""


@dataclass
class Row:
    """One row of the table: a workload of fourfall, perhaps one of OpenSpiel, and the rates measured so far."""

    name: str
    ours: Workload
    theirs: Workload | None = None
    required: float | None = None
    our_rates: list[float] = field(default_factory=list)
    their_rates: list[float] = field(default_factory=list)

    def measure(self) -> None:
        """Run each side once."""
        self.our_rates.append(measure_rate(self.ours))
        if self.theirs:
            self.their_rates.append(measure_rate(self.theirs))

    def __str__(self) -> str:
        ours = median(self.our_rates)
        cells = [self.name, f"{ours:,.0f}", "", "", ""]
        if self.their_rates:
            theirs = median(self.their_rates)
            cells[2:4] = f"{theirs:,.0f}", f"{ours / theirs:,.1f}"
            if self.required:
                cells[4] = f"{self.required:g}: {'met' if ours >= self.required * theirs else 'NOT MET'}"
        return "| " + " | ".join(cells) + " |"


def measure_rate(run: Workload) -> float:
    """Return the units processed per second, measured for at least a tenth of a second."""
    units = 0
    start = time.perf_counter()
    while (seconds := time.perf_counter() - start) < 0.1:
        units += run()
    return units / seconds


def prepare_our_perft(board: fourfall.Board) -> Workload:
    """Count the positions of a native perft."""
    return lambda: fourfall.perft(board, PERFT_DEPTH)


def prepare_our_rollouts(board: fourfall.Board) -> Workload:
    """Play random games in native code."""
    games = 20_000

    def run() -> int:
        fourfall.rollouts(board, games, seed=1)
        return games

    return run


def prepare_our_games(board: fourfall.Board) -> Workload:
    """Play random games with a loop in Python."""
    draw = random.Random(1).random  # noqa: S311

    def run() -> int:
        game = board.copy()
        while moves := game.legal_moves:
            game.push(moves[int(draw() * len(moves))])
        return 1

    return run


def prepare_our_steps(board: fourfall.Board) -> Workload:
    """Push and pop moves with a loop in Python."""
    columns = board.legal_moves * 100

    def run() -> int:
        for column in columns:
            board.push(column)
            board.pop()
        return len(columns)

    return run


def prepare_their_perft(start: Any) -> Workload:  # noqa: ANN401
    """Count like cpp/game/perft.cpp: the last ply is counted by the number of moves, not visited."""

    def count(state: Any, depth: int) -> int:  # noqa: ANN401
        actions = state.legal_actions()
        if depth == 1:
            return len(actions)
        return sum([count(state.child(action), depth - 1) for action in actions])

    return lambda: count(start, PERFT_DEPTH)


def prepare_their_games(start: Any) -> Workload:  # noqa: ANN401
    """Play random games with a loop in Python; an empty list of actions ends the game."""
    draw = random.Random(1).random  # noqa: S311

    def run() -> int:
        game = start.clone()
        while actions := game.legal_actions():
            game.apply_action(actions[int(draw() * len(actions))])
        return 1

    return run


def prepare_their_steps(start: Any) -> Workload:  # noqa: ANN401
    """Apply moves with `child`, which is faster than clone and apply_action."""
    actions = start.legal_actions() * 100

    def run() -> int:
        for action in actions:
            start.child(action)
        return len(actions)

    return run


def find_open_spiel() -> Any | None:  # noqa: ANN401
    """Return OpenSpiel's initial state of connect_four, or None if the package is not installed."""
    try:
        pyspiel = importlib.import_module("pyspiel")
    except ImportError:
        return None
    return pyspiel.load_game("connect_four").new_initial_state()


def make_rows(start: Any | None) -> list[Row]:  # noqa: ANN401
    """Return the workloads on the 6x7 board for both sides, then those of fourfall alone on official sizes."""
    board = fourfall.Board(6, 7)
    perft = prepare_their_perft(start) if start else None
    games = prepare_their_games(start) if start else None
    steps = prepare_their_steps(start) if start else None
    if perft and perft() != fourfall.perft(board, PERFT_DEPTH):
        raise RuntimeError("perft of fourfall and OpenSpiel differ: the rules do not agree")
    rows = [
        Row(f"perft({PERFT_DEPTH}) 6x7, positions/s (native)", prepare_our_perft(board), perft),
        Row("random games 6x7, games/s (native)", prepare_our_rollouts(board), games, required=20),
        Row("random games 6x7, games/s (from Python)", prepare_our_games(board), games),
        Row("push and pop 6x7, pairs/s (from Python)", prepare_our_steps(board), steps, required=2),
    ]
    for board in (fourfall.Board(9, 9, (4, 4)), fourfall.Board(10, 11, (4, 7)), fourfall.Board(12, 12, (5, 6))):
        rows.append(Row(f"perft({PERFT_DEPTH}) {board.geometry}, positions/s", prepare_our_perft(board)))
        rows.append(Row(f"rollouts {board.geometry}, games/s", prepare_our_rollouts(board)))
    return rows


def describe_machine() -> str:
    """Return the name of the processor and the number of cores that this process may use."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{names[0] if names else platform.processor() or platform.machine()}, {cores} cores, one used"


def main() -> None:
    """Measure all workloads and print the table."""
    start = find_open_spiel()
    rows = make_rows(start)
    for _ in range(ROUNDS):
        for row in rows:
            row.measure()

    versions = [f"Python {platform.python_version()}", f"fourfall {fourfall.__version__}"]
    if start:
        versions.append(f"OpenSpiel {importlib.metadata.version('open_spiel')}")
    print(f"Machine: {describe_machine()}")
    print(f"Versions: {', '.join(versions)}")
    print(f"Command: python benchmarks/board.py (medians of {ROUNDS} rounds, sides alternating)\n")
    print("| workload | fourfall | OpenSpiel from Python | ratio | required |\n|---|--:|--:|--:|---|")
    for row in rows:
        print(row)
    if start:
        print("\nOpenSpiel's connect_four has no undo_action; push and pop is compared with state.child(action), which")
        print("clones and applies in one call. Its perft uses child too; its random games clone once and apply_action.")
    else:
        print(f"\n{INSTALL}")


if __name__ == "__main__":
    main()
