"""Writes a file completely or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def open_output(path: Path, *, encoding: str = "utf-8", newline: str | None = None) -> Iterator[IO[str]]:
    """Open a text file that appears, or replaces another one, only when it is complete."""
    with (
        stage_output(path) as partial,
        partial.open("w", encoding=encoding, newline=newline, errors="replace") as file,
    ):
        yield file


def write_bytes(path: Path, data: bytes) -> None:
    """Write a binary file that appears, or replaces another one, only when it is complete."""
    with stage_output(path) as partial:
        partial.write_bytes(data)


@contextmanager
def stage_output(path: Path) -> Iterator[Path]:
    """Yield the path to write to; on success the file there takes the place of `path`, otherwise it is removed."""
    # A device or a pipe cannot be replaced by renaming; it is written directly.
    is_replaced = path.is_file() or not path.exists()
    target = path.resolve() if is_replaced else path
    partial = target.with_name(f".{target.name}.{os.getpid()}") if is_replaced else target
    try:
        yield partial
        if partial != target:
            partial.replace(target)
    except BaseException as error:
        if partial != target:
            partial.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
