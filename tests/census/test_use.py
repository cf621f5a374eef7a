"""Tests of the engine and of the commands on boards of the census."""

import json
from dataclasses import replace
from importlib import import_module

import pytest
from typer.testing import CliRunner, Result

from fourfall import Board, Engine, Limit, Solver
from fourfall.agents.base import Conditions
from fourfall.agents.native import EngineAgent
from fourfall.census import find_solved
from fourfall.cli import app
from fourfall.presets import load


def run(*arguments: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(app, arguments)


def test_analysis_equals_the_solver_without_a_search() -> None:
    """The analysis of an empty board has the scores of the solver for every column, a line each, and no simulations."""
    board = Board(4, 5, hole=(3, 4))
    analysis = Engine("fourfall").analyse(board, Limit(simulations=1))
    solution = Solver(memory_mb=4).solve(board, columns=True)
    assert [column.score for column in analysis.columns] == [column.score for column in solution.columns]
    assert (analysis.score, analysis.stopped_by, analysis.simulations) == (solution.score, "census", 0)
    assert analysis.board == board
    assert analysis.pv == analysis.columns[analysis.move].pv
    for column in analysis.columns:
        assert column.has_score
        assert column.pv[0] == column.column
        assert len(column.pv) == column.distance


def test_seeds_levels_and_moves_search_as_before() -> None:
    """Only analyses of presets with a solver use the census; it can be switched off."""
    board, limit = Board(4, 5), Limit(simulations=50)
    assert Engine("seed-002").analyse(board, limit).simulations == 50
    assert Engine("fourfall-classic", use_census=False).analyse(board, limit).stopped_by != "census"
    assert Engine("fourfall-classic").search(board, limit).simulations > 0
    level = EngineAgent(load("fourfall-classic"), Conditions(), simulations=50)
    assert level.analyse(board, limit).stopped_by != "census"


def test_solve_prints_the_result_and_its_source() -> None:
    """The command needs no positions for a known board and says where the result comes from."""
    result = run("solve", "4x6")
    assert result.exit_code == 0
    assert "result loses in 12" in result.output
    assert "source census of solved boards" in result.output
    data = json.loads(run("solve", "4x6@3,5", "--json").output)
    assert (data["source"], data["positions"], data["score"]["distance"]) == ("census", 0, 23)
    assert len(data["columns"]) == 6


def test_solve_of_one_stone_and_without_the_census() -> None:
    """A board with one stone is known without its columns; --no-census gives the same result by a search."""
    known = json.loads(run("solve", "4x5:1", "--no-columns", "--json").output)
    searched = json.loads(run("solve", "4x5:1", "--no-columns", "--no-census", "--json").output)
    assert (known["source"], searched["source"]) == ("census", "solver")
    assert known["score"] == searched["score"]
    assert searched["positions"] > 0
    assert json.loads(run("solve", "4x4:1", "--json").output)["source"] == "solver"


def test_solve_of_a_board_without_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """The result of an empty board is printed at once, even if the census does not have its columns."""
    solved = find_solved(Board(4, 6))
    assert solved is not None
    without_columns = replace(solved, columns=())
    monkeypatch.setattr(import_module("fourfall.cli.solve"), "find_solved", lambda _: without_columns)
    result = run("solve", "4x6")
    assert (result.exit_code, "result loses in 12" in result.output) == (0, True)
    assert "source census of solved boards, which has not all columns of this one" in " ".join(result.output.split())
    data = json.loads(run("solve", "4x6", "--json").output)
    assert (data["source"], data["columns"], data["positions"]) == ("census", [], 0)
    assert "which has not all columns" not in run("solve", "4x6", "--no-columns").output


@pytest.mark.parametrize("option", ["--census", "--no-census"])
def test_analyse_prints_exact_results(option: str) -> None:
    """A board of 16 cells is exact with the census; without it the search reports its cost."""
    result = run("analyse", "4x4", option, "--simulations", "20")
    assert result.exit_code == 0
    assert ("source census" in result.output) == (option == "--census")
    assert ("simulations in" in result.output) == (option == "--no-census")
