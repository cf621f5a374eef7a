"""Chooses the games of a quick gauntlet one pair after another, always against the most informative level.

A quick gauntlet is an event like any other. Its spec schedules more pairs against every level than are played; the
event plans only `games` of them. Which pair comes next depends on the games stored so far, so a stopped event can be
continued.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fourfall.agents.levels import LEVELS
from fourfall.arena.game import ScheduledGame
from fourfall.arena.level_estimate import LevelPosterior
from fourfall.arena.record import GameRecord
from fourfall.arena.schedule import schedule_games
from fourfall.arena.spec import Spec

QUICK_GAMES = 60
"""Number of games of a quick gauntlet by default."""


def make_quick_spec(gauntlet: Spec, games: int) -> Spec:
    """Return the spec of a quick gauntlet with this number of games, from that of a gauntlet against all levels.

    >>> spec = make_quick_spec(Spec.gauntlet("seed-003", list(LEVELS), pairs=1), 60)
    >>> spec.name, spec.groups[0].pairs
    ('quick gauntlet of seed-003, 60 games', 30)
    """
    group = replace(gauntlet.groups[0], pairs=games // 2)
    return replace(gauntlet, name=f"quick {gauntlet.name}, {games} games", groups=(group,))


def is_quick_gauntlet(spec: Spec, planned: int | None) -> bool:
    """Whether an event is a quick gauntlet: only there fewer games are planned than the spec schedules.

    >>> gauntlet = Spec.gauntlet("seed-003", list(LEVELS), pairs=1)
    >>> is_quick_gauntlet(make_quick_spec(gauntlet, 60), 60), is_quick_gauntlet(gauntlet, 100)
    (True, False)
    """
    scheduled = sum(2 * group.pairs * len(group.list_pairings()) for group in spec.groups)
    return planned is not None and planned < scheduled


class QuickSchedule:
    """The games of a quick gauntlet; each pair is chosen when it is needed, by the results added until then."""

    def __init__(self, spec: Spec, games: int, records: Iterable[GameRecord] = ()) -> None:
        self.posterior = LevelPosterior()
        self._agent = spec.groups[0].challengers[0]
        self._count = games
        self._waiting: dict[str, list[list[ScheduledGame]]] = {name: [] for name in LEVELS}
        played: set[int] = set()
        for record in records:
            played.add(record.number)
            self.add(record)
        self._begun: list[ScheduledGame] = []  # of pairs of which one game is stored
        self._started = len(played)
        scheduled = list(schedule_games(spec))
        for pair in zip(scheduled[::2], scheduled[1::2], strict=True):
            missing = [game for game in pair if game.number not in played]
            level = pair[0].seats[1].address
            if len(missing) == 2:
                self._waiting[level].append(missing)
            else:
                self._begun += missing

    def add(self, record: GameRecord) -> None:
        """Add a finished game."""
        self.posterior.add_records([record], self._agent)

    def __iter__(self) -> Iterator[ScheduledGame]:
        """Yield the games: first those that complete a pair, then two games of each pair."""
        for game in self._begun:
            self._started += 1
            yield game
        while self._started < self._count:
            level = self.posterior.choose_opponent()
            for game in self._waiting[level].pop(0):
                self._started += 1
                yield game
