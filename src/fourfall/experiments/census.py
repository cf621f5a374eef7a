"""The census: solves every empty board up to a number of cells, with every hole and without one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fourfall.arena.tables import Grid
from fourfall.census import SolvedBoard, list_boards, list_sizes, write_census
from fourfall.census.census_file import FILE_NAME
from fourfall.census.solving import SolveTask, solve_task
from fourfall.census.verification import find_contradictions
from fourfall.cluster.tasks import run_tasks
from fourfall.experiments.census_parity import compare_parities, list_hole_boards
from fourfall.experiments.census_published import STEININGER, TROMP, agrees_with_published
from fourfall.experiments.census_results import CensusResults
from fourfall.experiments.census_tables import (
    format_p_value,
    group_by_size,
    tabulate_map,
    tabulate_parities,
    tabulate_published,
    tabulate_sizes,
)
from fourfall.experiments.experiment import Experiment, Report
from fourfall.experiments.run import ExperimentRun, RunSettings

MAX_CELLS, QUICK_MAX_CELLS = 42, 20
"""Cells of the largest boards of a full and of a quick run, the hole included."""


@dataclass(frozen=True)
class Stage:
    """Limits of one pass over the boards: positions for a board and for each of its columns, and the table's size."""

    positions: int
    memory_mb: int


STAGES = (Stage(20_000_000, 64), Stage(500_000_000, 512), Stage(5_000_000_000, 2048))
"""The limits of the passes. A difficult board does not delay the others: it is tried again in the next pass."""


@dataclass(frozen=True)
class CensusExperiment(Experiment):
    """Solves boards in passes with growing limits, the smallest boards first."""

    def describe_size(self, settings: RunSettings) -> str:
        """Describe the number of boards."""
        cells = get_max_cells(settings)
        return f"{sum(1 for _ in _list_positions(cells))} boards of at most {cells} cells"

    def run(self, run: ExperimentRun) -> Report:
        """Solve the missing boards; write the census file and the records."""
        results = CensusResults(run.folder)
        max_cells = get_max_cells(run.settings)
        try:
            for stage in STAGES:
                # Boards without a hole first: where one is too difficult, those with a hole wait for the next pass.
                self._solve(run, results, _list_tasks(max_cells, stage, results, with_hole=False))
                self._solve(run, results, _list_tasks(max_cells, stage, results, with_hole=True))
        finally:
            results.write_archive(run.folder)
            write_census(run.folder / FILE_NAME, results.solved)
        return self.load_report(run.folder, run.settings)

    def load_report(self, folder: Path, settings: RunSettings) -> Report:
        """Make the report from the records in a folder."""
        results = CensusResults(folder)
        records, solved = results.records, results.solved
        wanted = set(_list_positions(get_max_cells(settings)))
        found = {each.position for each in solved if each.position in wanted}
        complete = sum(each.has_all_columns for each in solved if each.position in wanted)
        missing = "" if len(found) == len(wanted) else f"{len(found)} of {len(wanted)} boards were solved"
        seconds, positions = sum(each.seconds for each in records), sum(each.positions for each in records)
        conditions = (
            f"Boards of at most {get_max_cells(settings)} cells, the hole included; of a board and its reflection one.",
            f"{len(found)} of {len(wanted)} boards are solved, {complete} of them with every column.",
            f"The solver searched {positions:,} positions in {seconds / 60:,.0f} minutes of processor time.",
        )
        return Report(conditions, make_tables(solved), tuple(write_readings(solved)), missing)

    def _solve(self, run: ExperimentRun, results: CensusResults, tasks: list[SolveTask]) -> None:
        done = run_tasks(solve_task, tasks, cluster=run.cluster, workers=run.workers)
        for number, (task, record) in enumerate(done, 1):
            results.add(record)
            verdict = record.line.split(":")[0].split(" ")[-1] if record.line else "not solved within the limit"
            cost = f"{record.positions:,} positions, {record.seconds:,.1f} s"
            run.echo(f"{number}/{len(tasks)} {task.board}: {verdict} ({cost})")


def get_max_cells(settings: RunSettings) -> int:
    """Return the number of cells of the largest boards of a run."""
    return settings.max_cells or (QUICK_MAX_CELLS if settings.quick else MAX_CELLS)


def make_tables(boards: Iterable[SolvedBoard]) -> tuple[Grid, ...]:
    """Return all tables of the report."""
    boards = list(boards)
    published = tabulate_published(boards)
    return (
        Grid(
            published.header, published.rows, published.text_columns, "Boards without a hole beside published results"
        ),
        tabulate_sizes(boards),
        tabulate_parities(boards),
        *(tabulate_map(solved, *size) for size, solved in group_by_size(boards).items()),
    )


def write_readings(boards: Iterable[SolvedBoard]) -> Iterator[str]:
    """Write what the figures show, in sentences."""
    boards = list(boards)
    contradictions = [text for solved in boards for text in find_contradictions(solved)]
    if contradictions:
        yield f"Results of {len(boards)} boards contain {len(contradictions)} contradictions: {contradictions[0]}."
    else:
        yield f"All {len(boards)} boards are consistent: lines end as the scores say, the best column has the score."
    without = [solved for solved in boards if solved.board.hole is None]
    agreeing = sum(agrees_with_published(each.board.rows, each.board.cols, each.score) for each in without)
    yield f"{agreeing} of {len(without)} boards without a hole agree with the published tables, where these have them."
    for comparison in compare_parities(list_hole_boards(boards)):
        if comparison.p_value is None:
            continue
        shares = [
            f"{counts['first']} of {counts.total()} boards if {name}"
            for name, counts in (("even", comparison.even), ("odd", comparison.odd))
        ]
        yield (
            f"{comparison.group.capitalize()}, {comparison.number}: the first player wins on {' and on '.join(shares)} "
            f"(p = {format_p_value(comparison)})."
        )


def _list_positions(max_cells: int) -> Iterator[str]:
    return (board.notation for size in list_sizes(max_cells) for board in list_boards(*size))


def _list_tasks(max_cells: int, stage: Stage, results: CensusResults, *, with_hole: bool) -> list[SolveTask]:
    """List the boards that a pass has to solve; those with a hole only if their size was solved without one."""
    tasks = []
    for size in list_sizes(max_cells):
        without, *holes = (board.notation for board in list_boards(*size))
        if with_hole and not results.is_solved(without):
            continue
        tasks += [
            SolveTask(board, stage.positions, stage.memory_mb)
            for board in (holes if with_hole else [without])
            if not results.is_finished(board, stage.positions)
        ]
    return tasks


EXPERIMENTS = (
    CensusExperiment(
        name="census",
        title="Exact results of empty boards with every hole",
        source=f"Published for boards without a hole: John Tromp ({TROMP}) and Christophe Steininger ({STEININGER}).",
        claim=Grid(
            ("size", "result", "last stone"),
            (("6x6", "second player", "36"), ("5x8", "first player", "39"), ("6x7", "first player", "41")),
            frozenset({"size", "result"}),
        ),
    ),
)
