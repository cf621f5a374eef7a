"""Owns the table of a tournament: who stands where, and how each fared against each."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fourfall.arena.ratings import Interval, Results, Tally, tally
from fourfall.arena.record import GameRecord


@dataclass(frozen=True)
class Standing:
    """A line of the table: the agent's games, and its rating against the mean of the field."""

    name: str
    tally: Tally
    rating: Interval


def standings(records: Sequence[GameRecord], names: Iterable[str] = ()) -> list[Standing]:
    """Rank the agents of one group of an event, best first; `names` adds those that have not played yet."""
    # Here and not above: it needs numpy, which costs more time than most commands take.
    from fourfall.arena.bradley_terry import fit

    games: dict[str, list[GameRecord]] = {name: [] for name in names}
    for record in records:
        for name in record.names:
            games.setdefault(name, []).append(record)
    ratings = fit(records, list(games))
    lines = [
        Standing(name, tally(own, name), rating) for (name, own), rating in zip(games.items(), ratings, strict=True)
    ]
    return sorted(lines, key=lambda line: (-line.rating.value, line.name))


def standings_by_group(
    records: Sequence[GameRecord], members: Mapping[str, Sequence[str]] | None = None
) -> dict[str, list[Standing]]:
    """Rank every group of an event; `members` names the groups and agents that are expected, played or not."""
    groups: dict[str, list[GameRecord]] = {group: [] for group in members or {}}
    for record in records:
        groups.setdefault(record.group, []).append(record)
    return {group: standings(own, (members or {}).get(group, ())) for group, own in groups.items()}


def cross_table(records: Iterable[GameRecord]) -> dict[tuple[str, str], Results]:
    """Return how each agent fared against each, by (agent, opponent).

    >>> from fourfall.arena.record import EXAMPLE
    >>> cross_table([EXAMPLE])["right", "left"]
    Results(wins=0, draws=0, losses=1)
    """
    table: dict[tuple[str, str], Results] = defaultdict(Results)
    for record in records:
        points = record.first_score
        result = Results(int(points == 1), int(points == 0.5), int(points == 0))
        table[record.names] += result
        table[record.names[::-1]] += Results(result.losses, result.draws, result.wins)
    return dict(table)
