"""Describes a ladder for the page: states and trends of its agents, and the history of the ratings."""

from fourfall.arena.event_summary import ELO_DIGITS
from fourfall.arena.ladder.history import Snapshot, compute_trend, count_stored_pairs, load_history
from fourfall.arena.ladder.registry import Ladder, LadderAgent
from fourfall.arena.ladder.summary import load_suspension
from fourfall.arena.store import Event, Store, StoreError
from fourfall.web.errors import RequestError
from fourfall.web.messages import schemas

_MAX_POINTS = 200  # of the history that is sent to a page


class LadderView:
    """The ladder of an event; its history is read again only when it has changed."""

    def __init__(self, event: int) -> None:
        self._event = event
        self._history: list[Snapshot] = []

    def describe(self, store: Store, event: Event) -> schemas.LadderInfo | None:
        """Describe the agents of a ladder; None for other events."""
        if event.ladder is None:
            return None
        pairs = count_stored_pairs(store, self._event)
        if pairs != (self._history[-1].pairs if self._history else 0):
            self._history = load_history(store, self._event)
        agents = Ladder(store, event, event.ladder).list_agents()
        return schemas.LadderInfo(
            agents=[self._describe_agent(store, agent) for agent in agents],
            history_pairs=pairs,
        )

    def _describe_agent(self, store: Store, agent: LadderAgent) -> schemas.LadderAgentInfo:
        trend = compute_trend(self._history, agent.name)
        suspension = load_suspension(store, agent)
        return schemas.LadderAgentInfo(
            name=agent.name,
            state=agent.state,
            trend=None if trend is None else round(trend, ELO_DIGITS),
            suspension=None
            if suspension is None
            else schemas.SuspensionInfo(
                failed=suspension.failed,
                played=suspension.played,
                game=f"a{suspension.game}",
                ending=suspension.ending,
                detail=suspension.detail,
            ),
        )


def describe_history(store: Store, number: int) -> schemas.LadderHistory:
    """Describe the history of the ratings of a ladder, at most 200 points; events of other kinds have none."""
    try:
        event = store.get_event(number)
    except StoreError:
        raise RequestError("unknown_event", event=number) from None
    history = [] if event.ladder is None else load_history(store, number)
    step = -(-len(history) // _MAX_POINTS) or 1
    shown = history[::-step][::-1]  # the last snapshot is always shown
    names = dict.fromkeys(name for snapshot in shown for name in snapshot.ratings)
    return schemas.LadderHistory(
        games=[2 * snapshot.pairs for snapshot in shown],
        times=[snapshot.time for snapshot in shown],
        ratings={name: [snapshot.ratings.get(name) for snapshot in shown] for name in names},
    )
