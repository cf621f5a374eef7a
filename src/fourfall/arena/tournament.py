"""Owns running an event: the games of its schedule that are not in the store yet are played and stored, one by one."""

from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import takewhile

from fourfall.arena import live
from fourfall.arena.executor import Executor
from fourfall.arena.game import ScheduledGame
from fourfall.arena.record import GameRecord
from fourfall.arena.schedule import schedule
from fourfall.arena.spec import Spec
from fourfall.arena.sprt import Walk
from fourfall.arena.store import Store, StoreError


def run_event(
    store: Store,
    event: int,
    cores: Sequence[int | None],
    on_start: Callable[[Executor], None] | None = None,
) -> Generator[GameRecord]:
    """Play what is left of an event; yields each record after it is on disk.

    `on_start` is given the executor, whose `stopping` ends the event when the games in flight are over. To stop at
    once, close the generator; the games in flight are lost and nothing else is. When the event's test is decided, the
    games in flight are finished too, and the event is complete.
    """
    spec = store.event(event).spec
    if spec is None:
        raise StoreError(f"{store.path}: event {event} was imported and has no schedule")
    with store.claim(event):
        live.forget(store.path, event)
        walk = None if spec.sprt is None else Walk(spec.sprt, store.results(event))

        def is_decided() -> bool:
            return walk is not None and walk.accepted is not None

        if is_decided():  # a run was killed before it could settle
            store.settle(event)
            return
        games = takewhile(lambda _: not is_decided(), left_to_play(spec, store.played(event)))
        try:
            with Executor(cores, store.path.absolute(), event) as executor:
                if on_start is not None:
                    on_start(executor)
                for record in executor.play(games):
                    store.add(event, record)
                    if walk is not None:
                        walk.add(record.number, record.winner)
                    yield record
            if is_decided():
                store.settle(event)
        finally:
            live.forget(store.path, event)


def left_to_play(spec: Spec, played: set[int]) -> Iterator[ScheduledGame]:
    """Yield the games of a schedule that have not been played, in its order.

    >>> from fourfall.arena.spec import match_spec
    >>> [game.number for game in left_to_play(match_spec("seed-000", "seed-002", 3), {0, 1, 4})]
    [2, 3, 5]
    """
    return (game for game in schedule(spec) if game.number not in played)


def unfinished(store: Store, spec: Spec) -> int:
    """Return the latest event of exactly this spec that has games left to play."""
    for event in reversed(store.events()):
        if event.spec == spec and not event.is_complete:
            return event.id
    for event in reversed(store.events()):
        if event.spec == spec:
            raise StoreError(f"{store.path}: event {event.id} is complete; there is nothing to resume")
    raise StoreError(f"{store.path}: no event with these agents, boards and limits; leave --resume out to begin one")
