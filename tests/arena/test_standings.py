"""Tests of the standings: ranks, ratings, matches of two agents and unconnected agents."""

import math
from dataclasses import replace

import numpy as np
import pytest

from fourfall.arena.ratings import Interval, tally_games
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.standings import list_unconnected, rank_agents
from fourfall.arena.tables import describe_unconnected, format_cross_table, format_match, format_standings


def make_games(one: str, other: str, results: str, start: int = 0) -> list[GameRecord]:
    """Make pairs of games; each letter is the result of `one`: W, D or L, and it moves first in every second game."""
    records = []
    for at, letter in enumerate(results):
        names = (one, other) if at % 2 == 0 else (other, one)
        winner = None if letter == "D" else names.index(one if letter == "W" else other)
        number = start + at
        records.append(replace(EXAMPLE, number=number, pair=number // 2, names=names, winner=winner))
    return records


def test_match_states_one_difference() -> None:
    """Table and summary of a match have the same difference with the same bounds, and both say what it is."""
    records = make_games("a", "b", "W" * 70 + "WLDL" * 3 + "LL")
    best, worst = rank_agents(records)
    assert best.rating == tally_games(records, "a").elo
    assert [worst.rating.value, worst.rating.low, worst.rating.high] == pytest.approx(
        [-best.rating.value, -best.rating.high, -best.rating.low]
    )
    grid = format_standings([best, worst])
    assert grid.header[-1] == "Elo to opponent (95 %)"
    summary = format_match(records, "b", "a")
    [line] = [line for line in summary if line.startswith("Elo")]
    value, low, high = line.replace("Elo", "").replace(" to", ",").replace(", 95 % confidence", ",").split(",")
    assert grid.rows[1][-1] == f"{value.strip()} ({low.strip()}..{high.strip()})"
    assert (
        "difference to the opponent: 400 log10(s / (1 - s)) of the score s, as in the table"
        in summary[summary.index(line) + 1]
    )


def test_agents_without_games_come_last() -> None:
    """An agent that has not played is not ranked between those that have; the schedule's order is kept."""
    rows = rank_agents(make_games("a", "b", "WWWLWL"), ["z", "a", "c", "b"])
    assert [row.name for row in rows] == ["a", "b", "z", "c"]
    cross = format_cross_table(make_games("a", "b", "WW"), [f"{at}" for at in range(20)] + ["a", "b"])
    assert cross is not None
    assert cross.rows == (("21", "a", "", "2/2"), ("22", "b", "0/2", ""))


def test_ratings_of_several_agents() -> None:
    """Ratings are best first with mean 0 and near the true ones; an agent without games has no bounds."""
    source = np.random.default_rng(2)
    records: list[GameRecord] = []
    for one, other in (("2", "1"), ("2", "0"), ("1", "0")):
        chance = 1 / (1 + 10 ** (-100 * (int(one) - int(other)) / 400))
        letters = "".join(source.choice(["W", "L"], 2000, p=[chance, 1 - chance]))
        records += make_games(one, other, letters, len(records))
    rows = rank_agents(records)
    assert [row.name for row in rows] == ["2", "1", "0"]
    assert [row.rating.value for row in rows] == pytest.approx([100, 0, -100], abs=15)
    assert sum(row.rating.value for row in rows) == pytest.approx(0, abs=1e-6)
    assert all(row.rating.high - row.rating.low < 30 for row in rows)
    assert format_standings(rows).header[-1] == "Elo to mean (95 %)"


def test_agents_without_losses_and_without_games() -> None:
    """An agent that wins all games has no upper bound; an agent without games has rating 0 and no bounds."""
    best, worst, absent = rank_agents(make_games("a", "b", "W" * 40), ["c"])
    assert (best.name, worst.name, absent.name) == ("a", "b", "c")
    assert (best.rating.high, worst.rating.low) == (math.inf, -math.inf)
    assert math.isfinite(best.rating.low)
    assert (absent.rating.low, absent.rating.high) == (-math.inf, math.inf)
    assert rank_agents([]) == []
    assert rank_agents([], ["x"])[0].rating == Interval(0.0, -math.inf, math.inf)
    assert rank_agents([], ["x", "y"])[0].rating == Interval(0.0, -math.inf, math.inf)
    assert list_unconnected([best, worst, absent]) == []


def test_unconnected_agents_are_named() -> None:
    """Agents that no games connect are listed in sets, whose ratings are not compared."""
    records = make_games("a", "b", "WWLL") + make_games("x", "y", "WLWW", 10)
    sets = list_unconnected(rank_agents(records, ["late"]))
    assert sorted(map(sorted, sets)) == [["a", "b"], ["x", "y"]]
    first, *lines = describe_unconnected([["a\x1b", "b"], ["x", "y"]])
    assert first.startswith("No games connect these sets of agents.")
    assert lines == ["  a , b", "  x, y"]
