"""The command ``fourfall gauntlet``: one agent against a field of opponents."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from fourfall.agents.levels import LEVELS
from fourfall.agents.registry import check_address
from fourfall.arena.grading import (
    Grade,
    estimate_level,
    format_level_estimate,
    format_level_results,
    format_losses,
    grade_games,
)
from fourfall.arena.opponents import choose_games_per_opponent, list_opponents
from fourfall.arena.quick_gauntlet import QUICK_GAMES, QuickSchedule, make_quick_spec
from fourfall.arena.record import GameRecord
from fourfall.arena.spec import Spec
from fourfall.arena.store import Event, Store
from fourfall.arena.tables import format_failures, format_repeats
from fourfall.cli.cluster_options import ClusterOption
from fourfall.cli.database import DEFAULT_DATABASE, DatabaseOption, print_grid
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
    count_pairs,
)
from fourfall.cli.event_runner import EventView, run_event_in_terminal
from fourfall.cli.events import print_event
from fourfall.system.command_line import quote_word


def gauntlet(
    bot: Annotated[str, typer.Argument(help="Address of the agent to rate.")],
    field: Annotated[
        list[str] | None,
        typer.Option(
            help="Opponents: levels, seeds, a folder with strategy libraries (*.so), a .txt file with one address per "
            "line, or an address. Repeatable.",
            show_default="levels",
        ),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help=f"Find the bot's level in {QUICK_GAMES} games (--games sets another number) against the levels that "
            "tell most.",
        ),
    ] = False,
    games: Annotated[
        int | None,
        typer.Option(
            min=2,
            help="Number of games against each opponent (even: each board is played twice); with --quick, in all.",
            show_default="2 for levels and folders, otherwise 20",
        ),
    ] = None,
    time: MoveTimeOption = 3.0,
    board: BoardOption = None,
    opening: OpeningOption = 0,
    seed: SeedOption = 0,
    startup_time: StartupTimeOption = 10.0,
    memory_mb: MemoryLimitOption = 1024,
    db: DatabaseOption = DEFAULT_DATABASE,
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    no_pin: NoPinOption = False,
    ponder: PonderOption = False,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Rate a bot: play a number of games against each opponent of a field.

    Against the levels this is the course's grading run: one game as first and one as second player against each of
    the fifty; a win gives 2 points, a draw 1, so that the score is out of 200. --quick estimates the bot's level in
    fewer games.

    Examples:

      fourfall gauntlet library:./bot.so

      fourfall gauntlet library:./bot.so --quick

      fourfall gauntlet library:./bot.so --field samples/ --time 2

      fourfall gauntlet python:bot.py --field field.txt --field level-30

      fourfall gauntlet library:./bot.so --cluster tcp://10.0.0.1:8786
    """
    check_address(bot)
    fields = field or ["levels"]
    others = [address for text in fields for address in list_opponents(text)]
    if quick and others != list(LEVELS):
        raise typer.BadParameter("needs the field levels and no other", param_hint="--quick")
    if games is None:
        games = QUICK_GAMES if quick else choose_games_per_opponent(fields)
    spec = Spec.gauntlet(
        bot,
        others,
        pairs=count_pairs(games),
        move_time_s=time,
        startup_time_s=startup_time,
        memory_mb=memory_mb,
        boards=board or (),
        opening=opening,
        seed=seed,
        sandbox=not no_sandbox,
        ponder=ponder,
    )
    if quick:
        spec = make_quick_spec(spec, games)
    view = _create_view(spec, db, games if quick else None)
    run_event_in_terminal(spec, db, resume=resume, workers=workers, pin=not no_pin, view=view, cluster=cluster)


def _create_view(spec: Spec, db: Path, quick_games: int | None) -> EventView:
    """Describe how the gauntlet is shown: with the grade, and against levels without the tables of a tournament."""
    agent = spec.groups[0].challengers[0]
    opponents = [name for name in spec.groups[0].agents if name != agent]
    is_levels = all(spec.find_entrant(name).address in LEVELS for name in opponents)

    def describe(records: Sequence[GameRecord]) -> str:
        if not records:
            return ""
        if quick_games is not None:
            return format_level_estimate(estimate_level(records, agent))
        grade = grade_games(((0, record) for record in records), agent, opponents)
        return f"{grade.points} of {grade.max_points} points"

    def make_schedule(records: Sequence[GameRecord]) -> QuickSchedule:
        return QuickSchedule(spec, quick_games or 0, records)

    def show(store: Store, event: Event) -> None:
        games = [(game.id, game.record) for game in store.find_games(event.id)]
        if is_levels:
            _print_level_results(games, agent)
        else:
            print_event(store, event)
        if games:
            _print_grade(games, agent, opponents, None if quick_games is not None else event.planned)
            _print_next_step(grade_games(games, agent, opponents), db)

    return EventView(
        planned=quick_games,
        make_schedule=None if quick_games is None else make_schedule,
        describe=describe if is_levels else None,
        show=show,
        challenger=agent,
    )


def _print_level_results(games: Sequence[tuple[int, GameRecord]], agent: str) -> None:
    """Print the results against levels, a row for every five levels, and the failures of the agent."""
    typer.echo()
    print_grid(format_level_results((record for _, record in games), agent))
    failed = [(number, record) for number, record in games if record.culprit == record.names.index(agent)]
    for lines in filter(None, (format_failures(failed), format_repeats(games))):
        typer.echo("\n" + "\n".join(lines))


def _print_grade(
    games: Sequence[tuple[int, GameRecord]], agent: str, opponents: Sequence[str], planned: int | None
) -> None:
    """Print the lost games, the score if `planned` games belong to it, and the level if the opponents were levels."""
    grade = grade_games(games, agent, opponents)
    if grade.losses:
        typer.echo(f"\nLost games ({len(grade.losses)}), against the weakest opponents first:")
        typer.echo("\n".join(format_losses(grade, agent)))
    typer.echo()
    if planned is not None:
        missing = "" if len(games) == planned else f" in {len(games)} of {planned} games"
        typer.echo(f"Score: {grade.points} of {2 * planned} points{missing} (win 2, draw 1, loss 0)")
    if any(record.addresses[1 - record.names.index(agent)] in LEVELS for _, record in games):
        typer.echo(f"Strength: {format_level_estimate(estimate_level((record for _, record in games), agent))}")


def _print_next_step(grade: Grade, db: Path) -> None:
    if grade.losses:
        number = grade.losses[0][0]
        command = f"fourfall show {number} --db {quote_word(str(db))} --engine fourfall"
        typer.echo(f"Next: see where game {number} was lost with {command}")
