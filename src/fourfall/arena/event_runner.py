"""Runs an event: plays the scheduled games that the store lacks and stores each result."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from itertools import takewhile

from fourfall.arena.event_workers import add_worker
from fourfall.arena.executor import Cores, Executor, GameExecutor
from fourfall.arena.game import ScheduledGame
from fourfall.arena.live_games import remove_live_games
from fourfall.arena.record import GameRecord
from fourfall.arena.schedule import schedule_games
from fourfall.arena.spec import Spec
from fourfall.arena.sprt import SprtState
from fourfall.arena.store import Store, StoreError


def run_event(
    store: Store,
    event: int,
    cores: Sequence[Cores],
    on_start: Callable[[GameExecutor], None] | None = None,
    games: Iterable[ScheduledGame] | None = None,
    executor: GameExecutor | None = None,
) -> Generator[GameRecord]:
    """Play the missing games of an event; yield each record after it is on disk.

    `games` are the games to play, by default all of the schedule that are missing. Each game is taken when a worker is
    free, after the records of the earlier games have been yielded, so that it can depend on them.
    `cores` has one entry per worker, as in `Executor`; an event with `ponder` needs two cores per worker. `executor`
    plays the games in place of worker processes of this machine; `cores` is not used then. `on_start`
    receives the executor; setting its `stopping` ends the event after the games in progress. To stop at once, close the
    generator: only the games in progress are lost. When the event's sequential test is decided, the games in progress
    are finished and the event is complete.
    """
    spec = _get_spec(store, event)
    if spec.ponder:
        _check_pondering(store, event, cores, executor)
    with store.claim_event(event):
        remove_live_games(store.path, event)
        test = None if spec.sprt is None else SprtState(spec.sprt, store.list_results(event))

        def is_decided() -> bool:
            return test is not None and test.accepted is not None

        if is_decided():  # an earlier run was killed between the decision and `mark_complete`
            store.mark_complete(event)
            return
        games = list_missing_games(spec, store.get_played_numbers(event)) if games is None else games
        try:
            with executor or Executor(cores, store.path.absolute(), event) as running:
                running.on_worker = partial(add_worker, store, event)
                if on_start is not None:
                    on_start(running)
                for records in running.play_batches(takewhile(lambda _: not is_decided(), games)):
                    # One transaction for all that have arrived: it waits for the disk once.
                    store.add_games(event, records)
                    for record in records:
                        if test is not None:
                            test.add(record.number, record.winner)
                        yield record
            if is_decided():
                store.mark_complete(event)
        finally:
            remove_live_games(store.path, event)


def _check_pondering(store: Store, event: int, cores: Sequence[Cores], executor: GameExecutor | None) -> None:
    if executor is not None:
        raise StoreError(f"{store.path}: event {event} lets agents ponder; such an event runs only on one machine")
    if not all(isinstance(own, tuple) for own in cores):
        raise StoreError(f"{store.path}: event {event} lets agents ponder, so each game needs two cores")


def _get_spec(store: Store, event: int) -> Spec:
    stored = store.get_event(event)
    if stored.spec_error is not None:
        raise StoreError(f"{store.path}: event {event} is damaged and cannot be run: {stored.spec_error}")
    if stored.ladder is not None:
        raise StoreError(f"{store.path}: event {event} is a ladder; run it with fourfall ladder run")
    if stored.spec is None:
        raise StoreError(f"{store.path}: event {event} was imported and has no schedule")
    return stored.spec


def list_missing_games(spec: Spec, played: set[int]) -> Iterator[ScheduledGame]:
    """Yield the scheduled games whose numbers are not in `played`, in the order of the schedule.

    >>> [game.number for game in list_missing_games(Spec.match("seed-000", "seed-002", pairs=3), {0, 1, 4})]
    [2, 3, 5]
    """
    return (game for game in schedule_games(spec) if game.number not in played)


def find_unfinished_event(store: Store, spec: Spec) -> int:
    """Return the latest event with exactly this spec that has missing games."""
    for event in reversed(store.list_events()):
        if event.spec == spec and not event.is_complete:
            return event.id
    for event in reversed(store.list_events()):
        if event.spec == spec:
            raise StoreError(f"{store.path}: event {event.id} is complete; there is nothing to resume")
    raise StoreError(f"{store.path}: no event with these agents, boards and limits; omit --resume to start a new event")
