"""Owns running an event in the terminal: the options that its commands share, interrupts, the last word."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer
from rich.console import Console

from fourfall.agents.registry import is_third_party
from fourfall.agents.sandbox import SandboxUnavailable, missing_protections
from fourfall.arena.cores import free_cores, load_warning
from fourfall.arena.executor import Executor
from fourfall.arena.schedule import count
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store
from fourfall.arena.tournament import run_event, unfinished
from fourfall.cli.events import show_event
from fourfall.cli.progress import Plain, Progress, screen_of

GamesOption = Annotated[int, typer.Option(min=2, help="Games per pairing: an even number, in pairs on one board.")]
LimitOption = Annotated[float, typer.Option(min=0.001, max=86400, help="Seconds per move.")]
StartupOption = Annotated[float, typer.Option(min=0.001, max=86400, help="Seconds an agent may take to start.")]
MemoryCapOption = Annotated[int, typer.Option(min=16, max=2**20, help="MiB of memory for foreign code.")]
BoardOption = Annotated[
    list[str] | None,
    typer.Option(metavar="POSITION", help="Begin here; may be repeated.", show_default="random official boards"),
]
OpeningOption = Annotated[int, typer.Option(min=0, max=40, help="Random moves before the agents begin.")]
SeedOption = Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Of boards, openings and engines.")]
DatabaseOption = Annotated[Path, typer.Option(metavar="FILE", help="Where the games are kept.")]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on where the same event was stopped.")]
WorkersOption = Annotated[int | None, typer.Option(min=1, max=1024, help="Games at once.", show_default="free cores")]
NoPinOption = Annotated[bool, typer.Option("--no-pin", help="Do not bind each game to a core (engines with threads).")]
NoSandboxOption = Annotated[bool, typer.Option("--no-sandbox", help="Run foreign code without a jail; records say so.")]


def pairs_of(games: int) -> int:
    """Turn a number of games into one of pairs."""
    if games % 2:
        raise typer.BadParameter(f"games come in pairs: {games - 1} or {games + 1}?", param_hint="--games")
    return games // 2


def conditions(
    move_time_s: float,
    startup_time_s: float,
    memory_mb: int,
    board: list[str] | None,
    opening: int,
    seed: int,
    no_sandbox: bool,
) -> dict[str, Any]:
    """Put what was asked for on the command line under the keys of a spec."""
    limits = {"move_time_s": move_time_s, "startup_time_s": startup_time_s, "memory_mb": memory_mb}
    boards = {"boards": {"list": board}} if board else {}
    return limits | boards | {"opening": opening, "seed": seed, "sandbox": not no_sandbox}


def contest(spec: Spec, db: Path, *, resume: bool, workers: int | None, pin: bool) -> None:
    """Play an event from its beginning, or what is left of it, and report."""
    if spec.sandbox and any(is_third_party(agent.address) for agent in spec.agents):
        _require_jail()
    errors = Console(stderr=True, highlight=False)
    free = free_cores()
    cores = _cores(free, workers or min(len(free), count(spec)), pin)
    if (warning := load_warning(len(cores), len(free))) is not None:
        errors.print(f"[yellow]warning:[/] {warning}", soft_wrap=True)
    with Store(db, create=not resume) as store:
        event = unfinished(store, spec) if resume else store.create_event(spec)
        progress = Progress(spec, list(store.records(event)))
        console = Console(highlight=False)
        console.print(f"Event {event} in {db}: {progress.most} games, {len(cores)} at once.", markup=False)
        with (
            _interrupts(errors) as interrupts,
            screen_of(console, progress) as screen,
            closing(run_event(store, event, cores, interrupts.watch)) as records,
        ):
            for record in records:
                progress.add(record)
                if isinstance(screen, Plain):
                    screen.refresh()
        show_event(store, store.event(event), as_json=False)
        if not progress.is_complete:
            typer.echo(f"Stopped after {len(progress.records)} of {progress.total} games; --resume goes on.", err=True)
            raise typer.Exit(130)
        typer.echo(f"\nThe games: fourfall games {db} --event {event}")


def _require_jail() -> None:
    """Refuse to begin what could not be played, before anything is written."""
    if missing := missing_protections():
        names = ", ".join(protection.name for protection in missing)
        reason = f"this machine lacks protections ({names}); fourfall doctor shows them"
        raise SandboxUnavailable(f"foreign code cannot be jailed: {reason}; --no-sandbox runs it without a jail")


def _cores(free: list[int], workers: int, pin: bool) -> list[int | None]:
    """Choose a core for each worker, the free ones first."""
    if not pin:
        return [None] * workers
    order = free + sorted(os.sched_getaffinity(0) - set(free))
    return [order[at % len(order)] for at in range(workers)]


class _Interrupts:
    """Ctrl-C: the first lets the games in flight finish, the second stops at once."""

    def __init__(self, errors: Console) -> None:
        self._errors = errors
        self._executor: Executor | None = None
        self._asked = False

    def watch(self, executor: Executor) -> None:
        self._executor = executor
        executor.stopping = self._asked

    def __call__(self, _signal: int, _frame: FrameType | None) -> None:
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True
        self._errors.print("Finishing the games in flight; Ctrl-C again stops at once.")
        if self._executor is not None:
            self._executor.stopping = True


@contextmanager
def _interrupts(errors: Console) -> Iterator[_Interrupts]:
    """Handle interrupts while an event runs; the second one ends it like the first, only sooner."""
    interrupts = _Interrupts(errors)
    before = {number: signal.signal(number, interrupts) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield interrupts
    except KeyboardInterrupt:
        errors.print("Stopped.")
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
