"""Owns the tests of what games say: counts by hand, and intervals against a simulated truth."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfall.arena.bradley_terry import fit
from fourfall.arena.judge import Ending
from fourfall.arena.ratings import Interval, Results, elo, pair_interval, student, tally
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.standings import cross_table, standings

Counts = tuple[int, int, int, int, int]

COUNTS = st.tuples(*[st.integers(0, 200)] * 5)


def game(number: int, first: str, second: str, winner: int | None, **fields: object) -> GameRecord:
    """Make a record of a game; two consecutive numbers are a pair."""
    ending = Ending.TIE if winner is None else Ending.WIN
    record = replace(EXAMPLE, number=number, pair=number // 2, names=(first, second), winner=winner, ending=ending)
    return replace(record, **fields)  # type: ignore[arg-type]


def one_sided(games: int) -> list[GameRecord]:
    """Let a win every game against b."""
    pairs = [[game(at, "a", "b", 0), game(at + 1, "b", "a", 1)] for at in range(0, games, 2)]
    return [record for pair in pairs for record in pair]


def test_counts_by_hand() -> None:
    """Wins, draws and losses stand on the right side, pairs by their points, and a failure with its culprit."""
    records = [
        game(0, "a", "b", 0),
        game(1, "b", "a", 1),
        game(2, "a", "b", 1, culprit=0, ending=Ending.CRASH),
        game(3, "b", "a", None),
        game(4, "a", "c", 1),
        game(5, "c", "a", 0, culprit=1, ending=Ending.TIMEOUT),
        game(6, "a", "b", 0),
    ]
    ours = tally(records, "a")
    assert (ours.first, ours.second) == (Results(2, 0, 2), Results(1, 1, 1))
    assert (ours.pairs, ours.loose) == ((1, 1, 0, 0, 1), 1)
    assert ours.failures == {Ending.CRASH: 1, Ending.TIMEOUT: 1}
    assert ours.total.points == 3.5
    theirs = tally(records, "b")
    assert (theirs.pairs, theirs.failures) == ((1, 0, 0, 1, 0), {})
    assert tally(records, "a", "c").total == Results(0, 0, 2)
    assert tally(records, "nobody").total.games == 0
    assert cross_table(records)["a", "b"] == Results(3, 1, 1)


def test_games_of_an_incomplete_pair_count_but_do_not_narrow() -> None:
    """A lone game moves the score and leaves the interval to the pairs; groups do not mix."""
    records = [game(0, "a", "b", 0), game(1, "b", "a", 1), game(2, "a", "b", 1)]
    mine = tally(records, "a")
    assert mine.score.value == pytest.approx(2 / 3)
    assert mine.score.high == pair_interval((0, 0, 0, 0, 1)).high
    assert tally([game(0, "a", "b", 0), game(1, "b", "a", 1, group="other")], "a").loose == 2


def test_the_interval_by_hand() -> None:
    """For pairs that are all won or lost the formula is Wilson's, worked out on paper for 40 pairs, 30 of them won."""
    n, p = 40, 0.75
    z = student(n)
    v = p * (1 - p) * (1 + 1 / n)
    coins = n * p * (1 - p) / v
    roots = np.roots([1 + z * z / coins, -(2 * p + z * z / coins), p * p])
    interval = pair_interval((10, 0, 0, 0, 30))
    assert interval.value == p
    assert [interval.low, interval.high] == pytest.approx(sorted(roots))
    assert interval.low == pytest.approx(0.591, abs=0.001)


@given(COUNTS)
def test_an_interval_holds_its_value_and_mirrors(pairs: Counts) -> None:
    """Bounds lie in 0..1 around the value, have a width, and exchanging the sides mirrors them."""
    interval, mirrored = pair_interval(pairs), pair_interval(pairs[::-1])
    assert 0 <= interval.low <= interval.value <= interval.high <= 1
    assert interval.low < interval.high
    assert [mirrored.low, mirrored.value, mirrored.high] == pytest.approx(
        [1 - interval.high, 1 - interval.value, 1 - interval.low]
    )


@given(COUNTS, st.integers(2, 5))
def test_more_of_the_same_narrows(pairs: Counts, times: int) -> None:
    """The same results several times over make a narrower interval of the same value."""
    if sum(pairs) > 0:
        interval, narrower = pair_interval(pairs), pair_interval(tuple(times * count for count in pairs))  # type: ignore[arg-type]
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
    ids=["even", "strong", "first wins", "coin", "coin 90", "coin 97", "never loses both"],
)
def test_the_interval_covers_the_truth(chances: list[float], count: int) -> None:
    """In 2000 simulated matches the truth lies in the interval at least 93 times in 100, whatever the length."""
    source = np.random.default_rng(count)
    truth = sum(at / 4 * chance for at, chance in enumerate(chances))
    outcomes, repeats = np.unique(source.multinomial(count, chances, size=2000), axis=0, return_counts=True)
    covered = 0
    for pairs, often in zip(outcomes.tolist(), repeats.tolist(), strict=True):
        interval = pair_interval(tuple(pairs))
        covered += often if interval.low - 1e-9 <= truth <= interval.high + 1e-9 else 0
    assert covered / 2000 >= 0.93


def test_a_long_match_is_not_overcautious() -> None:
    """With many pairs the interval is the usual one: the mean and 1.96 standard errors."""
    pairs = (1000, 2000, 4000, 2000, 1000)
    interval = pair_interval(pairs)
    error = 1.96 * math.sqrt((2 * 0.1 * 0.25 + 2 * 0.2 * 0.0625) / 10_000)
    assert interval.high - 0.5 == pytest.approx(error, rel=0.01)


def test_elo_has_honest_ends() -> None:
    """Nothing lost means no upper bound and a finite lower one, and the other way round."""
    won = tally(one_sided(20), "a")
    assert (won.elo.value, won.elo.high) == (math.inf, math.inf)
    assert 0 < won.elo.low < 300
    lost = tally(one_sided(20), "b")
    assert (lost.elo.value, lost.elo.low) == (-math.inf, -math.inf)
    assert elo(0.5) == 0
    assert elo(0.64) == pytest.approx(100, abs=0.1)


def simulated(strengths: Sequence[float], pairs: int, source: np.random.Generator) -> list[GameRecord]:
    """Play a round robin between agents of known ratings; whoever begins is worth 60 Elo more, a tenth are draws."""
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
                    records.append(game(number, str(first), str(second), winner))
                    number += 1
    return records


def test_ratings_cover_the_truth() -> None:
    """In simulated tournaments the true ratings lie in their intervals at least 92 times in 100, and not always."""
    source = np.random.default_rng(1)
    truth = [-150.0, -30.0, 30.0, 150.0]
    covered = []
    for _ in range(60):
        ratings = fit(simulated(truth, 12, source), ["0", "1", "2", "3"])
        covered += [rating.low <= true <= rating.high for rating, true in zip(ratings, truth, strict=True)]
    assert 0.92 <= np.mean(covered) < 1


def test_long_tournaments_find_the_ratings() -> None:
    """Three thousand pairs put every agent near its rating, best first, around a mean of 0."""
    lines = standings(simulated([-100, 0, 100], 1000, np.random.default_rng(2)))
    assert [line.name for line in lines] == ["2", "1", "0"]
    assert [line.rating.value for line in lines] == pytest.approx([100, 0, -100], abs=15)
    assert sum(line.rating.value for line in lines) == pytest.approx(0, abs=1e-6)
    assert all(line.rating.high - line.rating.low < 30 for line in lines)


def test_a_match_of_two_has_the_ratings_of_its_score() -> None:
    """Between two agents the difference of the fitted ratings is the Elo of the score, nearly."""
    records = simulated([-60, 60], 200, np.random.default_rng(3))
    best, worst = standings(records)
    assert best.rating.value - worst.rating.value == pytest.approx(tally(records, "1").elo.value, rel=0.02)


def test_ratings_of_extremes_are_finite_with_open_ends() -> None:
    """Whoever wins everything has no upper bound; whoever has not played has the mean and no bounds at all."""
    records = one_sided(40)
    best, middle, worst = standings(records, ["c"])
    assert (best.name, middle.name, worst.name) == ("a", "c", "b")
    assert math.isfinite(best.rating.value)
    assert (best.rating.high, worst.rating.low) == (math.inf, -math.inf)
    assert math.isfinite(best.rating.low)
    assert (middle.rating.low, middle.rating.high) == (-math.inf, math.inf)
    assert standings([]) == []
    assert standings([], ["x"])[0].rating == Interval(0.0, -math.inf, math.inf)
