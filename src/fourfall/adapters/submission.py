"""Owns our engine as a submission to the online platform: a zip with one C++ file at its root."""

import os
import tempfile
import zipfile
from pathlib import Path

from fourfall.adapters.one_file import SOURCES, Settings, one_file

COMPILE = "g++ -std=c++20 -O2 -o main main.cpp"
"""The line that compiles an unpacked submission."""

_NO_DATE = (1980, 1, 1, 0, 0, 0)  # the same settings make the same file


def export_submission(path: Path, settings: Settings) -> None:
    """Write the zip; what fails leaves nothing behind."""
    source = one_file("platform_program.cpp", settings, COMPILE).encode()
    descriptor, staged = tempfile.mkstemp(prefix=".fourfall-", dir=path.absolute().parent)
    try:
        with os.fdopen(descriptor, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in (("main.cpp", source), ("LICENSE", (SOURCES / "LICENSE").read_bytes())):
                entry = zipfile.ZipInfo(name, _NO_DATE)
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
        Path(staged).chmod(0o644)
        Path(staged).replace(path)
    except BaseException:
        Path(staged).unlink()
        raise
