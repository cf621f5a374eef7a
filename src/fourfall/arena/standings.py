"""Ranks the agents of an event by rating, group by group, and makes the cross table."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fourfall.arena.rating_input import RatingInput
from fourfall.arena.ratings import Interval, ResultCounts, Tally, tally_games
from fourfall.arena.record import GameRecord


@dataclass(frozen=True)
class Standing:
    """A row of the standings: the agent's results and its rating in Elo.

    In a group of two agents the rating is the difference to the opponent, which follows from the score; otherwise it is
    relative to the mean of the agents of the same component, the agents that are connected by games.
    """

    name: str
    tally: Tally
    rating: Interval
    component: int = 0


def rank_agents(records: Sequence[GameRecord], names: Iterable[str] = ()) -> list[Standing]:
    """Rank the agents of one group of an event, best first; `names` adds agents that have not played yet."""
    games: dict[str, list[GameRecord]] = {name: [] for name in names}
    for record in records:
        for name in dict.fromkeys(record.names):
            games.setdefault(name, []).append(record)
    tallies = {name: tally_games(played, name) for name, played in games.items()}
    return rank_tallies(tallies, RatingInput.from_records(records, games))


def rank_tallies(tallies: Mapping[str, Tally], results: RatingInput) -> list[Standing]:
    """Rank agents by the results of one group, best first; both arguments count the same games.

    Agents without games come last, in the order of `tallies`.
    """
    # Imported here because NumPy takes longer to import than most commands run.
    from fourfall.arena.rating_model import fit_rating_model

    if len(tallies) == 2:
        rows = [Standing(name, tally, tally.elo) for name, tally in tallies.items()]
    else:
        model = fit_rating_model(results)
        component = {name: at for at, members in enumerate(model.components) for name in members}
        rows = [Standing(name, tally, model.ratings[name], component[name]) for name, tally in tallies.items()]
    played = [row for row in rows if row.tally.total.games]
    # Equal agents are ranked by name, not by rounding errors.
    played.sort(key=lambda row: (-round(row.rating.value, 6), row.name))
    return played + [row for row in rows if not row.tally.total.games]


def list_unconnected(standings: Sequence[Standing]) -> list[list[str]]:
    """List the sets of agents whose ratings cannot be compared, because no games connect them; empty if there is one.

    Agents without games are left out.
    """
    sets: dict[int, list[str]] = defaultdict(list)
    for row in standings:
        if row.tally.total.games:
            sets[row.component].append(row.name)
    return list(sets.values()) if len(sets) > 1 else []


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
