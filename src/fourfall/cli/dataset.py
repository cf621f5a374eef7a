"""The command group ``fourfall dataset``: makes, describes and checks data sets."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from fourfall.arena.tables import Grid
from fourfall.cli.cluster_options import ClusterOption, check_cluster_option
from fourfall.cli.database import JsonOption, print_grid
from fourfall.cli.dataset_progress import LabelProgress
from fourfall.datasets import (
    CheckResult,
    DatasetError,
    Progress,
    Settings,
    StoneRange,
    Summary,
    check_dataset,
    make_dataset,
    summarise,
)
from fourfall.datasets.settings import MAX_COUNT, MAX_SIMULATIONS, LabelKind
from fourfall.datasets.staging import get_staging_path

DEFAULT_COUNT = 1000
_LABELS = ("solver", "engine", "none")

dataset = typer.Typer(
    name="dataset",
    help="Make, describe and check data sets: positions with exact or estimated labels, as Parquet (docs/datasets.md).",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="Data set (Parquet file).")]
SeedOption = Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Random seed; the same seed gives the same rows.")]
WorkersOption = Annotated[
    int | None,
    typer.Option(min=1, max=1024, help="Number of worker processes.", show_default="one per core"),
]


@dataset.command("make")
def make_dataset_command(
    output: Annotated[Path, typer.Argument(metavar="OUT.parquet", help="Parquet file to write.")],
    games: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="GAMES",
            help="Take the positions of games: a database of the arena, or JSON Lines of fourfall export games.",
            show_default=False,
        ),
    ] = None,
    event: Annotated[
        int | None,
        typer.Option(metavar="N", help="Number of an event of the database.", show_default="all events"),
    ] = None,
    board: Annotated[
        list[str] | None,
        typer.Option(metavar="POSITION", help="Draw random openings from this board; may be repeated."),
    ] = None,
    official: Annotated[
        bool, typer.Option("--official", help="Draw random openings on random official boards.")
    ] = False,
    label: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND", help="Label: solver, engine or none; may be repeated.", show_default="solver"),
    ] = None,
    count: Annotated[
        int | None,
        typer.Option(min=1, max=MAX_COUNT, help="Number of positions.", show_default=f"{DEFAULT_COUNT}; of games all"),
    ] = None,
    seed: SeedOption = 0,
    stones: Annotated[
        str | None, typer.Option(metavar="MIN-MAX", help="Number of stones on the board.", show_default="all")
    ] = None,
    free: Annotated[
        str | None,
        typer.Option(metavar="MIN-MAX", help="Number of free cells on the board.", show_default="all"),
    ] = None,
    immediate_wins: Annotated[
        bool,
        typer.Option("--immediate-wins", help="Random openings may leave a player an immediate win."),
    ] = False,
    positions: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=2**62,
            help="Maximum number of positions that the solver searches for a row.",
            show_default=f"{Settings.positions}",
        ),
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(
            "--engine",
            "-e",
            metavar="NAME",
            help="Name of a preset (see fourfall engines), or a preset file (TOML).",
            show_default=Settings.engine,
        ),
    ] = None,
    simulations: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MAX_SIMULATIONS,
            help="Simulations of the engine for a row.",
            show_default=f"{Settings.simulations}",
        ),
    ] = None,
    memory_mb: Annotated[
        int, typer.Option(min=16, max=2**20, help="Memory of solver and engine in each worker, in MiB.")
    ] = Settings.memory_mb,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue an interrupted call.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the file, and an interrupted call.")] = False,
) -> None:
    """Make a data set: positions of games or random openings, labelled by the solver, by an engine or both.

    Give one source: --from GAMES, --board POSITION or --official. Each position and its mirror image is in the file
    once. The openings have the same number of positions for each number of stones, as far as there are enough.

    The rows depend on the options and the seed, not on the number of workers. Ctrl-C keeps the finished labels in
    OUT.parquet.partial, and --resume continues to the same file.

    Examples:

      fourfall dataset make exact.parquet --board 6x7 --free 8-24 --count 10000

      fourfall dataset make policy.parquet --official --label engine --simulations 400 --count 2000

      fourfall dataset make games.parquet --from arena.db --label solver --label engine --count 5000 --seed 1
    """
    check_cluster_option(cluster, workers=workers)
    if resume and force:
        raise typer.BadParameter("give --resume to continue or --force to begin again, not both")
    if stones is not None and free is not None:
        raise typer.BadParameter("give --stones or --free, not both")
    if (games is not None) + bool(board) + official != 1:
        raise typer.BadParameter("give one source of positions: --from GAMES, --board POSITION or --official")
    if immediate_wins and games is not None:
        raise typer.BadParameter("only random openings have it; omit it with --from", param_hint="--immediate-wins")
    labels = _read_labels(label)
    _check_label_options(labels, "engine", {"--engine": engine, "--simulations": simulations})
    _check_label_options(labels, "solver", {"--positions": positions})
    settings = Settings(
        boards=tuple(board or ()),
        official=official,
        games=None if games is None else str(games),
        event=event,
        count=DEFAULT_COUNT if count is None and games is None else count,
        seed=seed,
        stones=_read_range(stones, free),
        immediate_wins=immediate_wins,
        labels=labels,
        positions=positions or Settings.positions,
        engine=engine or Settings.engine,
        simulations=simulations or Settings.simulations,
        memory_mb=memory_mb,
    )
    _run(output, settings, workers=workers, cluster=cluster, resume=resume, force=force)


def _read_range(stones: str | None, free: str | None) -> StoneRange | None:
    text = stones if free is None else free
    if text is None:
        return None
    try:
        return StoneRange.parse(text, is_free=free is not None)
    except DatasetError as error:
        raise typer.BadParameter(str(error), param_hint="--stones" if free is None else "--free") from None


def _read_labels(labels: list[str] | None) -> tuple[LabelKind, ...]:
    """Return the kinds of labels; without the option, the solver."""
    chosen = labels or ["solver"]
    for name in chosen:
        if name not in _LABELS:
            raise typer.BadParameter(f"{name!r} is unknown; choose solver, engine or none", param_hint="--label")
    if "none" in chosen and len(set(chosen)) > 1:
        raise typer.BadParameter("none cannot be combined with other labels", param_hint="--label")
    return tuple(kind for kind in ("solver", "engine") if kind in chosen)


def _check_label_options(labels: tuple[LabelKind, ...], kind: LabelKind, options: dict[str, str | int | None]) -> None:
    """Refuse options of a label that is not requested."""
    for name, value in options.items():
        if value is not None and kind not in labels:
            raise typer.BadParameter(f"needs --label {kind}; add it, or omit {name}", param_hint=name)


def _run(output: Path, settings: Settings, **options: Any) -> None:  # noqa: ANN401 (options of make_dataset)
    noun = "openings" if settings.games is None else "games read"
    with LabelProgress(noun) as display:
        try:
            rows = make_dataset(output, settings, progress=Progress(display.collect, display.label), **options)
        except KeyboardInterrupt:
            rows = None
    if rows is None:
        typer.echo(_describe_interrupt(output, display), err=True)
        raise typer.Exit(130)
    typer.echo(f"wrote {output}: {rows:,} positions")
    if settings.count is not None and rows < settings.count:
        found = "the games have" if settings.games is not None else "the search for random openings found"
        typer.echo(f"fourfall: {found} no more than {rows:,} different positions, not {settings.count:,}", err=True)
        raise typer.Exit(1)


def _describe_interrupt(output: Path, display: LabelProgress) -> str:
    staging = get_staging_path(output)
    if not staging.exists():
        return "\ninterrupted before the first label; nothing is kept"
    return f"\ninterrupted: {staging} has {display.done:,} of {display.total or 0:,} labels; add --resume to continue"


@dataset.command("info")
def show_info(file: FileArgument, as_json: JsonOption = False) -> None:
    """Describe a data set: how it was made, and its rows by board, split, outcome and number of stones.

    Examples:

      fourfall dataset info exact.parquet

      fourfall dataset info exact.parquet --json
    """
    summary = summarise(file)
    if as_json:
        typer.echo(json.dumps(summary.to_dict()))
        return
    metadata = summary.metadata
    lines = {
        "file": f"{file}, {summary.size_bytes:,} bytes",
        "rows": f"{summary.rows:,}",
        "command": metadata.command,
        "version": metadata.settings.version,
        "labels": ", ".join(metadata.settings.labels) or "none",
    }
    if metadata.evaluator is not None:
        sets = ", ".join(metadata.instruction_sets)
        lines["engine"] = f"{metadata.settings.engine}, {metadata.evaluator}" + (f" with {sets}" if sets else "")
    if metadata.settings.labels:
        lines["exact"] = f"{summary.exact:,} rows ({100 * summary.exact / max(summary.rows, 1):.1f} %)"
    for name, value in lines.items():
        typer.echo(f"{name:<8} {value}")
    typer.echo("")
    print_grid(_make_counts(summary))


def _get_size(item: tuple[str, int]) -> list[int]:
    """Return rows and columns of a board, to sort 9x9 before 10x10."""
    return [int(number) for number in item[0].split()[0].split("x")]


def _make_counts(summary: Summary) -> Grid:
    low, high = min(summary.stones, default=0), max(summary.stones, default=0)
    width = max(1, -(-(high - low + 1) // 8))
    rows = [("board", name, number) for name, number in sorted(summary.boards.items(), key=_get_size)]
    rows += [("split", name, summary.splits[name]) for name in ("train", "validation", "test")]
    if summary.metadata.settings.labels:
        rows += [("outcome", name, summary.outcomes[name]) for name in ("win", "draw", "loss", "unknown")]
    for start in range(low, high + 1, width):
        end = min(start + width - 1, high)
        number = sum(summary.stones[stones] for stones in range(start, end + 1))
        rows.append(("stones", f"{start}" if start == end else f"{start}-{end}", number))
    cells = tuple(
        (name, value, f"{number:,}", f"{100 * number / max(summary.rows, 1):.1f} %") for name, value, number in rows
    )
    return Grid(("by", "value", "rows", "share"), cells, frozenset({"by", "value"}))


@dataset.command("check")
def check_dataset_command(
    file: FileArgument,
    count: Annotated[int, typer.Option(min=0, max=MAX_COUNT, help="Number of random rows to label again.")] = 20,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
) -> None:
    """Check a data set: every row against the rules, and the labels of random rows against new labels.

    Exits with 1 if something is wrong.

    Examples:

      fourfall dataset check exact.parquet --count 100
    """
    check_cluster_option(cluster, workers=workers)
    result = check_dataset(file, count=count, seed=seed, workers=workers, cluster=cluster)
    for mistake in result.mistakes:
        typer.echo(mistake)
    typer.echo(_describe_check(file, result))
    if result.mistakes:
        raise typer.Exit(1)


def _describe_check(file: Path, result: CheckResult) -> str:
    found = f"{len(result.mistakes)} mistakes" if result.mistakes else "no mistakes"
    text = f"{file}: {found} in {result.rows:,} rows; {result.relabelled} rows labelled again"
    if result.relabelled and not result.is_exact_comparison:
        text += "; the version or the instruction set differs, so bounds were tested for contradictions only"
    if result.largest_difference:
        text += f"; largest difference of a value: {result.largest_difference:.3g}"
    return text
