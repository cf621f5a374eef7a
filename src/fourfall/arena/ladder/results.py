"""Counts the results of a ladder from the stored games, reading each game once."""

from collections import Counter, deque
from dataclasses import dataclass, field

from fourfall.arena.judge import Ending
from fourfall.arena.ladder.suspension import WINDOW
from fourfall.arena.rating_input import RatingInput
from fourfall.arena.ratings import ResultCounts
from fourfall.arena.store import Store

_NEW_GAMES = """SELECT id, number, pair, first, second, winner, culprit, ending FROM games
WHERE event = ? AND id > ? AND typeof(number) = 'integer' AND typeof(pair) = 'integer' ORDER BY id"""


@dataclass(frozen=True)
class HalfPair:
    """The one stored game of a pair: its id, its number in the schedule and its players, first player first."""

    game: int
    number: int
    names: tuple[str, str]


@dataclass
class AgentResults:
    """Results of an agent: all games together, complete pairs, failures, and the last games with their ids.

    Games that the opponent lost by a failure are not among the last games: they do not show whether this agent is
    sound. Otherwise two agents that crash would win against each other and never be suspended.
    """

    total: ResultCounts = field(default_factory=ResultCounts)
    pairs: int = 0
    failures: Counter[Ending] = field(default_factory=Counter)
    last_games: deque[tuple[int, bool]] = field(default_factory=lambda: deque(maxlen=WINDOW))

    def list_games_after(self, game: int) -> list[tuple[int, bool]]:
        """List the last games after the one with this id, oldest first: the id, and whether the agent failed."""
        return [(number, failed) for number, failed in self.last_games if number > game]


class LadderResults:
    """Results of all games of a ladder; `update` adds the games that were stored since the last call."""

    def __init__(self, event: int) -> None:
        self.event = event
        self.rating_input = RatingInput()
        self.agents: dict[str, AgentResults] = {}
        self.half_pairs: dict[int, HalfPair] = {}
        self.games = 0
        self.pairs = 0  # complete ones
        self.last_pair = -1  # the highest number of a pair
        self._last_game = 0

    def update(self, store: Store) -> int:
        """Add the new games and return their number; rows that cannot be read are left out."""
        before = self.games
        for row in store.query(_NEW_GAMES, [self.event, self._last_game]):
            game, number, pair, first, second, winner, culprit, ending = row
            self._last_game = game
            if isinstance(first, str) and isinstance(second, str) and first != second and winner in (None, 0, 1):
                self.rating_input.add(first, second, winner, pair)
                self._add_game(HalfPair(game, number, (first, second)), pair, winner, culprit, ending)
        return self.games - before

    def get_agent(self, name: str) -> AgentResults:
        """Return the results of an agent; without games for an unknown name."""
        return self.agents.get(name) or AgentResults()

    def _add_game(self, game: HalfPair, pair: int, winner: int | None, culprit: object, ending: str) -> None:
        self.games += 1
        self.last_pair = max(self.last_pair, pair)
        partner = self.half_pairs.pop(pair, None)
        if partner is None:
            self.half_pairs[pair] = game
        else:
            self.pairs += 1
        for player, name in enumerate(game.names):
            results = self.agents.setdefault(name, AgentResults())
            results.total += ResultCounts(int(winner == player), int(winner is None), int(winner == 1 - player))
            results.pairs += partner is not None
            if culprit is None or culprit == player:
                results.last_games.append((game.game, culprit == player))
            if culprit == player and ending in set(Ending):
                results.failures[Ending(ending)] += 1
