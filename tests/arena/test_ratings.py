"""Tests of result counts and confidence intervals, with known examples and with simulated matches."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfall.arena.judge import Ending
from fourfall.arena.ratings import (
    ResultCounts,
    compute_match_superiority,
    compute_pair_score_interval,
    convert_score_to_elo,
    tally_games,
)
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.standings import make_cross_table
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


@given(COUNTS)
def test_superiority_agrees_with_the_interval(pairs: Counts) -> None:
    """The likelihood of superiority is above 97.5 % exactly if the interval lies above 1/2; both agents add up to 1."""
    superiority = compute_match_superiority(pairs)
    assert superiority + compute_match_superiority(pairs[::-1]) == pytest.approx(1)
    low = compute_pair_score_interval(pairs).low
    if abs(low - 0.5) > 1e-4:
        assert (superiority > 0.975) == (low > 0.5)
