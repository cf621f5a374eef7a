"""Labels positions with the exact solver and with an engine; runs in worker processes.

A score is one integer: 1000 - d for a win in d plies, -(1000 - d) for a loss in d plies, 0 for a draw. Better scores
are greater, the sign is the outcome, and 1000 - |score| is the distance of a win or loss.
"""

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from fourfall._core import Board, ColumnAnalysis, ColumnSolution, Limit, Score, Solution, solve_many
from fourfall.datasets.settings import LabelKind, Settings
from fourfall.datasets.stones import SIZE
from fourfall.engine import Engine
from fourfall.presets import Preset, load

SCORE_BASE = 1000
WORST, BEST = 2 - SCORE_BASE, SCORE_BASE - 1
"""Bounds that hold for every position: a loss in two plies, a win in one."""

# Most positions are solved quickly with a small table, which is cleared faster than a large one.
_SMALL_POSITIONS = 20_000
_SMALL_MEMORY_MB = 4

Bounds = tuple[int, int]


@dataclass(frozen=True)
class Label:
    """Label of one position for the side to move; lists have one entry for each of twelve columns.

    Attributes:
        bounds: lower and upper bound of the score; equal if the score is exact.
        column_bounds: the same for each legal column, None for others.
        solver_positions: positions that the solver searched; None without the solver.
        value: expected result of the engine, -1 to 1; None without an engine.
        column_values: the same for each column that the engine visited or proved.
        policy: share of the visits of each legal column; None if the engine proved the result without visits.
        simulations: simulations of the engine.
        instruction_set: instruction set of the network; None without a network.
    """

    bounds: Bounds
    column_bounds: tuple[Bounds | None, ...]
    solver_positions: int | None = None
    value: float | None = None
    column_values: tuple[float | None, ...] | None = None
    policy: tuple[float | None, ...] | None = None
    simulations: int | None = None
    instruction_set: str | None = None

    def to_json(self) -> str:
        """Write the label as JSON."""
        return json.dumps(list(vars(self).values()), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "Label":
        """Read a label as `to_json` writes it."""
        values: list[Any] = [tuple(value) if isinstance(value, list) else value for value in json.loads(text)]
        bounds, column_bounds, *rest = values
        return cls(bounds, tuple(None if pair is None else (pair[0], pair[1]) for pair in column_bounds), *rest)


@dataclass(frozen=True)
class LabelTask:
    """Positions to label, with everything that the labels depend on; `ranks` identify the positions."""

    positions: tuple[str, ...]
    ranks: tuple[int, ...]
    labels: tuple[LabelKind, ...]
    max_positions: int
    engine: str
    preset: str | None
    simulations: int
    memory_mb: int
    seed: int


def make_task(settings: Settings, positions: Sequence[str], ranks: Sequence[int] = ()) -> LabelTask:
    """Return the task that labels positions with the settings of a data set."""
    return LabelTask(
        tuple(positions),
        tuple(ranks),
        settings.labels,
        settings.positions,
        settings.engine,
        settings.preset,
        settings.simulations,
        settings.memory_mb,
        settings.seed,
    )


def label_positions(task: LabelTask) -> list[Label]:
    """Label the positions of a task, each independently of the others.

    >>> task = make_task(Settings(boards=("4x5",), positions=100_000), ["4x5:11223"])
    >>> label_positions(task)[0].column_bounds[:6]
    ((-998, -998), (-998, -998), (-998, -998), (0, 0), (-998, -998), None)
    """
    boards = [Board.parse(text) for text in task.positions]
    solved = _solve(boards, task) if "solver" in task.labels else [None] * len(boards)
    searched = [_search(board, task) if "engine" in task.labels else None for board in boards]
    return [_merge(*pair) for pair in zip(solved, searched, strict=True)]


def encode_score(score: Score) -> int:
    """Return a proven score as an integer.

    >>> encode_score(Score.win(1)), encode_score(Score.draw(9)), encode_score(Score.loss(2))
    (999, 0, -998)
    """
    distance = score.distance or 0
    return SCORE_BASE - distance if score.is_win else distance - SCORE_BASE if score.is_loss else 0


def _solve(boards: list[Board], task: LabelTask) -> list[Label | None]:
    """Solve positions within the limit, each with an empty table: first with a small one, then with the full one."""
    small = min(task.max_positions, _SMALL_POSITIONS)
    solutions = solve_many(boards, positions=small, columns=True, memory_mb=_SMALL_MEMORY_MB, threads=1)
    hard = [at for at, solution in enumerate(solutions) if not _is_solved(solution)]
    if hard and small < task.max_positions:
        again = solve_many(
            [boards[at] for at in hard],
            positions=task.max_positions,
            columns=True,
            memory_mb=task.memory_mb,
            threads=1,
        )
        for at, solution in zip(hard, again, strict=True):
            solutions[at] = solution
    return [_label_solution(solution) for solution in solutions]


def _is_solved(solution: Solution) -> bool:
    return solution.score is not None and all(column.score is not None for column in solution.columns)


def _label_solution(solution: Solution) -> Label:
    columns: list[Bounds | None] = [None] * SIZE
    for column in solution.columns:
        columns[column.column] = _get_bounds(column)
    return Label(_get_bounds(solution), tuple(columns), solver_positions=solution.positions)


def _get_bounds(solution: Solution | ColumnSolution) -> Bounds:
    return encode_score(solution.lower), encode_score(solution.upper)


def _search(board: Board, task: LabelTask) -> Label:
    """Search with a new engine, so that the label does not depend on other positions."""
    preset = _load_preset(task.engine, task.preset)
    engine = Engine(preset, seed=task.seed, memory_mb=task.memory_mb, threads=1)
    analysis = engine.search(board, Limit(simulations=task.simulations))
    columns: list[Bounds | None] = [None] * SIZE
    values: list[float | None] = [None] * SIZE
    for column in analysis.columns:
        columns[column.column] = _get_proof(column.score)
        if column.has_score:
            values[column.column] = column.score.value
    network = engine.network
    return Label(
        _get_proof(analysis.score),
        tuple(columns),
        value=analysis.score.value,
        column_values=tuple(values),
        policy=_share_visits(analysis.columns),
        simulations=analysis.simulations,
        instruction_set=None if network is None else network.instruction_set,
    )


def _get_proof(score: Score) -> Bounds:
    """Return the bounds that an engine's score proves: the game ends within the distance."""
    if not score.is_exact:
        return WORST, BEST
    proven = encode_score(score)
    return (proven, BEST) if proven > 0 else (WORST, proven) if proven < 0 else (0, 0)


def _share_visits(columns: Sequence[ColumnAnalysis]) -> tuple[float | None, ...] | None:
    total = sum(column.visits for column in columns)
    if total == 0:
        return None
    shares: list[float | None] = [None] * SIZE
    for column in columns:
        shares[column.column] = column.visits / total
    return tuple(shares)


def _merge(solved: Label | None, searched: Label | None) -> Label:
    """Return the label of the engine with the tighter of both bounds."""
    if solved is None or searched is None:
        label = solved or searched
        assert label is not None  # noqa: S101 (a task has at least one kind of label)
        return label
    columns = tuple(
        None if first is None or second is None else _intersect(first, second)
        for first, second in zip(solved.column_bounds, searched.column_bounds, strict=True)
    )
    bounds = _intersect(solved.bounds, searched.bounds)
    return replace(searched, bounds=bounds, column_bounds=columns, solver_positions=solved.solver_positions)


def _intersect(first: Bounds, second: Bounds) -> Bounds:
    return max(first[0], second[0]), min(first[1], second[1])


@cache
def _load_preset(name: str, text: str | None) -> Preset:
    """Load a preset of the package, or one whose configuration came with the task."""
    if text is None:
        return load(name)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "preset.toml"
        path.write_text(text, encoding="utf-8")
        return load(path)
