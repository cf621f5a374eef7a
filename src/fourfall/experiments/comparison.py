"""Compares an effect in a report with ours: Elo differences with intervals, a verdict, and a sentence.

A report measures two variants against the same samples and gives two scores. Their Elo difference is the difference of
the Elo values of the scores; its interval follows from the numbers of games. Samples of mixed strength compress
differences, so sizes are compared only roughly.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from fourfall.arena.ratings import Interval, ResultCounts, compute_pair_score_interval, convert_score_to_elo
from fourfall.arena.tables import format_elo, format_interval

ASSUMED_GAMES = 100
"""Games of a figure if its report gives none: one game as first and one as second player against 50 samples."""

ELO_NOTE = "Elo differences of the report are computed from its scores and numbers of games."
"""Condition of a report with Elo differences, because the reports of 000 to 003 give none."""


class Verdict(StrEnum):
    """Result of a comparison."""

    AGREES = "agrees within error"
    SAME_DIRECTION = "agrees in direction"
    OTHER_SIZE = "agrees in direction, not in size"
    CONTRADICTS = "contradicts"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class ReportedScore:
    """A score in a report: share of wins, number of games (None if the report does not say), and its words."""

    score: float
    games: int | None
    text: str

    @property
    def interval(self) -> Interval:
        """The score with its 95 % interval; unknown numbers of games count as `ASSUMED_GAMES`.

        >>> ReportedScore(0.88, 100, "88 %").interval.low > 0.79
        True
        """
        games = ASSUMED_GAMES if self.games is None else self.games
        wins = round(self.score * games)
        return compute_game_score_interval(ResultCounts(wins, 0, games - wins))


def compute_game_score_interval(results: ResultCounts) -> Interval:
    """Return the score of single games, which belong to no pairs, with its 95 % interval.

    Each game counts as a pair with twice its result, so that the variance is that of single games.

    >>> interval = compute_game_score_interval(ResultCounts(88, 0, 12))
    >>> interval.value, round(interval.low, 2), round(interval.high, 2)
    (0.88, 0.8, 0.93)
    """
    return compute_pair_score_interval((results.losses, 0, results.draws, 0, results.wins))


def compare_scores(before: ReportedScore, after: ReportedScore) -> Interval:
    """Return the Elo difference of two reported scores, with its 95 % interval.

    >>> difference = compare_scores(ReportedScore(0.88, 100, ""), ReportedScore(0.99, 100, ""))
    >>> round(difference.value), difference.low > 0
    (452, True)
    """
    one, other = (convert_interval_to_elo(figure.interval) for figure in (before, after))
    return subtract_intervals(other, one)


def convert_interval_to_elo(score: Interval) -> Interval:
    """Return the Elo difference that corresponds to a score, with its bounds."""
    return Interval(*(convert_score_to_elo(value) for value in (score.value, score.low, score.high)))


def subtract_intervals(one: Interval, other: Interval) -> Interval:
    """Return the difference of two independent estimates; the distances of the bounds are added in quadrature.

    The difference of infinite estimates, which belong to scores of 0 or 100 %, is unknown.

    >>> subtract_intervals(Interval(10, 7, 13), Interval(2, -2, 6))
    Interval(value=8, low=3.0, high=13.0)
    >>> subtract_intervals(Interval(math.inf, 300, math.inf), Interval(math.inf, 200, math.inf))
    Interval(value=0.0, low=-inf, high=inf)
    """
    if math.isinf(one.value) and one.value == other.value:
        return Interval(0.0, -math.inf, math.inf)
    if math.isinf(one.value) or math.isinf(other.value):
        low, high = one.low - other.high, one.high - other.low
        return Interval(one.value - other.value, low, high)
    value = one.value - other.value
    low = math.hypot(one.value - one.low, other.high - other.value)
    high = math.hypot(one.high - one.value, other.value - other.low)
    return Interval(value, value - low, value + high)


def judge_effect(theirs: Interval | None, ours: Interval, *, is_gain: bool = True) -> Verdict:
    """Compare an effect of ours with that of a report; `is_gain` says whether the report claims a gain.

    Without figures (`theirs` is None) only the direction is compared. An effect that our games do not separate from 0
    is undecided, unless they also exclude the claimed size.

    >>> judge_effect(Interval(100, 40, 160), Interval(80, 50, 110))
    <Verdict.AGREES: 'agrees within error'>
    >>> judge_effect(Interval(-380, -450, -310), Interval(-10, -50, 30), is_gain=False)
    <Verdict.CONTRADICTS: 'contradicts'>
    >>> judge_effect(None, Interval(-10, -50, 30))
    <Verdict.UNDECIDED: 'undecided'>
    """
    sign = 1 if is_gain else -1
    near, far = sorted((sign * ours.low, sign * ours.high))
    if far < 0:
        return Verdict.CONTRADICTS
    difference = None if theirs is None else subtract_intervals(ours, theirs)
    is_same_size = difference is None or difference.low <= 0 <= difference.high
    if near > 0:
        if theirs is None:
            return Verdict.SAME_DIRECTION
        return Verdict.AGREES if is_same_size else Verdict.OTHER_SIZE
    return Verdict.UNDECIDED if is_same_size else Verdict.CONTRADICTS


def describe_effect(subject: str, theirs: Interval | None, ours: Interval, *, is_gain: bool = True) -> str:
    """Write the comparison in one sentence.

    >>> describe_effect("Informed rollouts", None, Interval(168.2, 113.0, 224.0))
    'Informed rollouts: the report claims a gain without figures, ours is +168 (+113..+224) Elo, which agrees in \
direction.'
    """
    verdict = judge_effect(theirs, ours, is_gain=is_gain)
    claimed = "gain" if is_gain else "loss"
    claim = f"a {claimed} without figures" if theirs is None else f"{format_interval(theirs)} Elo"
    endings = {
        Verdict.AGREES: "which agrees within error",
        Verdict.SAME_DIRECTION: "which agrees in direction",
        Verdict.OTHER_SIZE: f"which agrees in direction, not in size ({format_elo(ours.value)})",
        Verdict.CONTRADICTS: "which contradicts the report",
        Verdict.UNDECIDED: "which decides nothing: the interval contains 0",
    }
    name = f"{subject[:1].upper()}{subject[1:]}"
    return f"{name}: the report claims {claim}, ours is {format_interval(ours)} Elo, {endings[verdict]}."
