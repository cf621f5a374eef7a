"""Makes a data set: collects positions, labels them in worker processes and writes the Parquet file."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from fourfall.cluster.tasks import run_tasks
from fourfall.datasets.collect import collect_positions
from fourfall.datasets.errors import DatasetError, DatasetFailure
from fourfall.datasets.labels import label_positions, make_task
from fourfall.datasets.parquet_file import write_parquet
from fourfall.datasets.schema import import_pyarrow
from fourfall.datasets.settings import Settings
from fourfall.datasets.staging import StagingFile, get_staging_path
from fourfall.engine import Engine

BATCH = 32
"""Positions of one task of a worker process."""


def _ignore(*_: int) -> None:
    pass


@dataclass(frozen=True)
class Progress:
    """Functions that are called while a data set is made.

    Attributes:
        collect: called with the number of openings found or games read so far.
        label: called with the numbers of labelled positions and of all positions.
    """

    collect: Callable[[int], None] = field(default=_ignore)
    label: Callable[[int, int], None] = field(default=_ignore)


def make_dataset(
    path: Path | str,
    settings: Settings,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    resume: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> int:
    """Make a data set and return the number of its rows.

    The rows depend only on the settings. Finished labels are stored in a file with the suffix ``.partial`` beside the
    output; when the call is interrupted, `resume` continues with it. The output appears only when it is complete.

    Args:
        path: Parquet file to write.
        settings: source of the positions, labels, number of positions and seed.
        workers: number of worker processes, by default one per core.
        cluster: address of a Dask scheduler, or ``local:N``; None for processes of this machine.
        resume: continue an interrupted call with the same settings.
        force: replace the output and an interrupted call.
        progress: functions to call on the way.

    >>> import tempfile
    >>> from fourfall.datasets import read
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "small.parquet"
    ...     make_dataset(path, Settings(boards=("4x4",), count=20, labels=()))
    ...     len(read(path))
    20
    20
    """
    path, settings, progress = Path(path), settings.check(), progress or Progress()
    import_pyarrow()
    _check_output(path, resume=resume, force=force)
    if "engine" in settings.labels:
        Engine(settings.engine, seed=settings.seed, memory_mb=settings.memory_mb, threads=1)  # raises early
    with StagingFile(path, settings, resume=resume) as staging:
        try:
            if not staging.is_collected:
                collect_positions(settings, staging, progress.collect)
        except BaseException:
            staging.remove()  # nothing is labelled yet
            raise
        if settings.labels:
            _label(settings, staging, progress, workers, cluster)
        rows = write_parquet(path, settings, staging)
        staging.remove()
    return rows


def _check_output(path: Path, *, resume: bool, force: bool) -> None:
    if path.exists() and not path.is_file():
        raise DatasetError(f"{path}: not a file; give the name of a Parquet file to write")
    if not path.absolute().parent.is_dir():
        raise DatasetError(f"{path}: the folder {path.parent} does not exist")
    staging = get_staging_path(path)
    if path.exists() and not force:
        raise DatasetError(f"{path} exists; choose another name or add --force")
    if staging.exists() and not (resume or force):
        raise DatasetError(f"{staging} exists: add --resume to continue, or --force to begin again")
    if resume and not staging.exists():
        raise DatasetError(f"{staging} does not exist: there is nothing to resume")


def _label(
    settings: Settings, staging: StagingFile, progress: Progress, workers: int | None, cluster: str | None
) -> None:
    """Label all positions that have no label."""
    total, done = staging.count()
    progress.label(done, total)
    tasks = (
        make_task(settings, [item.position for item in batch], [item.rank for item in batch])
        for batch in staging.list_unlabelled(BATCH)
    )
    try:
        for task, labels in run_tasks(label_positions, tasks, cluster=cluster, workers=workers):
            staging.add_labels(task.ranks, labels)
            done += len(labels)
            progress.label(done, total)
    except BaseException:
        if done == 0:
            staging.remove()  # there is nothing to resume
        raise
    if done < total:
        raise DatasetFailure(f"{total - done} positions have no label; add --resume to label them")
