"""Tests of the comparison of an effect in a report with ours."""

import pytest

from fourfall.arena.ratings import Interval
from fourfall.experiments.comparison import (
    ReportedScore,
    Verdict,
    compare_scores,
    describe_effect,
    judge_effect,
    subtract_intervals,
)
from fourfall.experiments.measurements import compute_median_interval

GAIN = Interval(100, 50, 150)


@pytest.mark.parametrize(
    ("theirs", "ours", "is_gain", "verdict"),
    [
        (GAIN, Interval(80, 40, 120), True, Verdict.AGREES),
        (GAIN, Interval(400, 350, 450), True, Verdict.OTHER_SIZE),
        (GAIN, Interval(20, -30, 70), True, Verdict.CONTRADICTS),
        (GAIN, Interval(60, -10, 130), True, Verdict.UNDECIDED),
        (GAIN, Interval(-60, -100, -20), True, Verdict.CONTRADICTS),
        (None, Interval(60, 20, 100), True, Verdict.SAME_DIRECTION),
        (None, Interval(60, -20, 140), True, Verdict.UNDECIDED),
        (None, Interval(-60, -100, -20), True, Verdict.CONTRADICTS),
        (Interval(-100, -150, -50), Interval(-80, -120, -40), False, Verdict.AGREES),
        (None, Interval(60, 20, 100), False, Verdict.CONTRADICTS),
    ],
)
def test_verdict(theirs: Interval | None, ours: Interval, is_gain: bool, verdict: Verdict) -> None:
    """Direction and size decide; the sentence says the same."""
    assert judge_effect(theirs, ours, is_gain=is_gain) == verdict
    sentence = describe_effect("change", theirs, ours, is_gain=is_gain)
    words = {Verdict.CONTRADICTS: "contradicts the report", Verdict.UNDECIDED: "decides nothing"}
    assert sentence.startswith("Change: the report claims ")
    assert words.get(verdict, verdict.value.split(",")[0]) in sentence


def test_reported_scores_have_wide_intervals() -> None:
    """Fewer games give a wider interval, and a score of 100 % has a finite lower bound."""
    few, many = ReportedScore(0.9, 20, ""), ReportedScore(0.9, 2000, "")
    assert few.interval.low < many.interval.low < 0.9 < many.interval.high < few.interval.high
    difference = compare_scores(few, many)
    assert difference.value == pytest.approx(0)
    assert difference.low < 0 < difference.high
    assert ReportedScore(0.5, None, "").interval == ReportedScore(0.5, 100, "").interval


def test_difference_of_intervals_is_antisymmetric() -> None:
    """Exchanging the estimates changes the sign."""
    one, other = Interval(10, 5, 30), Interval(4, -1, 6)
    there, back = subtract_intervals(one, other), subtract_intervals(other, one)
    assert (there.value, there.low, there.high) == pytest.approx((-back.value, -back.high, -back.low))


@pytest.mark.parametrize(("count", "low"), [(3, 0), (5, 0), (6, 0), (8, 0), (9, 1), (21, 5)])
def test_median_interval_has_the_ranks_of_the_binomial_distribution(count: int, low: int) -> None:
    """Known ranks of the 95 % interval of a median."""
    interval = compute_median_interval([float(value) for value in range(count)])
    assert (interval.low, interval.high) == (low, count - 1 - low)
