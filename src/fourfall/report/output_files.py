"""Checks the paths of output files before the work starts."""

import os
from pathlib import Path

STANDARD_OUTPUT = "-"


class OutputError(ValueError):
    """A path that cannot be written; the message names it and says why."""


def check_file(path: Path, option: str, database: Path) -> None:
    """Raise OutputError if a file cannot be written; nothing is created.

    >>> check_file(Path("/missing/folder/out.html"), "--html", Path("arena.db"))
    Traceback (most recent call last):
    fourfall.report.output_files.OutputError: --html /missing/folder/out.html: the folder /missing/folder does not exist
    """
    if path.is_dir():
        raise OutputError(f"{option} {path}: this is a folder; give the name of a file")
    if path.exists() and database.exists() and path.samefile(database):
        raise OutputError(f"{option} {path}: this is the database; give another file")
    if not path.exists() or path.is_file():  # a device or a pipe is written directly, not replaced
        _check_folder(path.absolute().parent, f"{option} {path}")
    if path.exists() and not os.access(path, os.W_OK):
        raise OutputError(f"{option} {path}: no permission to write this file")


def check_folder(path: Path, option: str) -> None:
    """Raise OutputError if files cannot be written into a folder, which is created later if it is missing."""
    if path.exists() and not path.is_dir():
        raise OutputError(f"{option} {path}: this is not a folder")
    _check_folder(path.absolute() if path.is_dir() else path.absolute().parent, f"{option} {path}")


def _check_folder(folder: Path, label: str) -> None:
    if not folder.is_dir():
        raise OutputError(f"{label}: the folder {folder} does not exist")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OutputError(f"{label}: no permission to write into {folder}")
