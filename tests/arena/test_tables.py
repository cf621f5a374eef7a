"""Tests of the formatted results."""

import io
from dataclasses import replace

from rich.console import Console

from fourfall.arena.judge import Ending
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.tables import format_cross_table, format_failures, format_groups, format_match


def records() -> list[GameRecord]:
    """Make three games of a pairing: a pair in which left has 1.5 points, and a game in which left crashed."""
    won, lost = EXAMPLE, replace(EXAMPLE, number=1, names=("right", "left"), winner=None, ending=Ending.TIE)
    command = "fourfall ask left 6x7 --time 3"
    crash = replace(EXAMPLE, number=2, pair=1, winner=1, culprit=0, ending=Ending.CRASH, reproducer=command)
    return [won, lost, replace(crash, detail="killed\nby \x1b[31mSIGSEGV")]


def test_match() -> None:
    """The results by side, the score, the Elo difference, pairs, unpaired games and failures have a line each."""
    assert format_match(records(), "left", "right") == [
        "left against right",
        "side      games  won  drawn  lost  score %",
        "first         2    1      0     1     50.0",
        "second        1    0      1     0     50.0",
        "together      3    1      1     1     50.0",
        "",
        "score     50.0 %, 95 % confidence 0.3 to 100.0",
        "Elo       0, 95 % confidence -984 to +1365",
        "          difference to the opponent: 400 log10(s / (1 - s)) of the score s, as in the table",
        "pairs     1, by points 0: 0, 0.5: 0, 1: 0, 1.5: 1, 2: 0",
        "          1 games of incomplete pairs count in the score, not in the intervals",
        "failures  left: 1 crash",
    ]


def test_terminal_and_file_have_the_same_cells() -> None:
    """Agents that have not played are included, and markup in a name is not interpreted."""
    games = [replace(record, names=(f"[red]{record.names[0]}", f"[red]{record.names[1]}")) for record in records()]
    [grid] = format_groups(games, {"": ["late"]})
    text = "\n".join(grid.to_lines())
    file = io.StringIO()
    Console(width=120, file=file).print(grid.to_rich())
    drawn = file.getvalue()
    assert text.split() == drawn.split()
    assert "[red]left" in text
    assert text.endswith("\n3  late            0  0-0-0")
    assert "1 crash" in text


def test_one_table_per_group() -> None:
    """Games of two groups make two tables, in the order of the spec."""
    games = [replace(EXAMPLE, group="b"), replace(EXAMPLE, group="a")]
    grids = format_groups(games, {"a": ["left", "right"]})
    assert [grid.title for grid in grids] == ["a", "b"]
    assert all(row[2] == "1" for grid in grids for row in grid.rows)


def test_cross_table() -> None:
    """A cell has the points of the row's agent and the number of games."""
    grid = format_cross_table(records(), ["left", "right"])
    assert grid is not None
    assert grid.rows == (("1", "left", "", "1.5/3"), ("2", "right", "1.5/3", ""))


def test_cross_table_of_many_agents() -> None:
    """A gauntlet has a column for the challenger only; a large round robin has no cross table."""
    names = [f"agent {at}" for at in range(20)]
    gauntlet = [replace(EXAMPLE, names=(names[3], other)) for other in names if other != names[3]]
    grid = format_cross_table(gauntlet, names)
    assert grid is not None
    assert grid.header == ("", "agent", "4")
    assert grid.rows[0] == ("1", "agent 0", "0/1")
    round_robin = [replace(EXAMPLE, names=(one, other)) for one in names for other in names if one != other]
    assert format_cross_table(round_robin, names) is None


def test_failures() -> None:
    """Agent, ending and detail are on one line without control characters; a long list is shortened."""
    numbered = list(enumerate(records(), 10))
    assert format_failures(numbered) == [
        "game 12  left  crash: killed by  [31mSIGSEGV",
        "  reproduce with: fourfall ask left 6x7 --time 3",
    ]
    assert format_failures(numbered * 3, limit=1)[-1] == "and 2 more"
