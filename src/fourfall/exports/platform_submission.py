"""Exports an engine as a submission to the online platform: a zip with one C++ file at its root."""

import os
import tempfile
import zipfile
from pathlib import Path

from fourfall.exports.single_file import SOURCES, ExportSettings, generate_source, require_parent

COMPILE_COMMAND = "g++ -std=c++20 -O2 -o main main.cpp"
"""Command that compiles an unpacked submission."""

_FIXED_DATE = (1980, 1, 1, 0, 0, 0)  # equal settings give equal files


def export_submission(path: Path, settings: ExportSettings) -> None:
    """Write the zip; if that fails, no file is left."""
    source = generate_source("platform_program.cpp", settings, COMPILE_COMMAND).encode()
    descriptor, staged = tempfile.mkstemp(prefix=".fourfall-", dir=require_parent(path))
    try:
        with os.fdopen(descriptor, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in (("main.cpp", source), ("LICENSE", (SOURCES / "LICENSE").read_bytes())):
                entry = zipfile.ZipInfo(name, _FIXED_DATE)
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
        Path(staged).chmod(0o644)
        Path(staged).replace(path)
    except BaseException:
        Path(staged).unlink()
        raise
