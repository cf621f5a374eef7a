"""Counts results for the rating model: who played whom, who moved first, and which games are a pair.

The counts of a pairing are a sufficient statistic of the model, so memory grows with the number of pairings and not
with the number of games. A game is kept only until the other game of its pair arrives.
"""

from collections.abc import Hashable, Iterable, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

from fourfall.arena.ratings import ResultCounts
from fourfall.arena.record import GameRecord
from fourfall.arena.store import Store

LOSS, DRAW, WIN = range(3)
"""Results of the first player."""
PAIR_COUNTS = 9  # of the 15 counts of a pairing
_MAX_WAITING = 100_000

PairKey = Hashable
"""Identifies a pair of games between two agents; None for a game that belongs to no pair."""


class RatingError(ValueError):
    """Anchors that cannot be used; the message names the anchor."""


class RatingInput:
    """Numbers of results of every pairing of agents.

    `pairings` maps two names, in alphabetical order, to 15 counts. With the results 0, 1, 2 for a loss, draw and win of
    the player that moved first: count 3 r + s is the number of complete pairs with result r when the first name moved
    first and result s when the second name did; counts 9 + r and 12 + s are games of incomplete pairs.

    >>> results = RatingInput()
    >>> results.add("a", "b", 0, pair_key=1)
    >>> results.add("b", "a", None, pair_key=1)
    >>> results.add("b", "a", 1, pair_key=2)
    >>> results.games, results.pairs, results.unpaired
    (3, 1, 1)
    >>> results.get_pairings()["a", "b"]
    (0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0)
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names: dict[str, None] = dict.fromkeys(names)
        self._counts: dict[tuple[str, str], list[int]] = {}
        self._waiting: dict[tuple[PairKey, str, str], tuple[bool, int]] = {}
        self.games = 0
        self.pairs = 0
        self.damaged: dict[str, int] = {}
        """Number of rows that were left out, by the path of their database."""
        self.self_play = 0
        """Number of games of an agent against itself, which are left out."""

    @classmethod
    def from_records(cls, records: Iterable[GameRecord], names: Iterable[str] = ()) -> "RatingInput":
        """Count the records of one event; `names` adds agents that have not played.

        >>> from fourfall.arena.record import EXAMPLE
        >>> RatingInput.from_records([EXAMPLE]).names
        ['left', 'right']
        """
        results = cls(names)
        for record in records:
            results.add(*record.names, record.winner, (record.group, record.pair))
        return results

    @classmethod
    def from_stores(
        cls,
        stores: Iterable[Store | Path | str],
        events: Sequence[int] | None = None,
        *,
        keep_apart: bool = False,
    ) -> "RatingInput":
        """Count the games of databases, of all events or of the events with these numbers.

        An agent is known by its name: games of one name in several events and databases are games of one agent. With
        `keep_apart`, the path of the database is added to the names of its agents.
        """
        results = cls()
        for at, source in enumerate(stores):
            with ExitStack() as opened:
                store = source if isinstance(source, Store) else opened.enter_context(Store(source, read_only=True))
                results._add_store(at, store, events, f" ({store.path})" if keep_apart else "")
        return results

    def add(self, first: str, second: str, winner: int | None, pair_key: PairKey = None) -> None:
        """Add a game; the two games of a pair have the same key and exchange the players."""
        if first == second:
            self.self_play += 1
            return
        self.games += 1
        self._names.setdefault(first)
        self._names.setdefault(second)
        result = DRAW if winner is None else LOSS if winner else WIN
        is_reversed = first > second
        one, other = (second, first) if is_reversed else (first, second)
        if pair_key is None:
            self._count_single(one, other, is_reversed, result)
            return
        key = pair_key, one, other
        partner = self._waiting.pop(key, None)
        if partner is None:
            self._waiting[key] = is_reversed, result
            if len(self._waiting) > _MAX_WAITING:
                self._give_up_waiting(_MAX_WAITING // 2)
        elif partner[0] == is_reversed:  # not a pair: the same agent moved first twice
            self._count_single(one, other, is_reversed, partner[1])
            self._count_single(one, other, is_reversed, result)
        else:
            straight, reverse = (partner[1], result) if is_reversed else (result, partner[1])
            self._get_counts(one, other)[3 * straight + reverse] += 1
            self.pairs += 1

    @property
    def names(self) -> list[str]:
        """The names of all agents, in the order in which they appeared."""
        return list(self._names)

    @property
    def unpaired(self) -> int:
        """Number of games of incomplete pairs."""
        return self.games - 2 * self.pairs

    def get_pairings(self) -> dict[tuple[str, str], tuple[int, ...]]:
        """Return the 15 counts of each pairing; a game without the other game of its pair is an incomplete pair."""
        counts = {key: list(values) for key, values in self._counts.items()}
        for (_, one, other), (is_reversed, result) in self._waiting.items():
            counts.setdefault((one, other), [0] * 15)[_get_single_index(is_reversed, result)] += 1
        return {key: tuple(values) for key, values in counts.items()}

    def count_results(self) -> dict[str, ResultCounts]:
        """Return the results of each agent.

        >>> results = RatingInput()
        >>> results.add("a", "b", 0, pair_key=1)
        >>> results.count_results()["b"]
        ResultCounts(wins=0, draws=0, losses=1)
        """
        totals = {name: ResultCounts() for name in self._names}
        for (one, other), counts in self.get_pairings().items():
            straight = [sum(counts[3 * at : 3 * at + 3]) + counts[9 + at] for at in range(3)]
            reverse = [sum(counts[at:9:3]) + counts[12 + at] for at in range(3)]
            wins, draws, losses = (
                straight[WIN] + reverse[LOSS],
                straight[DRAW] + reverse[DRAW],
                straight[LOSS] + reverse[WIN],
            )
            totals[one] += ResultCounts(wins, draws, losses)
            totals[other] += ResultCounts(losses, draws, wins)
        return totals

    def _add_store(self, at: int, store: Store, events: Sequence[int] | None, suffix: str) -> None:
        chosen = [None] if events is None else [store.get_event(event).id for event in events]
        for event in chosen:
            for number, group, pair, first, second, winner in store.stream_results(event):
                if not (isinstance(first, str) and isinstance(second, str) and winner in (None, 0, 1)):
                    path = str(store.path)
                    self.damaged[path] = self.damaged.get(path, 0) + 1
                else:
                    self.add(first + suffix, second + suffix, winner, (at, number, group, pair))

    def _get_counts(self, one: str, other: str) -> list[int]:
        counts = self._counts.get((one, other))
        if counts is None:
            counts = self._counts[one, other] = [0] * 15
        return counts

    def _count_single(self, one: str, other: str, is_reversed: bool, result: int) -> None:
        self._get_counts(one, other)[_get_single_index(is_reversed, result)] += 1

    def _give_up_waiting(self, count: int) -> None:
        """Count the games that have waited longest as games of incomplete pairs, so that memory stays bounded."""
        for key in list(islice(self._waiting, count)):
            _, one, other = key
            self._count_single(one, other, *self._waiting.pop(key))


def _get_single_index(is_reversed: bool, result: int) -> int:
    return PAIR_COUNTS + 3 * is_reversed + result
