"""Summarises a ladder as plain data: agents with state, rating, results and trend.

The command line (``--json``) and the web page serialise these dataclasses; a field has the same name in both.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfall.arena.event_summary import ELO_DIGITS, Estimate, EventState, find_event_state, round_interval
from fourfall.arena.ladder.history import Snapshot, compute_trend, load_history
from fourfall.arena.ladder.registry import AgentState, Ladder, LadderAgent
from fourfall.arena.ladder.results import LadderResults
from fourfall.arena.ratings import Interval
from fourfall.arena.store import Store, StoreError

if TYPE_CHECKING:
    from fourfall.arena.rating_model import RatingModel

_STATES: tuple[AgentState, ...] = ("active", "suspended", "removed")
_UNKNOWN = Interval(0.0, float("-inf"), float("inf"))


@dataclass(frozen=True)
class Suspension:
    """Why an agent is suspended: failures in its last games, and its last failure with the command that repeats it.

    `game` is the number of the game in the database.
    """

    failed: int
    played: int
    game: int
    ending: str
    detail: str
    reproducer: str


@dataclass(frozen=True)
class LadderStanding:
    """A row of the ladder.

    `rank` is None for agents that are not active, `elo` for agents that are not connected with the others by games.
    """

    rank: int | None
    agent: str
    address: str
    state: AgentState
    added: str
    games: int
    won: int
    drawn: int
    lost: int
    elo: Estimate | None
    trend: float | None
    failures: dict[str, int]
    suspension: Suspension | None


@dataclass(frozen=True)
class LadderSummary:
    """A ladder: its event and the agents, active ones first, best first."""

    event: int
    name: str
    state: EventState
    games: int
    pairs: int
    agents: list[LadderStanding]


def summarise_ladder(
    ladder: Ladder,
    results: LadderResults | None = None,
    ratings: Mapping[str, Interval] | None = None,
    history: list[Snapshot] | None = None,
) -> LadderSummary:
    """Summarise a ladder; `results`, `ratings` and `history` are used if they are given, and otherwise computed."""
    # Imported here because NumPy takes longer to import than most commands run.
    from fourfall.arena.rating_model import fit_rating_model

    if results is None:
        results = LadderResults(ladder.event)
        results.update(ladder.store)
    if ratings is None:
        ratings = list_connected_ratings(fit_rating_model(results.rating_input))
    if history is None:
        history = load_history(ladder.store, ladder.event)
    agents = sorted(ladder.list_agents(), key=lambda agent: _get_sort_key(agent, results, ratings))
    active = [agent.name for agent in agents if agent.is_active]
    return LadderSummary(
        event=ladder.event,
        name=ladder.name,
        state=find_event_state(ladder.store, ladder.store.get_event(ladder.event)),
        games=results.games,
        pairs=results.pairs,
        agents=[
            _summarise_agent(
                ladder.store,
                agent,
                active.index(agent.name) + 1 if agent.is_active else None,
                results,
                ratings.get(agent.name),
                history,
            )
            for agent in agents
        ],
    )


def list_connected_ratings(model: "RatingModel") -> dict[str, Interval]:
    """Return the ratings of the largest set of agents that are connected by games; others cannot be compared."""
    return {name: model.ratings[name] for name in model.components[0]} if model.components else {}


def describe_suspension(suspension: Suspension) -> str:
    """Say in one line why an agent is suspended.

    >>> describe_suspension(Suspension(4, 4, 17, "crash", "killed by SIGSEGV", "fourfall ask library:x.so 6x7"))
    'lost its last 4 games by failures; game 17: crash: killed by SIGSEGV'
    """
    games = (
        f"lost its last {suspension.played} games by failures"
        if suspension.failed == suspension.played
        else f"lost {suspension.failed} of its last {suspension.played} games by failures"
    )
    detail = f": {suspension.detail}" if suspension.detail else ""
    return f"{games}; game {suspension.game}: {suspension.ending}{detail}"


def load_suspension(store: Store, agent: LadderAgent) -> Suspension | None:
    """Load why an agent is suspended, with its last failure; None if it is not suspended."""
    failure = agent.failure
    if failure is None:
        return None
    try:
        record = store.get_record(failure.game)
    except StoreError:  # a damaged record
        return Suspension(failure.failed, failure.played, failure.game, "unknown", "", "")
    return Suspension(
        failure.failed, failure.played, failure.game, record.ending.value, record.detail, record.reproducer
    )


def _get_sort_key(
    agent: LadderAgent, results: LadderResults, ratings: Mapping[str, Interval]
) -> tuple[int, bool, float, str]:
    has_played = results.get_agent(agent.name).total.games > 0
    return (
        _STATES.index(agent.state),
        not has_played,
        -ratings.get(agent.name, _UNKNOWN).value,
        agent.name,
    )


def _summarise_agent(
    store: Store,
    agent: LadderAgent,
    rank: int | None,
    results: LadderResults,
    rating: Interval | None,
    history: list[Snapshot],
) -> LadderStanding:
    own = results.get_agent(agent.name)
    is_rated = rating is not None and own.total.games > 0
    trend = compute_trend(history, agent.name)
    return LadderStanding(
        rank=rank,
        agent=agent.name,
        address=agent.entrant.address,
        state=agent.state,
        added=agent.added,
        games=own.total.games,
        won=own.total.wins,
        drawn=own.total.draws,
        lost=own.total.losses,
        elo=round_interval(rating, ELO_DIGITS) if rating is not None and is_rated else None,
        trend=None if trend is None else round(trend, ELO_DIGITS),
        failures={ending.value: count for ending, count in own.failures.items()},
        suspension=load_suspension(store, agent),
    )
