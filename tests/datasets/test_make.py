"""Tests of make_dataset: the same rows with any number of workers, resuming, and errors."""

import re
import sqlite3
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall.arena.store import StoreFailure
from fourfall.datasets import DatasetError, DatasetFailure, Progress, Settings, make_dataset, read
from fourfall.datasets.staging import StagingFile
from tests.datasets.conftest import SETTINGS

# Makes a data set of 200 rows without labels; files cannot grow beyond argv[2] bytes.
_LIMITED = """
import resource, signal, sys
from fourfall.datasets import DatasetFailure, Settings, make_dataset
from fourfall.arena.store import StoreFailure
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
try:
    make_dataset(sys.argv[1], Settings(boards=("6x7",), count=200, labels=()))
except (DatasetFailure, StoreFailure) as error:
    sys.exit(f"failure: {error}")
"""


def test_number_of_workers_does_not_change_the_file(tmp_path: Path, exact_file: Path) -> None:
    """One worker writes the same bytes as two."""
    make_dataset(tmp_path / "one.parquet", SETTINGS, workers=1)
    assert (tmp_path / "one.parquet").read_bytes() == exact_file.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.parquet"]


def test_cluster_gives_the_same_file(tmp_path: Path, exact_file: Path) -> None:
    """A Dask cluster writes the same bytes as processes of this machine."""
    make_dataset(tmp_path / "cluster.parquet", SETTINGS, cluster="local:1")
    assert (tmp_path / "cluster.parquet").read_bytes() == exact_file.read_bytes()


def test_interrupted_call_is_resumed_to_the_same_file(
    tmp_path: Path, exact_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The labels that were finished before the interrupt are not computed again."""
    monkeypatch.setattr("fourfall.datasets.make.BATCH", 8)
    path = tmp_path / "out.parquet"
    calls: list[int] = []

    def interrupt(done: int, total: int) -> None:
        if done >= 16:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_dataset(path, SETTINGS, workers=1, progress=Progress(label=interrupt))
    assert not path.exists()
    with pytest.raises(DatasetError, match=r"out\.parquet\.partial exists: add --resume"):
        make_dataset(path, SETTINGS)
    with pytest.raises(DatasetError, match=r"was made with another seed \(3, now 4\)"):
        make_dataset(path, replace(SETTINGS, seed=4), resume=True)
    make_dataset(path, SETTINGS, workers=1, resume=True, progress=Progress(label=lambda done, _: calls.append(done)))
    assert calls[0] == 16
    assert path.read_bytes() == exact_file.read_bytes()


def test_output_is_not_overwritten(tmp_path: Path) -> None:
    """An existing file is kept unless `force` is given; nothing to resume and a missing folder are errors."""
    path = tmp_path / "out.parquet"
    path.write_text("precious")
    settings = Settings(boards=("4x4",), count=5, labels=())
    with pytest.raises(DatasetError, match=r"out\.parquet exists; choose another name or add --force"):
        make_dataset(path, settings)
    assert path.read_text() == "precious"
    make_dataset(path, settings, force=True)
    assert len(read(path)) == 5
    with pytest.raises(DatasetError, match="there is nothing to resume"):
        make_dataset(tmp_path / "other.parquet", settings, resume=True)
    with pytest.raises(DatasetError, match="not a file; give the name of a Parquet file"):
        make_dataset(".", settings)
    with pytest.raises(DatasetError, match="missing does not exist"):
        make_dataset(tmp_path / "missing" / "out.parquet", settings)


def test_two_processes_cannot_make_one_file(tmp_path: Path) -> None:
    """While one process makes a data set, another one is refused, also with `force`."""
    settings = Settings(boards=("4x4",), count=5, labels=())
    path = tmp_path / "out.parquet"
    with StagingFile(path, settings, resume=False), pytest.raises(StoreFailure, match="locked by another program"):
        make_dataset(path, settings, force=True)


def test_foreign_staging_file_is_not_resumed(tmp_path: Path) -> None:
    """A database of another kind with the name of the staging file is an error."""
    with sqlite3.connect(tmp_path / "out.parquet.partial") as connection:
        connection.execute("CREATE TABLE other (value)")
    connection.close()
    with pytest.raises(DatasetError, match="not the staging file of a data set"):
        make_dataset(tmp_path / "out.parquet", Settings(boards=("4x4",), count=5), resume=True)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Settings(count=5), "choose one source"),
        (Settings(boards=("4x4",), official=True, count=5), "choose one source"),
        (Settings(boards=("4x4",)), "need a number of positions"),
        (Settings(boards=("4x4:1212121",), count=5), "the game is over"),
        (Settings(boards=("4x4",), count=5, event=1), "an event needs a database"),
        (Settings(games="/missing.db"), "missing.db: No such file"),
        (Settings(boards=("4x4",), count=0), "must be 1 to"),
        (Settings(boards=("4x4",), count=5, memory_mb=4), "memory_mb must be 16 to"),
    ],
)
def test_invalid_settings(tmp_path: Path, settings: Settings, message: str) -> None:
    """An error says what is wrong, and no file is left behind."""
    with pytest.raises(DatasetError, match=message):
        make_dataset(tmp_path / "out.parquet", settings)
    assert list(tmp_path.iterdir()) == []


def test_disk_is_full_for_the_staging_file(tmp_path: Path) -> None:
    """The failure is one line that names the file."""
    words = [sys.executable, "-c", _LIMITED, str(tmp_path / "out.parquet"), "8192"]
    result = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 1
    assert re.fullmatch(r"failure: .*out\.parquet\.partial: .*(full|I/O error).*\n", result.stderr)
    assert not (tmp_path / "out.parquet").exists()


def test_disk_is_full_for_the_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The labels are kept, and the call is resumed when there is space."""
    path = tmp_path / "out.parquet"
    settings = Settings(boards=("4x4",), count=5, labels=())
    with monkeypatch.context() as patch:
        patch.setattr("fourfall.datasets.parquet_file.stage_output", lambda _: nullcontext(Path("/dev/full")))
        with pytest.raises(DatasetFailure, match=r"out\.parquet: No space left on device; the labels are kept in .*"):
            make_dataset(path, settings)
    assert not path.exists()
    assert make_dataset(path, settings, resume=True) == 5


def test_missing_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pyarrow the error has the command that installs it."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(DatasetFailure, match=r'pip install "fourfall\[data\]"'):
        make_dataset(tmp_path / "out.parquet", Settings(boards=("4x4",), count=5, labels=()))
    assert list(tmp_path.iterdir()) == []
