"""Owns the tests of how results are written."""

import io
from dataclasses import replace

from rich.console import Console

from fourfall.arena.judge import Ending
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.report import cross_grid, failure_lines, match_lines, tournament_grids


def records() -> list[GameRecord]:
    """Make three games of a pairing: a pair that left wins with 1.5 points, and one game that left crashed in."""
    won, lost = EXAMPLE, replace(EXAMPLE, number=1, names=("right", "left"), winner=None, ending=Ending.TIE)
    again = "fourfall ask left 6x7 --time 3"
    crash = replace(EXAMPLE, number=2, pair=1, winner=1, culprit=0, ending=Ending.CRASH, reproducer=again)
    return [won, lost, replace(crash, detail="killed\nby \x1b[31mSIGSEGV")]


def test_a_match_is_summed_up() -> None:
    """Sides apart, score, Elo, pairs, loose games and failures have a line each."""
    assert match_lines(records(), "left", "right") == [
        "left against right",
        "side      games  won  drawn  lost  score %",
        "first         2    1      0     1     50.0",
        "second        1    0      1     0     50.0",
        "together      3    1      1     1     50.0",
        "",
        "score     50.0 %, 95 % confidence 0.3 to 100.0",
        "Elo       0, 95 % confidence -984 to +1365",
        "pairs     1, by points 0: 0, 0.5: 0, 1: 0, 1.5: 1, 2: 0",
        "          1 games of incomplete pairs count in the score, not in the intervals",
        "failures  left: 1 crash",
    ]


def test_the_table_is_the_same_in_a_terminal_and_in_a_file() -> None:
    """Both forms have the same cells; agents that have not played are there; markup in a name is only a name."""
    games = [replace(record, names=(f"[red]{record.names[0]}", f"[red]{record.names[1]}")) for record in records()]
    [grid] = tournament_grids(games, {"": ["late"]})
    text = "\n".join(grid.lines())
    file = io.StringIO()
    Console(width=120, file=file).print(grid.table())
    drawn = file.getvalue()
    assert text.split() == drawn.split()
    assert "[red]left" in text
    assert text.endswith("\n3  late            0  0-0-0")
    assert "1 crash" in text


def test_groups_have_tables_of_their_own() -> None:
    """Games of two groups make two tables, in the order of the spec."""
    games = [replace(EXAMPLE, group="b"), replace(EXAMPLE, group="a")]
    grids = tournament_grids(games, {"a": ["left", "right"]})
    assert [grid.title for grid in grids] == ["a", "b"]
    assert all(row[2] == "1" for grid in grids for row in grid.rows)


def test_the_cross_table_has_points_and_games() -> None:
    """A cell says how many points the agent of the row made in how many games."""
    assert cross_grid(records(), ["left", "right"]).rows == (("1", "left", "", "1.5/3"), ("2", "right", "1.5/3", ""))


def test_failures_are_listed_with_the_way_to_see_them_again() -> None:
    """Culprit, kind and detail on one line, whatever the program wrote; a long list is cut and says so."""
    numbered = list(enumerate(records(), 10))
    assert failure_lines(numbered) == [
        "game 12  left  crash: killed by  [31mSIGSEGV",
        "  again with: fourfall ask left 6x7 --time 3",
    ]
    assert failure_lines(numbered * 3, shown=1)[-1] == "and 2 more"
