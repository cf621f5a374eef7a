"""Describes a ladder for the page: its agents with ratings, results and states, and the history of the ratings."""

from fourfall.arena.ladder.history import Snapshot, count_stored_pairs, load_history
from fourfall.arena.ladder.registry import Ladder
from fourfall.arena.ladder.results import LadderResults
from fourfall.arena.ladder.summary import LadderStanding, list_connected_ratings, summarise_ladder
from fourfall.arena.ratings import Interval
from fourfall.arena.store import Event, Store, StoreError
from fourfall.web.errors import RequestError
from fourfall.web.messages import schemas

_MAX_POINTS = 200  # of the history that is sent to a page


class LadderView:
    """The ladder of an event; ratings and history are computed again only when there are new games."""

    def __init__(self, event: int) -> None:
        self._event = event
        self._results = LadderResults(event)
        self._ratings: dict[str, Interval] = {}
        self._history: list[Snapshot] = []

    def describe(self, store: Store, event: Event) -> schemas.LadderInfo | None:
        """Describe the agents of a ladder; None for other events."""
        from fourfall.arena.rating_model import fit_rating_model

        if event.ladder is None:
            return None
        if self._results.update(store):
            self._ratings = list_connected_ratings(fit_rating_model(self._results.rating_input))
        pairs = count_stored_pairs(store, self._event)
        if pairs != (self._history[-1].pairs if self._history else 0):
            self._history = load_history(store, self._event)
        ladder = Ladder(store, event, event.ladder)
        summary = summarise_ladder(ladder, self._results, self._ratings, self._history)
        return schemas.LadderInfo(agents=[_describe_agent(row) for row in summary.agents], history_pairs=pairs)


def _describe_agent(row: LadderStanding) -> schemas.LadderAgentInfo:
    suspension = row.suspension
    return schemas.LadderAgentInfo(
        **{name: value for name, value in vars(row).items() if name not in ("address", "added", "suspension")},
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
        ratings={name: [_round(snapshot.ratings.get(name)) for snapshot in shown] for name in names},
    )


def _round(rating: float | None) -> float | None:
    return None if rating is None else round(rating, 1)
