"""Speed of the versions of report 004: simulations per second of processor time, used by the ladder at equal time."""

import time
from collections.abc import Mapping

from fourfall._core import Board, Limit
from fourfall.arena.tables import Grid
from fourfall.engine import Engine
from fourfall.experiments.experiment import Report
from fourfall.experiments.measurements import (
    MeasurementExperiment,
    Measurements,
    MeasurementSize,
    compute_median_interval,
)
from fourfall.experiments.report_004 import VERSIONS

_GAMES = (
    "9x9@2,1:6362476646",
    "9x12@4,1:b79ca85338823149a9339646766aaa",
    "10x11@7,7:15795345747758b4818166aa511155",
    "11x10@7,6:77869a7898788a6aa6747731418113",
    "12x9@3,1:54955233445862488336",
    "12x12@7,0:9998288b2b",
)
_EVERY = 10  # plies between two positions of a game
_MEMORY_MB = 64
_ARRAY_VERSIONS = ("v1", "v2", "v3", "v4")
_ARRAY_SHARE = 10  # versions with an array of cells get this part of the simulations
# Changes that the report makes for speed, and the graph, which costs speed.
_CHANGES = (("v4", "v5"), ("v9", "v10"), ("v13", "v14"), ("v14", "v17"))


def list_positions() -> list[Board]:
    """Return the positions after every tenth ply of the games, the empty boards first.

    >>> len(list_positions())
    19
    """
    positions = []
    for text in _GAMES:
        game = Board.parse(text)
        for ply in range(0, game.ply + 1, _EVERY):
            board = Board(game.rows, game.cols, hole=game.hole)
            for column in game.moves[:ply]:
                board.push(column)
            positions.append(board)
    return sorted(positions, key=lambda board: board.ply)


def measure_versions(simulations: int, _: int) -> Mapping[str, float]:
    """Measure simulations per second of processor time of every version, over all positions."""
    measured = {}
    for version in VERSIONS:
        share = _ARRAY_SHARE if version.name in _ARRAY_VERSIONS else 1
        limit = Limit(simulations=max(1, simulations // share))
        done, used_s = 0, 0.0
        for board in list_positions():
            engine = Engine(f"seed-004-{version.name}", seed=1, memory_mb=_MEMORY_MB)
            started = time.process_time()
            done += engine.search(board, limit).simulations
            used_s += time.process_time() - started
        measured[version.name] = done / used_s
    return measured


def analyse_speed(rounds: Measurements) -> Report:
    """Tabulate the speed of each version and the ratio to the version before."""
    speeds = {name: compute_median_interval(values) for name, values in rounds.items()}
    rows = []
    for at, version in enumerate(VERSIONS):
        speed = speeds[version.name]
        bounds = f"{speed.low / 1e3:.0f}..{speed.high / 1e3:.0f}"
        ratio = f"{speed.value / speeds[VERSIONS[at - 1].name].value:.2f}" if at else "—"
        rows.append((version.name, version.adds, f"{speed.value / 1e3:.0f}", bounds, ratio))
    header = ("version", "adds", "thousand simulations/s", "95 %", "ratio to the version before")
    readings = []
    for before, after in _CHANGES:
        ratios = [one / other for one, other in zip(rounds[after], rounds[before], strict=True)]
        gain = compute_median_interval(ratios)
        readings.append(
            f"{after} makes {gain.value:.2f} ({gain.low:.2f}..{gain.high:.2f}) times the simulations of {before} in "
            "the same time."
        )
    note = (
        f"Searches of {len(list_positions())} positions from games on six official boards, empty board to ply 30, each "
        f"with a new engine of {_MEMORY_MB} MiB; processor time of the process. The ladder at equal time uses "
        "figures of an earlier run of the same measurement."
    )
    return Report((note,), (Grid(header, tuple(rows), frozenset(header[:2])),), tuple(readings))


EXPERIMENTS = (
    MeasurementExperiment(
        "004-speed",
        "Simulations per second of the seventeen versions",
        'Report 004: v5 uses "bitboards and bit operations to speed up the test for a win" and follows a profile; v10 '
        "shifts less on small boards; v14 to v17 share and reclaim nodes. The report has no figures for speed.",
        Grid(
            ("step", "speed"),
            (("v4 to v5", "faster"), ("v9 to v10", "faster on small boards")),
            frozenset({"step", "speed"}),
        ),
        measure_versions,
        analyse_speed,
        MeasurementSize(9, 10_000),
        MeasurementSize(2, 200),
    ),
)
