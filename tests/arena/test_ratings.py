"""Tests of result counts, confidence intervals and ratings, with known examples and with simulated strengths."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfall.arena.bradley_terry import fit_ratings
from fourfall.arena.judge import Ending
from fourfall.arena.ratings import (
    Interval,
    ResultCounts,
    compute_pair_score_interval,
    convert_score_to_elo,
    tally_games,
)
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.standings import make_cross_table, rank_agents
from fourfall.arena.student_t import compute_student_quantile

Counts = tuple[int, int, int, int, int]

COUNTS = st.tuples(*[st.integers(0, 200)] * 5)


def make_game(number: int, first: str, second: str, winner: int | None, **fields: object) -> GameRecord:
    """Make a record; games 2k and 2k + 1 are a pair."""
    ending = Ending.TIE if winner is None else Ending.WIN
    record = replace(EXAMPLE, number=number, pair=number // 2, names=(first, second), winner=winner, ending=ending)
    return replace(record, **fields)  # type: ignore[arg-type]


def make_one_sided_games(games: int) -> list[GameRecord]:
    """Make games in which a always beats b."""
    pairs = [[make_game(at, "a", "b", 0), make_game(at + 1, "b", "a", 1)] for at in range(0, games, 2)]
    return [record for pair in pairs for record in pair]


def test_tally() -> None:
    """Results are counted by side, pairs by their points, and a failure for its culprit."""
    records = [
        make_game(0, "a", "b", 0),
        make_game(1, "b", "a", 1),
        make_game(2, "a", "b", 1, culprit=0, ending=Ending.CRASH),
        make_game(3, "b", "a", None),
        make_game(4, "a", "c", 1),
        make_game(5, "c", "a", 0, culprit=1, ending=Ending.TIMEOUT),
        make_game(6, "a", "b", 0),
    ]
    of_a = tally_games(records, "a")
    assert (of_a.first, of_a.second) == (ResultCounts(2, 0, 2), ResultCounts(1, 1, 1))
    assert (of_a.pairs, of_a.unpaired) == ((1, 1, 0, 0, 1), 1)
    assert of_a.failures == {Ending.CRASH: 1, Ending.TIMEOUT: 1}
    assert of_a.total.points == 3.5
    of_b = tally_games(records, "b")
    assert (of_b.pairs, of_b.failures) == ((1, 0, 0, 1, 0), {})
    assert tally_games(records, "a", "c").total == ResultCounts(0, 0, 2)
    assert tally_games(records, "unknown").total.games == 0
    assert make_cross_table(records)["a", "b"] == ResultCounts(3, 1, 1)


def test_incomplete_pair_does_not_count_in_the_interval() -> None:
    """A game without its second game counts in the score only; games of two groups are not a pair."""
    records = [make_game(0, "a", "b", 0), make_game(1, "b", "a", 1), make_game(2, "a", "b", 1)]
    mine = tally_games(records, "a")
    assert mine.score.value == pytest.approx(2 / 3)
    assert mine.score.high == compute_pair_score_interval((0, 0, 0, 0, 1)).high
    assert tally_games([make_game(0, "a", "b", 0), make_game(1, "b", "a", 1, group="other")], "a").unpaired == 2


def test_interval_of_won_and_lost_pairs() -> None:
    """Without split pairs the bounds solve Wilson's quadratic equation: 40 pairs, 30 of them won."""
    n, p = 40, 0.75
    z = compute_student_quantile(n)
    v = p * (1 - p) * (1 + 1 / n)
    trials = n * p * (1 - p) / v
    roots = np.roots([1 + z * z / trials, -(2 * p + z * z / trials), p * p])
    interval = compute_pair_score_interval((10, 0, 0, 0, 30))
    assert interval.value == p
    assert [interval.low, interval.high] == pytest.approx(sorted(roots))
    assert interval.low == pytest.approx(0.591, abs=0.001)


@given(COUNTS)
def test_interval_contains_its_value_and_is_symmetric(pairs: Counts) -> None:
    """The bounds lie in 0..1 around the value, the width is positive, and exchanging the sides mirrors the interval."""
    interval, mirrored = compute_pair_score_interval(pairs), compute_pair_score_interval(pairs[::-1])
    assert 0 <= interval.low <= interval.value <= interval.high <= 1
    assert interval.low < interval.high
    assert [mirrored.low, mirrored.value, mirrored.high] == pytest.approx(
        [1 - interval.high, 1 - interval.value, 1 - interval.low]
    )


@given(COUNTS, st.integers(2, 5))
def test_more_pairs_narrow_the_interval(pairs: Counts, times: int) -> None:
    """Multiplying all counts gives the same value and a narrower interval."""
    if sum(pairs) > 0:
        interval = compute_pair_score_interval(pairs)
        narrower = compute_pair_score_interval(tuple(times * count for count in pairs))  # type: ignore[arg-type]
        assert narrower.value == pytest.approx(interval.value)
        assert narrower.high - narrower.low < interval.high - interval.low


@pytest.mark.parametrize("count", [1, 2, 3, 5, 10, 25, 100, 500])
@pytest.mark.parametrize(
    "chances",
    [
        [0.1, 0.2, 0.4, 0.2, 0.1],
        [0, 0.02, 0.08, 0.2, 0.7],
        [0.02, 0.03, 0.9, 0.03, 0.02],
        [0.5, 0, 0, 0, 0.5],
        [0.1, 0, 0, 0, 0.9],
        [0.03, 0, 0, 0, 0.97],
        [0, 0, 0.5, 0, 0.5],
    ],
    ids=["equal", "strong", "split pairs", "won or lost", "90 % won", "97 % won", "never loses both"],
)
def test_coverage_of_the_interval(chances: list[float], count: int) -> None:
    """The interval contains the true mean in at least 93 % of 2000 simulated matches of any length."""
    source = np.random.default_rng(count)
    true_mean = sum(at / 4 * chance for at, chance in enumerate(chances))
    outcomes, repeats = np.unique(source.multinomial(count, chances, size=2000), axis=0, return_counts=True)
    covered = 0
    for pairs, often in zip(outcomes.tolist(), repeats.tolist(), strict=True):
        interval = compute_pair_score_interval(tuple(pairs))
        covered += often if interval.low - 1e-9 <= true_mean <= interval.high + 1e-9 else 0
    assert covered / 2000 >= 0.93


def test_interval_of_many_pairs_is_normal() -> None:
    """With many pairs the interval is the mean plus and minus 1.96 standard errors."""
    pairs = (1000, 2000, 4000, 2000, 1000)
    interval = compute_pair_score_interval(pairs)
    error = 1.96 * math.sqrt((2 * 0.1 * 0.25 + 2 * 0.2 * 0.0625) / 10_000)
    assert interval.high - 0.5 == pytest.approx(error, rel=0.01)


def test_elo_of_a_perfect_score() -> None:
    """Without losses the upper bound is infinite and the lower one finite, and vice versa."""
    won = tally_games(make_one_sided_games(20), "a")
    assert (won.elo.value, won.elo.high) == (math.inf, math.inf)
    assert 0 < won.elo.low < 300
    lost = tally_games(make_one_sided_games(20), "b")
    assert (lost.elo.value, lost.elo.low) == (-math.inf, -math.inf)
    assert convert_score_to_elo(0.5) == 0
    assert convert_score_to_elo(0.64) == pytest.approx(100, abs=0.1)


def simulate_games(strengths: Sequence[float], pairs: int, source: np.random.Generator) -> list[GameRecord]:
    """Simulate a round robin of known ratings; the first player has 60 Elo more, and a tenth of the games are draws."""
    records = []
    number = 0
    for _ in range(pairs):
        for one in range(len(strengths)):
            for other in range(one):
                for first, second in ((one, other), (other, one)):
                    chance = 1 / (1 + 10 ** ((strengths[second] - strengths[first] - 60) / 400))
                    draw = min(0.1, 2 * chance, 2 * (1 - chance))
                    luck = source.random()
                    winner = 0 if luck < chance - draw / 2 else None if luck < chance + draw / 2 else 1
                    records.append(make_game(number, str(first), str(second), winner))
                    number += 1
    return records


def test_coverage_of_the_ratings() -> None:
    """In simulated tournaments at least 92 % of the intervals contain the true ratings, and not all of them."""
    source = np.random.default_rng(1)
    truth = [-150.0, -30.0, 30.0, 150.0]
    covered = []
    for _ in range(60):
        ratings = fit_ratings(simulate_games(truth, 12, source), ["0", "1", "2", "3"])
        covered += [rating.low <= true <= rating.high for rating, true in zip(ratings, truth, strict=True)]
    assert 0.92 <= np.mean(covered) < 1


def test_ratings_of_a_long_tournament() -> None:
    """After 3000 pairs the ratings are near the true ones, best first, with mean 0."""
    rows = rank_agents(simulate_games([-100, 0, 100], 1000, np.random.default_rng(2)))
    assert [row.name for row in rows] == ["2", "1", "0"]
    assert [row.rating.value for row in rows] == pytest.approx([100, 0, -100], abs=15)
    assert sum(row.rating.value for row in rows) == pytest.approx(0, abs=1e-6)
    assert all(row.rating.high - row.rating.low < 30 for row in rows)


def test_ratings_of_a_match() -> None:
    """The difference of the fitted ratings of two agents is the Elo difference of the score, within 2 %."""
    records = simulate_games([-60, 60], 200, np.random.default_rng(3))
    best, worst = rank_agents(records)
    assert best.rating.value - worst.rating.value == pytest.approx(tally_games(records, "1").elo.value, rel=0.02)


def test_ratings_without_losses_and_without_games() -> None:
    """An agent that wins all games has no upper bound; an agent without games has rating 0 and no bounds."""
    records = make_one_sided_games(40)
    best, middle, worst = rank_agents(records, ["c"])
    assert (best.name, middle.name, worst.name) == ("a", "c", "b")
    assert math.isfinite(best.rating.value)
    assert (best.rating.high, worst.rating.low) == (math.inf, -math.inf)
    assert math.isfinite(best.rating.low)
    assert (middle.rating.low, middle.rating.high) == (-math.inf, math.inf)
    assert rank_agents([]) == []
    assert rank_agents([], ["x"])[0].rating == Interval(0.0, -math.inf, math.inf)
