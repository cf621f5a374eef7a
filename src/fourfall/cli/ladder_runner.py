"""Runs a ladder in the terminal: live table, interrupts and the final standings."""

import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import typer
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from fourfall.arena.cluster_executor import ClusterExecutor
from fourfall.arena.cores import describe_overload, find_free_cores
from fourfall.arena.event_summary import Estimate
from fourfall.arena.executor import Cores
from fourfall.arena.ladder.history import Snapshot, draw_sparkline
from fourfall.arena.ladder.registry import Ladder, LadderAgent
from fourfall.arena.ladder.runner import LadderRunner, RunOptions, require_agents
from fourfall.arena.ladder.summary import (
    LadderStanding,
    LadderSummary,
    Suspension,
    describe_suspension,
    load_suspension,
    summarise_ladder,
)
from fourfall.arena.record import GameRecord
from fourfall.arena.store import Store, StoreError
from fourfall.arena.tables import Grid, format_elo, format_interval, replace_control_characters
from fourfall.cli.cluster_display import ClusterDisplay
from fourfall.cli.cluster_options import check_cluster_option
from fourfall.cli.database import print_grid
from fourfall.cli.event_runner import choose_single_cores, handle_interrupts, require_protections
from fourfall.cli.progress import format_pace
from fourfall.cluster.connection import connect
from fourfall.system.command_line import join_command

_PLAIN_EVERY_S = 10.0
_SUMMARISE_EVERY_S = 1.0
_LEADERS = 3  # agents named on a plain line


def run_ladder_in_terminal(
    db: Path, options: RunOptions, *, workers: int | None, pin: bool, cluster: str | None = None
) -> None:
    """Run the ladder of a database until it ends or is interrupted, and print its table.

    The games are played by worker processes of this machine, or on a cluster.
    """
    errors, console = Console(stderr=True, highlight=False), Console(highlight=False)
    check_cluster_option(cluster, workers=workers, no_pin=not pin)
    with ExitStack() as session:
        store = session.enter_context(Store(db, create=False))
        ladder = Ladder.open(store)
        require_agents(ladder)
        active = [agent for agent in ladder.list_agents() if agent.is_active]
        executor: ClusterExecutor | None = None
        cores: list[Cores] = []
        if cluster is None:
            cores = _choose_cores(active, options, workers, pin)
            parallel = "one game at a time" if len(cores) == 1 else f"{len(cores)} games in parallel"
        else:
            connection = session.enter_context(connect(cluster))
            addresses = [agent.entrant.address for agent in active]
            executor = ClusterExecutor(connection, addresses, sandbox=options.sandbox)
            parallel = "games on a cluster"
        console.print(f"Ladder in {db}: {len(active)} active agents, {parallel}.", markup=False, soft_wrap=True)
        runner = LadderRunner(ladder, cores, options, executor)
        progress = _Progress(runner, console)
        records: list[GameRecord] = []
        with handle_interrupts(errors) as interrupts, ExitStack() as opened:
            if console.is_terminal:
                opened.enter_context(Live(progress, console=console, refresh_per_second=2, transient=True))
            if executor is not None:
                progress.cluster = opened.enter_context(ClusterDisplay(executor, console))
            for record in opened.enter_context(closing(runner.run(interrupts.set_executor))):
                records.append(record.without_moves())
                progress.count_game()
        print_ladder(summarise_ladder(ladder))
        if progress.cluster is not None:
            progress.cluster.print_summary(records)
        played = "one game" if progress.games == 1 else f"{progress.games} games"
        command = join_command(["fourfall", "games", str(db), "--event", str(ladder.event)])
        typer.echo(f"\n{played} in this run; list the games: {command}")
        if interrupts.is_interrupted:
            raise typer.Exit(130)
        try:
            require_agents(ladder)
        except StoreError as error:
            typer.echo(f"fourfall: {replace_control_characters(str(error))}", err=True)
            raise typer.Exit(1) from None


def _choose_cores(active: Sequence[LadderAgent], options: RunOptions, workers: int | None, pin: bool) -> list[Cores]:
    """Return the core of each worker of this machine; warn if it is overloaded or refuse if it has no sandbox."""
    require_protections([agent.entrant.address for agent in active], is_sandboxed=options.sandbox)
    free = find_free_cores()
    cores = choose_single_cores(free, workers or len(free), pin)
    if (warning := describe_overload(len(cores), len(free))) is not None:
        Console(stderr=True, highlight=False).print(f"[yellow]warning:[/] {warning}", soft_wrap=True)
    return cores


class _Progress:
    """Games of this run, their rate, and the table of the ladder; a renderable of Rich.

    The table is computed in `count_game`, because another thread draws the display and cannot use the database.
    """

    def __init__(self, runner: LadderRunner, console: Console) -> None:
        self.games = 0
        self.cluster: ClusterDisplay | None = None
        self._runner = runner
        self._console = console
        self._started = time.monotonic()
        self._named: set[str] = set()
        self._summary = summarise_ladder(runner.ladder)
        self._summarised_at = self._line_printed_at = self._started

    def count_game(self) -> None:
        """Count a finished game, name agents that were suspended, and update the table."""
        self.games += 1
        self._print_suspensions()
        now = time.monotonic()
        if now >= self._summarised_at + _SUMMARISE_EVERY_S:
            self._summarised_at = now
            self._summary = summarise_ladder(self._runner.ladder, self._runner.results, self._runner.ratings)
        if not self._console.is_terminal and now >= self._line_printed_at + _PLAIN_EVERY_S:
            self._line_printed_at = now
            leaders = [row for row in self._summary.agents if row.elo is not None][:_LEADERS]
            listed = ", ".join(f"{row.agent} {_format_rating(row.elo)}" for row in leaders)
            workers = "" if self.cluster is None else f"; {self.cluster.describe()}"
            typer.echo(replace_control_characters(f"{self._describe_rate()}{workers}; {listed}"))

    def __rich__(self) -> RenderableType:
        workers = () if self.cluster is None else (self.cluster,)
        return Group(Text(self._describe_rate()), *workers, Text(), format_ladder(self._summary).to_rich())

    def _describe_rate(self) -> str:
        rate = self.games / max(time.monotonic() - self._started, 1e-9)
        return f"{self._runner.results.games} games, {self.games} in this run, {format_pace(rate)}"

    def _print_suspensions(self) -> None:
        ladder = self._runner.ladder
        for name in sorted(self._runner.suspended.keys() - self._named):
            self._named.add(name)
            suspension = load_suspension(ladder.store, ladder.find_agent(name))
            if suspension is not None:
                lines = [f"{name} is suspended: it {describe_suspension(suspension)}", _describe_reproducer(suspension)]
                self._console.print(Text("\n".join(replace_control_characters(line) for line in lines)), soft_wrap=True)


def print_ladder(summary: LadderSummary, history: Sequence[Snapshot] | None = None) -> None:
    """Print the table of a ladder, why agents are suspended, and with `history` how the ratings changed."""
    name = replace_control_characters(summary.name)
    typer.echo(f"{name}, event {summary.event}: {summary.games} games, {summary.state}\n")
    print_grid(format_ladder(summary))
    for row in summary.agents:
        if row.suspension is not None:
            lines = [f"{row.agent} {describe_suspension(row.suspension)}", _describe_reproducer(row.suspension)]
            typer.echo("\n" + "\n".join(replace_control_characters(line) for line in lines))
    if history is not None:
        typer.echo()
        print_grid(format_history(summary, history))


def format_ladder(summary: LadderSummary) -> Grid:
    """Format the agents of a ladder with ratings, trends, results and states."""
    header = ("", "agent", "Elo to mean (95 %)", "trend", "games", "W-D-L", "score %", "state")
    return Grid(header, tuple(map(_format_row, summary.agents)), frozenset({"agent", "state"}))


def format_history(summary: LadderSummary, history: Sequence[Snapshot]) -> Grid:
    """Format how the rating of each agent changed: the first and the last rating, and a line of blocks between them."""
    rows = []
    for row in summary.agents:
        values = [snapshot.ratings[row.agent] for snapshot in history if row.agent in snapshot.ratings]
        if values:
            numbers = (format_elo(value) for value in (values[0], values[-1], min(values), max(values)))
            first, last, low, high = numbers
            rows.append((row.agent, first, draw_sparkline(values), last, f"{low}..{high}"))
    title = f"Ratings after {history[0].pairs * 2} to {history[-1].pairs * 2} games" if history else "No ratings yet"
    return Grid(("agent", "from", "history", "to", "range"), tuple(rows), frozenset({"agent", "history"}), title)


def _format_row(row: LadderStanding) -> tuple[str, ...]:
    score = f"{100 * (row.won + row.drawn / 2) / row.games:.1f}" if row.games else ""
    failed = sum(row.failures.values())
    failures = f", {failed} failure{'s' * (failed > 1)}" if failed else ""
    return (
        "" if row.rank is None else f"{row.rank}",
        row.agent,
        _format_rating(row.elo),
        "" if row.trend is None else format_elo(row.trend),
        f"{row.games}",
        f"{row.won}-{row.drawn}-{row.lost}",
        score,
        f"{row.state}{failures}",
    )


def _format_rating(elo: Estimate | None) -> str:
    return "" if elo is None or elo.value is None else format_interval(elo.to_interval())


def _describe_reproducer(suspension: Suspension) -> str:
    return f"  reproduce with: {suspension.reproducer}"
