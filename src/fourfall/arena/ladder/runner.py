"""Runs a ladder: pairs the active agents, plays and stores their games, and suspends agents that keep failing."""

import itertools
import random
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from fourfall.arena.event_workers import add_worker
from fourfall.arena.executor import Cores, Executor, GameExecutor
from fourfall.arena.game import ScheduledGame
from fourfall.arena.ladder.history import store_snapshot
from fourfall.arena.ladder.pairing import choose_pairing
from fourfall.arena.ladder.registry import MIN_AGENTS, Ladder, LadderAgent
from fourfall.arena.ladder.results import LadderResults
from fourfall.arena.ladder.summary import list_connected_ratings
from fourfall.arena.ladder.suspension import MAX_CONSECUTIVE, RepeatedFailure, find_repeated_failure
from fourfall.arena.live_games import remove_live_games
from fourfall.arena.ratings import Interval
from fourfall.arena.record import GameRecord
from fourfall.arena.schedule import choose_starting_board, derive_seed, schedule_pair
from fourfall.arena.store import StoreError

if TYPE_CHECKING:
    from fourfall.arena.rating_model import RatingModel

_PAIRINGS, _GAMES = range(2)  # what a seed is derived for


@dataclass(frozen=True)
class RunOptions:
    """How long a ladder runs, and how.

    No pair is started after `pairs` pairs or after `seconds`; None means without limit. An agent is suspended after
    `max_failures` games in a row that it lost by a failure.
    """

    pairs: int | None = None
    seconds: float | None = None
    max_failures: int = MAX_CONSECUTIVE
    sandbox: bool = True


class LadderRunner:
    """Runs a ladder in this process, with a worker process for each entry of `cores`, or by an executor.

    After every game, `results` has the state on disk, `model` that after the last complete pair, and `suspended` the
    agents that this run suspended.
    """

    def __init__(
        self,
        ladder: Ladder,
        cores: Sequence[Cores],
        options: RunOptions | None = None,
        executor: GameExecutor | None = None,
    ) -> None:
        self.ladder = ladder
        self.results = LadderResults(ladder.event)
        self.model: RatingModel | None = None
        self.suspended: dict[str, RepeatedFailure] = {}
        self._cores = cores
        self._options = RunOptions() if options is None else options
        self._executor = executor
        self._running_games: Counter[str] = Counter()  # of each agent

    def run(self, on_start: Callable[[GameExecutor], None] | None = None) -> Generator[GameRecord]:
        """Play games; yield each record after it is on disk.

        `on_start` receives the executor; setting its `stopping` ends the run after the games in progress. To stop at
        once, close the generator: only the games in progress are lost. The run also ends when fewer than two agents
        are active.
        """
        store, event = self.ladder.store, self.ladder.event
        with store.claim_event(event):
            remove_live_games(store.path, event)
            self._update()
            require_agents(self.ladder)
            try:
                with self._executor or Executor(self._cores, store.path.absolute(), event) as executor:
                    executor.on_worker = partial(add_worker, store, event)
                    if on_start is not None:
                        on_start(executor)
                    for record in executor.play(self._list_games()):
                        store.add_game(event, record)
                        self._running_games.subtract(record.names)
                        pairs = self.results.pairs
                        self._update()
                        if self.results.pairs > pairs:
                            store_snapshot(store, event, self.results.pairs, self.ratings)
                        yield record
            finally:
                remove_live_games(store.path, event)

    @property
    def ratings(self) -> dict[str, Interval]:
        """Ratings in Elo of the largest set of agents that are connected by games."""
        return {} if self.model is None else list_connected_ratings(self.model)

    def _update(self) -> None:
        """Read the new games, compute the ratings and suspend agents that keep failing."""
        # Imported here because NumPy takes longer to import than most commands run.
        from fourfall.arena.rating_model import fit_rating_model

        pairs = self.results.pairs
        self.results.update(self.ladder.store)
        if self.results.pairs > pairs:
            self.model = fit_rating_model(self.results.rating_input)
        for agent in self._list_active().values():
            games = self.results.get_agent(agent.name).list_games_after(agent.active_after)
            failure = find_repeated_failure(games, self._options.max_failures)
            if failure is not None:
                self.ladder.suspend_agent(agent.name, failure)
                self.suspended[agent.name] = failure

    def _list_active(self) -> dict[str, LadderAgent]:
        return {agent.name: agent for agent in self.ladder.list_agents() if agent.is_active}

    def _list_games(self) -> Iterator[ScheduledGame]:
        """Yield the missing games of half pairs, then pairs of games that are chosen when a worker is free."""
        started = time.monotonic()
        first_pair = self.results.last_pair + 1
        for pair in sorted(self.results.half_pairs):
            yield from self._complete_pair(pair)
        for count in itertools.count():
            if self._options.pairs is not None and count >= self._options.pairs:
                return
            if self._options.seconds is not None and time.monotonic() >= started + self._options.seconds:
                return
            active = self._list_active()
            if len(active) < MIN_AGENTS:
                return
            yield from self._start_pair(first_pair + count, active)

    def _complete_pair(self, pair: int) -> Iterator[ScheduledGame]:
        """Yield the missing game of a half pair if both agents are active."""
        half, active = self.results.half_pairs[pair], self._list_active()
        if not all(name in active for name in half.names):
            return
        one, other = half.names if half.number % 2 == 0 else half.names[::-1]
        try:
            board = self.ladder.store.get_record(half.game).board
        except StoreError:  # a damaged record: the pair stays incomplete
            return
        for game in self._schedule(pair, active[one], active[other], board):
            if game.number != half.number:
                yield self._count_running(game)

    def _start_pair(self, pair: int, active: dict[str, LadderAgent]) -> Iterator[ScheduledGame]:
        """Choose two agents and yield their two games; the second one only if both are still active then."""
        settings = self.ladder.settings
        one, other = self._choose_pairing(pair, list(active))
        board = choose_starting_board(settings.boards, settings.opening, pair, self._derive_seed(pair))
        for game in self._schedule(pair, active[one], active[other], board):
            if self._list_active().keys() >= {one, other}:
                yield self._count_running(game)

    def _choose_pairing(self, pair: int, names: list[str]) -> tuple[str, str]:
        generator = random.Random(derive_seed(self.ladder.settings.seed, _PAIRINGS, pair))  # noqa: S311 (no secret)
        # Imported here because NumPy takes longer to import than most commands run.
        from fourfall.arena.ladder.pairing_model import PairingModel

        model = PairingModel(self.results.rating_input)
        candidates = [
            model.make_candidate(name, self.results.get_agent(name).pairs, running=(self._running_games[name] + 1) // 2)
            for name in names
        ]
        return choose_pairing(candidates, generator, model.compute_error)

    def _schedule(self, pair: int, one: LadderAgent, other: LadderAgent, board: str) -> Iterator[ScheduledGame]:
        entrants = one.entrant, other.entrant
        return schedule_pair(pair, entrants, board, self._derive_seed(pair), sandbox=self._options.sandbox)

    def _derive_seed(self, pair: int) -> int:
        return derive_seed(self.ladder.settings.seed, _GAMES, pair)

    def _count_running(self, game: ScheduledGame) -> ScheduledGame:
        self._running_games.update(seat.name for seat in game.seats)
        return game


def require_agents(ladder: Ladder) -> None:
    """Raise StoreError if fewer than two agents are active."""
    agents = ladder.list_agents()
    active = sum(agent.is_active for agent in agents)
    if active >= MIN_AGENTS:
        return
    counted = "no active agent" if active == 0 else "only one active agent"
    suspended = [agent.name for agent in agents if agent.state == "suspended"]
    if suspended:
        raise StoreError(
            f"{ladder.store.path}: the ladder has {counted}; suspended: {', '.join(suspended)}. fourfall ladder show "
            "says why, fourfall ladder resume NAME activates an agent again"
        )
    raise StoreError(
        f"{ladder.store.path}: the ladder has {counted}; add at least two agents: fourfall ladder add ADDRESS"
    )
