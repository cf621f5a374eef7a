"""The command ``fourfall compare``: whether a new version of a bot is better, and where the versions differ."""

import filecmp
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from fourfall import Board
from fourfall.agents.registry import check_address, find_agent_file, resolve_paths
from fourfall.arena.event_runner import find_unfinished_event
from fourfall.arena.game import Seat, make_reproducer
from fourfall.arena.schedule import schedule_games
from fourfall.arena.single_move import MoveFailure, request_move
from fourfall.arena.spec import Spec
from fourfall.arena.sprt import Sprt, SprtState
from fourfall.arena.store import Event, Store, StoreError
from fourfall.arena.tables import clean_lines, replace_control_characters
from fourfall.cli.database import DEFAULT_DATABASE, DatabaseOption, JsonOption
from fourfall.cli.event_options import (
    BoardOption,
    MemoryLimitOption,
    MoveTimeOption,
    NoPinOption,
    NoSandboxOption,
    OpeningOption,
    PonderOption,
    ResumeOption,
    SeedOption,
    StartupTimeOption,
    WorkersOption,
    complete_address,
    count_pairs,
    parse_sprt,
)
from fourfall.cli.event_runner import choose_cores, play_event, report_stop, require_sandbox

NOT_ACCEPTED, UNDECIDED = 3, 4
"""Exit codes: the test accepted the lower Elo difference, or it did not decide."""
_START_ATTEMPTS = 3
_STDERR_LINES = 5


def compare(
    old: Annotated[str, typer.Argument(metavar="OLD", help="Old version: a .so or .py file, or an address.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="New version: a .so or .py file, or an address.")],
    games: Annotated[
        int, typer.Option(min=2, help="Maximum number of games (even: each board is played twice).")
    ] = 2000,
    sprt: Annotated[
        str,
        typer.Option(metavar="ELO0,ELO1", help="Elo differences of NEW over OLD that the sequential test compares."),
    ] = "0,30",
    time: MoveTimeOption = 3.0,
    board: BoardOption = None,
    opening: OpeningOption = 0,
    seed: SeedOption = 0,
    startup_time: StartupTimeOption = 10.0,
    memory_mb: MemoryLimitOption = 1024,
    db: DatabaseOption = DEFAULT_DATABASE,
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    no_pin: NoPinOption = False,
    ponder: PonderOption = False,
    no_sandbox: NoSandboxOption = False,
    positions: Annotated[
        int, typer.Option(min=0, max=100, help="Number of positions to print in which the versions differ.")
    ] = 5,
    analysis_time: Annotated[
        float,
        typer.Option(
            min=0, max=86400, help="Time to evaluate games after the match, and again to ask for moves, in seconds."
        ),
    ] = 60.0,
    as_json: JsonOption = False,
) -> None:
    """Compare two versions of a bot: play until a sequential test is decided, then say in words how they differ.

    The answer has the Elo difference, the side on which it arose if the sides differ significantly, the change in time
    per move, and failures that only one version has; then the positions in which the versions differ most.

    Exit code: 0 if the test accepts ELO1 (by default: NEW is better), 3 if it accepts ELO0, 4 if it is undecided after
    the maximum number of games, 1 for a failure (also if a version cannot start), 2 for wrong usage, 130 after Ctrl-C.

    Examples:

      fourfall compare old.so new.so

      fourfall compare old.so new.so --time 0.5 --games 400 --sprt 0,50

      fourfall compare bot.py library:./new.so --sprt=-30,0 --json
    """
    from fourfall.cli.compare_report import ComparisonReport  # here because other commands start faster without it

    old, new = complete_address(old), complete_address(new)
    for address in (old, new):
        check_address(address)
    test = parse_sprt(sprt)
    spec = Spec.match(
        new,
        old,
        pairs=count_pairs(games),
        move_time_s=time,
        startup_time_s=startup_time,
        memory_mb=memory_mb,
        boards=board or (),
        opening=opening,
        seed=seed,
        sandbox=not no_sandbox,
        ponder=ponder,
        sprt=test,
    )
    if (reason := find_identity(old, new)) is not None:
        _finish_identical(reason, test, as_json)
    require_sandbox(spec)
    cores = choose_cores(spec, workers, not no_pin)
    console = Console(stderr=as_json, highlight=False)
    if not resume:
        _require_start(spec)
    with Store(db, create=not resume) as store:
        number = _find_event(store, spec).id if resume else store.create_event(spec)
        progress = play_event(store, number, spec, cores, console)
        report = ComparisonReport(store, store.get_event(number), progress.is_complete)
        report.analyse(positions, analysis_time if progress.is_complete else 0.0)
        report.print(as_json)
        if not progress.is_complete:
            report_stop(progress)
    raise typer.Exit(choose_exit_code(report.test))


def find_identity(old: str, new: str) -> str | None:
    """Say why two addresses are the same agent; None if they may differ.

    Python files in different folders are not compared, because they may import different modules; neither are agents
    with options or with the name of a function.

    >>> find_identity("seed-002", "seed-002")
    'OLD and NEW are the same agent'
    """
    if resolve_paths(old, Path()) == resolve_paths(new, Path()):
        return "OLD and NEW are the same agent"
    one, other = find_agent_file(old), find_agent_file(new)
    if one is None or other is None or any("?" in address or address.count(":") > 1 for address in (old, new)):
        return None
    if one.suffix != other.suffix or (one.suffix == ".py" and one.parent != other.parent):
        return None
    return "OLD and NEW are identical files" if filecmp.cmp(one, other, shallow=False) else None


def choose_exit_code(test: SprtState) -> int:
    """Return the exit code that tells a script what the test decided.

    >>> choose_exit_code(SprtState(Sprt(0, 30)))
    4
    """
    if test.accepted is None:
        return UNDECIDED
    return 0 if test.accepted == test.sprt.elo1 else NOT_ACCEPTED


def _finish_identical(reason: str, test: Sprt, as_json: bool) -> NoReturn:
    """Answer at once: the Elo difference is 0, and a match would only measure chance."""
    answer = f"{reason}: they play identically, and nothing was played."
    typer.echo(json.dumps({"answer": answer, "verdict": "identical", "pairs": 0}) if as_json else answer)
    raise typer.Exit(0 if test.elo1 <= 0 else NOT_ACCEPTED if test.elo0 >= 0 else UNDECIDED)


def _find_event(store: Store, spec: Spec) -> Event:
    """Return the unfinished event with this spec, or the complete one, whose answer is then printed again."""
    try:
        event = store.get_event(find_unfinished_event(store, spec))
    except StoreError:
        complete = [event for event in store.list_events() if event.spec == spec]
        if not complete:
            raise
        return complete[-1]
    for agent in spec.agents:
        path = find_agent_file(agent.address)
        if path is not None and datetime.fromtimestamp(path.stat().st_mtime, UTC) > datetime.fromisoformat(
            event.created
        ):
            raise StoreError(
                f"{path} was changed after event {event.id} had begun; its games would be of two versions. Omit "
                "--resume to start a new event"
            )
    return event


def _require_start(spec: Spec) -> None:
    """Request a first move from both versions; a version that fails each time ends the command with exit code 1."""
    game = next(schedule_games(spec))
    board = Board.parse(game.board)
    for label, seat in zip(("NEW", "OLD"), game.seats, strict=True):
        failure = None
        for _ in range(_START_ATTEMPTS):
            try:
                request_move(seat.address, board, seat.conditions)
            except MoveFailure as error:
                failure = error
            else:
                failure = None
                break
        if failure is not None:
            _fail_start(label, seat, board, failure)


def _fail_start(label: str, seat: Seat, board: Board, failure: MoveFailure) -> NoReturn:
    message = f"{label} ({seat.address}) cannot play its first move: {failure}"
    typer.echo(f"fourfall: {replace_control_characters(message)}", err=True)
    lines = clean_lines(failure.stderr.strip()).splitlines()[-_STDERR_LINES:]
    for line in lines:
        typer.echo(f"  {line}", err=True)
    typer.echo(f"  reproduce with: {replace_control_characters(make_reproducer(seat, board, board.ply))}", err=True)
    raise typer.Exit(1)
