"""The command ``fourfall experiments``: lists, describes and repeats the experiments of the five reports."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from fourfall.arena.opponents import list_opponents
from fourfall.arena.output_file import open_output
from fourfall.arena.spec import Spec, SpecError
from fourfall.arena.store import Store
from fourfall.arena.tables import Grid
from fourfall.cli.cluster_options import ClusterOption, check_cluster_option
from fourfall.cli.database import print_grid
from fourfall.cli.event_options import NoSandboxOption, WorkersOption
from fourfall.cli.event_runner import choose_cores, play_event, require_sandbox
from fourfall.cluster.connection import connect
from fourfall.experiments import Experiment, ExperimentError, RunSettings, get_experiment, list_experiments, open_run
from fourfall.experiments.markdown import format_report
from fourfall.experiments.run import REPORT_FILE, load_settings, read_explanation, write_report
from fourfall.system.command_line import join_command

CENSUS = "census"

experiments = typer.Typer(
    no_args_is_help=True,
    help="Repeat the experiments of the five reports and compare the results.",
    rich_markup_mode="rich",
)

NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="Name of an experiment; fourfall experiments list shows all.")
]
QuickOption = Annotated[
    bool, typer.Option("--quick", help="Few games with few simulations, or few boards, to see that it works.")
]


@experiments.command("list")
def list_command() -> None:
    """List the experiments with the size of a full run.

    Example:

      fourfall experiments list
    """
    rows = tuple(
        (experiment.name, experiment.title, experiment.describe_size(RunSettings()))
        for experiment in list_experiments()
    )
    header = ("experiment", "title", "full run")
    print_grid(Grid(header, rows, frozenset(header)))


@experiments.command()
def show(
    name: NameArgument,
    results: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Folder with the results of a run, whose report is computed again and printed."
        ),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="With --results: write the report to the folder instead of printing it.")
    ] = False,
) -> None:
    """Describe an experiment: claim, source and sizes; or compute the report of a run from its records again.

    Examples:

      fourfall experiments show 002-final-choice

      fourfall experiments show 002-final-choice --results experiments/002-final-choice
    """
    experiment = get_experiment(name)
    if write and results is None:
        raise typer.BadParameter("needs --results DIR", param_hint="--write")
    if results is None:
        _describe(experiment)
        return
    run_name, settings = load_settings(results)
    if run_name != name:
        raise ExperimentError(f"{results}: the run there is of the experiment {run_name!r}, not {name!r}")
    report = experiment.load_report(results, settings)
    text = format_report(experiment, report, settings.quick, read_explanation(results))
    if not write:
        typer.echo(text, nl=False)
        return
    with open_output(results / REPORT_FILE) as file:
        file.write(text)
    typer.echo(f"Report: {results / REPORT_FILE}")


@experiments.command()
def run(
    name: NameArgument,
    quick: QuickOption = False,
    output: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for games and report.", show_default="NAME or NAME-quick"),
    ] = None,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the run in the folder.")] = False,
    samples: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder with strategy libraries (*.so) as opponents instead of levels."),
    ] = None,
    no_sandbox: NoSandboxOption = False,
    max_cells: Annotated[
        int | None,
        typer.Option(
            min=16, max=144, help="Cells of the largest boards of the census.", show_default="42, with --quick 20"
        ),
    ] = None,
) -> None:
    """Repeat an experiment: play its games and write report.md with the claim beside the results.

    Ctrl-C lets the running games finish, a second Ctrl-C stops at once; --resume continues. The folder has the games as
    a database of the arena (games.db) and as compressed records (*.jsonl.xz).

    Examples:

      fourfall experiments run 002-final-choice --quick

      fourfall experiments run 001-opponents --output results --workers 2 --resume

      fourfall experiments run census --max-cells 30
    """
    experiment = get_experiment(name)
    check_cluster_option(cluster, workers=workers)
    _check_options(name, max_cells, samples)
    settings = RunSettings(quick, _list_samples(samples), sandbox=not no_sandbox, max_cells=max_cells)
    folder = output or Path(f"{name}-quick" if quick else name)
    console = Console(highlight=False)

    def play(store: Store, event: int, spec: Spec) -> bool:
        if cluster is not None:
            return _play_on_cluster(cluster, store, event, spec, console)
        require_sandbox(spec)
        return play_event(store, event, spec, choose_cores(spec, workers, pin=True), console).is_complete

    opened = open_run(
        experiment, folder, settings, play, resume=resume, workers=workers, cluster=cluster, echo=typer.echo
    )
    typer.echo(f"{experiment.title}: {experiment.describe_size(settings)}")
    command = join_command(["fourfall", "experiments", "run", name, *(["--quick"] if quick else [])])
    given = [*(["--samples", str(samples)] if samples else []), *(["--no-sandbox"] if no_sandbox else [])]
    given += ["--max-cells", str(max_cells)] if max_cells else []
    options = join_command([*given, "--output", str(folder), "--resume"])
    try:
        report = experiment.run(opened)
    except KeyboardInterrupt:
        typer.echo(f"Stopped; continue with: {command} {options}", err=True)
        raise typer.Exit(130) from None
    write_report(opened, report)
    for grid in report.tables:
        typer.echo()
        print_grid(grid)
    typer.echo("\n" + "\n".join(report.readings))
    typer.echo(f"\nReport: {opened.report_path}")
    if report.missing:
        typer.echo(f"Stopped, {report.missing}; continue with: {command} {options}", err=True)
        raise typer.Exit(130)


def _play_on_cluster(cluster: str, store: Store, event: int, spec: Spec, console: Console) -> bool:
    """Play the missing games of an event on a cluster; return whether it is complete."""
    # Imported here because most runs need no cluster.
    from fourfall.arena.cluster_executor import ClusterExecutor

    with connect(cluster) as connection:
        addresses = [agent.address for agent in spec.agents]
        executor = ClusterExecutor(connection, addresses, sandbox=spec.sandbox)
        progress = play_event(store, event, spec, [], console, executor=executor)
    if progress.cluster is not None:
        progress.cluster.print_summary(progress.new_records)
    return progress.is_complete


def _check_options(name: str, max_cells: int | None, samples: Path | None) -> None:
    """Refuse options that the experiment does not use."""
    if max_cells is not None and name != CENSUS:
        raise typer.BadParameter(f"only the experiment {CENSUS} has it", param_hint="--max-cells")
    if samples is not None and name == CENSUS:
        raise typer.BadParameter(f"the experiment {CENSUS} plays no games", param_hint="--samples")


def _describe(experiment: Experiment) -> None:
    typer.echo(f"{experiment.name}: {experiment.title}\n\n{experiment.source}\n")
    print_grid(experiment.claim)
    typer.echo(f"\nfull run    {experiment.describe_size(RunSettings())}")
    typer.echo(f"quick run   {experiment.describe_size(RunSettings(quick=True))}")
    typer.echo(f"\nRepeat it: fourfall experiments run {experiment.name}")


def _list_samples(folder: Path | None) -> tuple[str, ...]:
    if folder is None:
        return ()
    if not folder.is_dir():
        raise SpecError(f"{folder}: not a folder; --samples needs a folder with strategy libraries (*.so)")
    return tuple(list_opponents(f"{folder.absolute()}/"))
