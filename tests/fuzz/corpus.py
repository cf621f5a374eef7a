"""Reads and writes the kept inputs of a target: one ZIP file each, with the inputs that reach different code."""

import hashlib
import zipfile
from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).parent / "corpus"
_TIME = (2026, 1, 1, 0, 0, 0)  # a fixed time, so that the same inputs make the same file


def read_corpus(target: str) -> list[bytes]:
    """Return the kept inputs; none if the target was never fuzzed."""
    path = FOLDER / f"{target}.zip"
    if not path.exists():
        return []
    with zipfile.ZipFile(path) as archive:
        return [archive.read(name) for name in sorted(archive.namelist())]


def write_corpus(target: str, inputs: Iterable[bytes]) -> None:
    """Replace the kept inputs."""
    FOLDER.mkdir(exist_ok=True)
    by_name = {hashlib.sha256(data).hexdigest()[:16]: data for data in inputs}
    with zipfile.ZipFile(FOLDER / f"{target}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(by_name.items()):
            archive.writestr(zipfile.ZipInfo(name, _TIME), data, zipfile.ZIP_DEFLATED)
