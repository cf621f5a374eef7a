"""Runs an event in the terminal: progress display, interrupts and the final report."""

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn

import typer
from rich.console import Console

from fourfall.agents.registry import is_third_party
from fourfall.agents.sandbox import SandboxUnavailable, find_missing_protections, require_system_support
from fourfall.arena.cluster_executor import ClusterExecutor
from fourfall.arena.cores import describe_overload, find_free_cores
from fourfall.arena.event_runner import find_unfinished_event, run_event
from fourfall.arena.executor import Cores, GameExecutor
from fourfall.arena.grading import find_start_failure
from fourfall.arena.quick_gauntlet import QuickSchedule
from fourfall.arena.record import GameRecord
from fourfall.arena.schedule import count_games
from fourfall.arena.spec import Spec, SpecError
from fourfall.arena.store import Event, Store
from fourfall.arena.tables import replace_control_characters
from fourfall.cli.cluster_display import ClusterDisplay
from fourfall.cli.cluster_options import check_cluster_option
from fourfall.cli.events import print_event
from fourfall.cli.progress import PlainDisplay, Progress, create_display
from fourfall.cluster.connection import connect
from fourfall.system.command_line import quote_word
from fourfall.system.cores import can_pin, list_cores
from fourfall.system.support import get_system_name

_STDERR_LENGTH = 500


@dataclass(frozen=True)
class EventView:
    """How an event that is not an ordinary tournament is run and shown; the defaults are those of a tournament.

    `planned` is the number of games if it is smaller than that of the spec; `make_schedule` then chooses the games,
    given those already stored. `describe` replaces the standings in the progress display by a line, `show` prints the
    result. If the agent `challenger` fails before its first move in each of the first games, the event is stopped.
    """

    planned: int | None = None
    make_schedule: Callable[[Sequence[GameRecord]], QuickSchedule] | None = None
    describe: Callable[[Sequence[GameRecord]], str] | None = None
    show: Callable[[Store, Event], None] = print_event
    challenger: str | None = None


def run_event_in_terminal(
    spec: Spec,
    db: Path,
    *,
    resume: bool,
    workers: int | None,
    pin: bool,
    view: EventView | None = None,
    cluster: str | None = None,
) -> None:
    """Play a new event, or with `resume` the missing games of an unfinished one, and print the report.

    The games are played by worker processes of this machine, or on a cluster.
    """
    view = view or EventView()
    check_cluster_option(cluster, workers=workers, no_pin=not pin, ponder=spec.ponder)
    cores: list[Cores] = []
    if cluster is None:
        require_sandbox(spec)
        cores = choose_cores(spec, workers, pin, view.planned)
    with ExitStack() as opened:
        connection = None if cluster is None else opened.enter_context(connect(cluster))
        store = opened.enter_context(Store(db, create=not resume))
        executor: ClusterExecutor | None = None
        if connection is not None:
            executor = ClusterExecutor(connection, [agent.address for agent in spec.agents], sandbox=spec.sandbox)
        event = find_unfinished_event(store, spec) if resume else store.create_event(spec, view.planned)
        progress = play_event(store, event, spec, cores, Console(highlight=False), view, executor)
        view.show(store, store.get_event(event))
        if progress.cluster is not None:
            progress.cluster.print_summary(progress.new_records)
        if not progress.is_complete:
            report_stop(progress)
        options = f"{quote_word(str(db))} --event {event}"
        typer.echo(f"\nList the games: fourfall games {options}")
        typer.echo(f"Write a report: fourfall report {options} --html report.html")


def choose_cores(spec: Spec, workers: int | None, pin: bool, planned: int | None = None) -> list[Cores]:
    """Return the cores of each worker; SpecError if there are not enough. Warns about an overloaded machine.

    `planned` is the number of games if it is smaller than that of the spec.
    """
    free = find_free_cores()
    games = count_games(spec) if planned is None else planned
    if spec.ponder:
        cores = choose_core_pairs(free, workers, games, pin)
    else:
        cores = choose_single_cores(free, workers or min(len(free), games), pin)
    if (warning := describe_overload(len(cores) * (2 if spec.ponder else 1), len(free))) is not None:
        Console(stderr=True, highlight=False).print(f"[yellow]warning:[/] {warning}", soft_wrap=True)
    return cores


def play_event(
    store: Store,
    event: int,
    spec: Spec,
    cores: list[Cores],
    console: Console,
    view: EventView | None = None,
    executor: ClusterExecutor | None = None,
) -> Progress:
    """Play the missing games of an event with a progress display; Ctrl-C ends it early.

    The games are played by worker processes on `cores`, or by the executor.
    """
    view = view or EventView()
    errors = Console(stderr=True, highlight=False)
    progress = Progress(spec, store.find_records(event), view.planned, view.describe)
    schedule = None if view.make_schedule is None else view.make_schedule(progress.records)
    failure: GameRecord | None = None
    parallel = f"{len(cores)} in parallel" if executor is None else "on a cluster"
    console.print(f"Event {event} in {store.path}: {progress.planned} games, {parallel}.", markup=False)
    with ExitStack() as opened:
        interrupts = opened.enter_context(handle_interrupts(errors))
        if executor is not None:
            progress.cluster = ClusterDisplay(executor, console)
        display = opened.enter_context(create_display(console, progress))
        if progress.cluster is not None:
            progress.cluster.on_tick = display.refresh if isinstance(display, PlainDisplay) else None
            opened.enter_context(progress.cluster)
        records = opened.enter_context(
            closing(run_event(store, event, cores, interrupts.set_executor, schedule, executor))
        )
        for record in records:
            progress.add(record)
            if schedule is not None:
                schedule.add(record)
            if view.challenger and (failure := find_start_failure(progress.records, view.challenger)) is not None:
                break
            if executor is None and isinstance(display, PlainDisplay):
                display.refresh()
    if failure is not None:
        _report_start_failure(failure, len(progress.records))
    return progress


def _report_start_failure(record: GameRecord, games: int) -> NoReturn:
    """Say that an agent never makes a move, and end the command."""
    seat = record.culprit or 0
    detail = f": {record.detail}" if record.detail else ""
    lines = [
        f"error: {record.names[seat]} failed before its first move in all of the first {games} games "
        f"({record.ending}{detail}); the event was stopped",
        f"reproduce with: {record.reproducer}",
        "repair the agent, then start again; --resume continues this event",
    ]
    if record.stderr.strip():
        lines.insert(1, f"its standard error: {record.stderr.strip()[-_STDERR_LENGTH:]}")
    for line in lines:
        typer.echo(replace_control_characters(line), err=True)
    raise typer.Exit(1)


def report_stop(progress: Progress) -> NoReturn:
    """Say that an event was stopped and how to continue it; the exit code is 130."""
    typer.echo(f"Stopped after {len(progress.records)} of {progress.total} games; continue with --resume.", err=True)
    raise typer.Exit(130)


def require_sandbox(spec: Spec) -> None:
    """Raise SandboxUnavailable before anything is written, if third-party code could not be played."""
    require_protections([agent.address for agent in spec.agents], is_sandboxed=spec.sandbox)


def require_protections(addresses: Sequence[str], *, is_sandboxed: bool) -> None:
    """Raise SandboxUnavailable if an address names third-party code and this machine cannot run or sandbox it."""
    require_system_support(addresses, is_sandboxed=is_sandboxed)
    if not is_sandboxed or not any(is_third_party(address) for address in addresses):
        return
    if missing := find_missing_protections():
        names = ", ".join(protection.name for protection in missing)
        raise SandboxUnavailable(
            f"third-party code cannot be sandboxed: this machine lacks protections ({names}); run fourfall doctor for "
            "details, or use --no-sandbox to run the code without protection"
        )


def choose_core_pairs(free: list[int], workers: int | None, games: int, pin: bool) -> list[Cores]:
    """Return two cores for each worker, free cores first; SpecError if there are not enough.

    >>> choose_core_pairs([4, 5, 6], None, 10, True)
    [(4, 5)]
    """
    if not pin:
        raise SpecError("--ponder cannot be used with --no-pin: each agent needs a core of its own")
    if not can_pin():
        raise SpecError(f"--ponder needs a core for each agent, and {get_system_name()} cannot pin processes to cores")
    order = free + [core for core in list_cores() if core not in free]
    wanted = workers or max(1, min(len(free) // 2, games))
    if 2 * wanted > len(order):
        raise SpecError(
            f"--ponder needs two cores for each game: {2 * wanted} cores for {wanted} in parallel, but this process "
            f"may use {len(order)}; reduce --workers or omit --ponder"
        )
    return [(order[2 * at], order[2 * at + 1]) for at in range(wanted)]


def choose_single_cores(free: list[int], workers: int, pin: bool) -> list[Cores]:
    """Return a core for each worker, free cores first; None where games are not pinned."""
    if not (pin and can_pin()):
        return [None] * workers
    order = free + [core for core in list_cores() if core not in free]
    return [order[at % len(order)] for at in range(workers)]


class InterruptHandler:
    """Handles Ctrl-C: the first one lets running games finish, the second one stops at once."""

    def __init__(self, errors: Console) -> None:
        self._errors = errors
        self._executor: GameExecutor | None = None
        self._is_interrupted = False

    @property
    def is_interrupted(self) -> bool:
        """Whether there was an interrupt."""
        return self._is_interrupted

    def set_executor(self, executor: GameExecutor) -> None:
        """Set the executor to stop; it starts no game if there was an interrupt already."""
        self._executor = executor
        executor.stopping = self._is_interrupted

    def __call__(self, _signal: int, _frame: FrameType | None) -> None:
        """Handle a signal."""
        if self._is_interrupted:
            raise KeyboardInterrupt
        self._is_interrupted = True
        self._errors.print("Finishing the running games; press Ctrl-C again to stop at once.")
        if self._executor is not None:
            self._executor.stopping = True


@contextmanager
def handle_interrupts(errors: Console) -> Iterator[InterruptHandler]:
    """Install the interrupt handler while an event runs."""
    interrupts = InterruptHandler(errors)
    previous = {number: signal.signal(number, interrupts) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield interrupts
    except KeyboardInterrupt:
        errors.print("Stopped.")
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
