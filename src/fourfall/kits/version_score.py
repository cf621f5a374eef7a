"""The score of one version of a bot against an opponent, and the difference between two versions on the same boards."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from fourfall.agents.levels import LEVELS
from fourfall.arena.grading import estimate_level
from fourfall.arena.level_estimate import LevelEstimate
from fourfall.arena.ratings import Interval, Tally, tally_games
from fourfall.arena.record import GameRecord
from fourfall.arena.student_t import compute_student_quantile


@dataclass
class Version:
    """One version of a bot: its number, its name in the database, and its games."""

    number: int
    name: str
    opponent: str
    records: list[GameRecord] = field(default_factory=list)

    @property
    def tally(self) -> Tally:
        """Results and score."""
        return tally_games(self.records, self.name)

    @property
    def level(self) -> LevelEstimate | None:
        """The level, if the opponent is a level and a game was played."""
        return estimate_level(self.records, self.name) if self.opponent in LEVELS and self.records else None

    @property
    def failures(self) -> list[GameRecord]:
        """The games that the bot lost by a failure, such as a crash or a timeout."""
        return [record for record in self.records if record.culprit == record.names.index(self.name)]

    @property
    def pair_scores(self) -> dict[int, float]:
        """Share of points in each complete pair of games, by the number of the pair."""
        points: dict[int, list[float]] = {}
        for record in self.records:
            points.setdefault(record.pair, []).append(record.get_points(record.names.index(self.name)))
        return {pair: sum(both) / 2 for pair, both in points.items() if len(both) == 2}


@dataclass(frozen=True)
class Difference:
    """Score of the newer version less that of the older one, on the boards that both have played."""

    pairs: int
    score: Interval

    @property
    def verdict(self) -> str:
        """What the interval says in words."""
        if self.score.low > 0:
            return "better"
        return "worse" if self.score.high < 0 else "no clear difference yet"


def compare_versions(new: Version, old: Version) -> Difference | None:
    """Compare two versions on common boards; None if there are none.

    Both versions play the same opponent on the same boards, so the differences of the pair scores are the
    observations. The interval is Student's, with one added observation of the largest deviation, because few equal
    differences do not mean that the variance is 0.
    """
    ours, theirs = new.pair_scores, old.pair_scores
    differences = [ours[pair] - theirs[pair] for pair in ours.keys() & theirs.keys()]
    return compute_difference(differences) if differences else None


def compute_difference(differences: Sequence[float]) -> Difference:
    """Return the mean of differences between -1 and 1 with its 95 % interval.

    >>> compute_difference([0.5] * 4).verdict, compute_difference([0.5] * 40).verdict
    ('no clear difference yet', 'better')
    """
    count = len(differences)
    mean = sum(differences) / count
    variance = (sum((each - mean) ** 2 for each in differences) + 1) / count
    half_width = compute_student_quantile(count) * math.sqrt(variance / count)
    return Difference(count, Interval(mean, max(-1.0, mean - half_width), min(1.0, mean + half_width)))
