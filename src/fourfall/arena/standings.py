"""Ranks the agents of an event by rating, group by group, and makes the cross table."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fourfall.arena.ratings import Interval, ResultCounts, Tally, tally_games
from fourfall.arena.record import GameRecord


@dataclass(frozen=True)
class Standing:
    """A row of the standings: the agent's results and its rating relative to the mean of its group."""

    name: str
    tally: Tally
    rating: Interval


def rank_agents(records: Sequence[GameRecord], names: Iterable[str] = ()) -> list[Standing]:
    """Rank the agents of one group of an event, best first; `names` adds agents that have not played yet."""
    # Imported here because NumPy takes longer to import than most commands run.
    from fourfall.arena.bradley_terry import fit_ratings

    games: dict[str, list[GameRecord]] = {name: [] for name in names}
    for record in records:
        for name in record.names:
            games.setdefault(name, []).append(record)
    ratings = fit_ratings(records, list(games))
    rows = [
        Standing(name, tally_games(played, name), rating)
        for (name, played), rating in zip(games.items(), ratings, strict=True)
    ]
    return sorted(rows, key=lambda row: (-row.rating.value, row.name))


def rank_groups(
    records: Sequence[GameRecord], members: Mapping[str, Sequence[str]] | None = None
) -> dict[str, list[Standing]]:
    """Rank every group of an event; `members` has the groups and agents that are scheduled, played or not."""
    groups: dict[str, list[GameRecord]] = {group: [] for group in members or {}}
    for record in records:
        groups.setdefault(record.group, []).append(record)
    return {group: rank_agents(played, (members or {}).get(group, ())) for group, played in groups.items()}


def make_cross_table(records: Iterable[GameRecord]) -> dict[tuple[str, str], ResultCounts]:
    """Count each agent's results against each opponent, by (agent, opponent).

    >>> from fourfall.arena.record import EXAMPLE
    >>> make_cross_table([EXAMPLE])["right", "left"]
    ResultCounts(wins=0, draws=0, losses=1)
    """
    table: dict[tuple[str, str], ResultCounts] = defaultdict(ResultCounts)
    for record in records:
        points = record.first_points
        result = ResultCounts(int(points == 1), int(points == 0.5), int(points == 0))
        table[record.names] += result
        table[record.names[::-1]] += ResultCounts(result.losses, result.draws, result.wins)
    return dict(table)
