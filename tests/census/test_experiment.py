"""Tests of the experiment: a small run, resuming it, its file and its statistics."""

import lzma
from collections import Counter
from pathlib import Path

import pytest

from fourfall import Board, Solver
from fourfall.census import list_boards, list_solved, read_census
from fourfall.census.census_file import FILE_NAME, find_solved
from fourfall.census.solving import SolveRecord, SolveTask, solve_task
from fourfall.census.verification import find_contradictions
from fourfall.experiments import ExperimentError, Report, RunSettings, get_experiment, open_run
from fourfall.experiments.census_parity import Comparison, HoleBoard, Table, compare_parities, compute_exact_p
from fourfall.experiments.census_results import ARCHIVE_FILE, RESULTS_FILE, CensusResults
from fourfall.experiments.census_tables import list_exceptions, tabulate_published

SETTINGS = RunSettings(max_cells=16)
BOARDS = 9


def start(folder: Path, *, resume: bool = False) -> tuple[list[str], Report]:
    """Run the census of 4x4 in a folder; return the lines that it prints, and the report."""
    lines: list[str] = []
    experiment = get_experiment("census")
    run = open_run(experiment, folder, SETTINGS, lambda *_: True, resume=resume, workers=1, echo=lines.append)
    return lines, experiment.run(run)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Report]:
    """Run the census of 4x4 once."""
    folder = tmp_path_factory.mktemp("census") / "run"
    return folder, start(folder)[1]


def test_run_gives_the_census_of_the_package(finished: tuple[Path, Report]) -> None:
    """The file of the run has the results of the package's file, for every board of the run."""
    folder, report = finished
    assert report.missing == ""
    boards = read_census(folder / FILE_NAME)
    assert len(boards) == BOARDS
    for solved in boards:
        known = find_solved(solved.board)
        assert known is not None
        assert solved.score == known.score
        assert [column.score for column in solved.columns] == [column.score for column in known.columns]
    archived = lzma.decompress((folder / ARCHIVE_FILE).read_bytes()).decode()
    assert archived == (folder / RESULTS_FILE).read_text()


def test_killed_run_continues(finished: tuple[Path, Report], tmp_path: Path) -> None:
    """After a line that was cut by a kill, only that board and the missing ones are solved again."""
    folder = tmp_path / "run"
    start(folder)
    lines = (finished[0] / RESULTS_FILE).read_text().splitlines(keepends=True)
    (folder / RESULTS_FILE).write_text("".join(lines[:6]) + lines[6][:40])
    echoed, report = start(folder, resume=True)
    assert len(echoed) == BOARDS - 6
    assert report.missing == ""
    assert sorted(record.board for record in CensusResults(folder).records) == sorted(
        board.notation for board in list_boards(4, 4)
    )


def test_run_continues_from_the_archive(finished: tuple[Path, Report], tmp_path: Path) -> None:
    """A folder without results.jsonl, as committed, keeps its records when boards are added."""
    (tmp_path / ARCHIVE_FILE).write_bytes((finished[0] / ARCHIVE_FILE).read_bytes())
    results = CensusResults(tmp_path)
    results.add(solve_task(SolveTask("4x5", positions=1000, memory_mb=4)))
    assert len(CensusResults(tmp_path).records) == BOARDS + 1


def test_report_of_an_incomplete_run_says_so(finished: tuple[Path, Report], tmp_path: Path) -> None:
    """A folder with some of the boards gives a report that names how many are missing."""
    lines = (finished[0] / RESULTS_FILE).read_text().splitlines(keepends=True)
    (tmp_path / RESULTS_FILE).write_text("".join(lines[:2]))
    report = get_experiment("census").load_report(tmp_path, SETTINGS)
    assert report.missing == f"2 of {BOARDS} boards were solved"


def test_damaged_results_are_reported(tmp_path: Path) -> None:
    """A complete line that is not a record is an error with file and line, not a lost result."""
    (tmp_path / RESULTS_FILE).write_text('{"board": "4x4"}\n')
    with pytest.raises(ExperimentError, match=r"results\.jsonl, line 1: not a record of the census"):
        CensusResults(tmp_path)


def test_board_beyond_the_limit_has_bounds_and_is_tried_again(tmp_path: Path) -> None:
    """A board that was not solved is finished for this limit, but not for a greater one."""
    record = solve_task(SolveTask("6x7", positions=1000, memory_mb=4))
    assert (record.line, record.lower[0], record.upper[0]) == ("", "-", "+")
    results = CensusResults(tmp_path)
    results.add(record)
    assert results.is_finished("6x7", 1000)
    assert not results.is_finished("6x7", 1001)
    assert not results.is_solved("6x7")
    assert CensusResults(tmp_path).records == [record] == [SolveRecord.from_json(record.to_json())]


def test_symmetric_board_is_solved_by_halves() -> None:
    """The columns of a symmetric board have the scores that the solver finds for each of them."""
    board = Board.parse("4x5@3,2")
    solved = solve_task(SolveTask(board.notation, positions=10**6, memory_mb=4)).solved
    assert solved is not None
    columns = Solver(memory_mb=4).solve(board, columns=True).columns
    assert [(column.column, column.score) for column in solved.columns] == [
        (column.column, column.score) for column in columns
    ]
    assert find_contradictions(solved) == []


def test_exact_test_agrees_with_hand_computed_values() -> None:
    """Fisher's tea tasting, a table without association, two sizes, and sizes that explain the whole difference."""
    assert compute_exact_p([Table(4, 0, 0, 4)]) == pytest.approx(2 / 70)
    assert compute_exact_p([Table(5, 5, 5, 5)]) == 1
    assert compute_exact_p([Table(4, 0, 0, 4), Table(1, 0, 0, 1)]) == pytest.approx(2 / 140)
    assert compute_exact_p([Table(9, 0, 1, 0), Table(0, 1, 0, 9)]) == 1


def test_parities_are_compared_within_groups() -> None:
    """Boards are counted by the parity of the cells below the hole, separately by rows and columns."""
    boards = [
        HoleBoard("4x4@3,0", 4, 4, 0, 3, "first"),
        HoleBoard("4x4@2,0", 4, 4, 1, 2, "draw"),
        HoleBoard("5x4@3,0", 5, 4, 1, 3, "first"),
        HoleBoard("5x5@3,1", 5, 5, 1, 3, "second"),
    ]
    free, even, odd_even, odd_odd = compare_parities(boards)
    assert free == Comparison("all boards", "free cells", Counter(second=1), Counter(first=2, draw=1), None)
    assert (even.even, even.odd) == (Counter(first=1), Counter(draw=1))
    assert (odd_even.even, odd_even.odd) == (Counter(), Counter(first=1))
    assert odd_odd.odd == Counter(second=1)


def test_exceptions_are_named(finished: tuple[Path, Report]) -> None:
    """Of 4x4, one board with an odd number of cells below the hole differs from the three others."""
    boards = read_census(finished[0] / FILE_NAME)
    exceptions = list_exceptions(boards)
    assert [board.position for board in exceptions["even rows, odd below"]] == ["4x4@0,1"]
    assert exceptions["even rows, even below"] == []
    assert tabulate_published(boards).rows == (("4x4", "draw", "16", "draw", "16", "yes"),)


def test_data_file_has_the_results_of_the_committed_run() -> None:
    """The data file of the package is the output of the run in experiments/census."""
    results = CensusResults(Path(__file__).parents[2] / "experiments" / "census")
    assert sorted(results.solved, key=str) == sorted(list_solved(), key=str)
