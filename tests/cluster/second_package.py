"""Makes a second installation of the package for workers: links to the first one, with single files replaced."""

from collections.abc import Mapping
from pathlib import Path

import fourfall._core

PACKAGE = Path(fourfall._core.__file__).parent


def make_second_package(folder: Path, replaced: Mapping[str, bytes | None]) -> dict[str, str]:
    """Make the package in a folder; `replaced` has the contents of entries, None for one that is missing.

    Returns the environment of a worker that uses it.
    """
    package = folder / "fourfall"
    package.mkdir(parents=True)
    for entry in PACKAGE.iterdir():
        if entry.name not in replaced:
            (package / entry.name).symlink_to(entry)
        elif (content := replaced[entry.name]) is not None:
            (package / entry.name).write_bytes(content)
    return {"PYTHONPATH": str(folder)}


def make_package_with_version(folder: Path, version: str) -> dict[str, str]:
    """Make a package whose native module has another version of the same length."""
    core = Path(fourfall._core.__file__)
    content = core.read_bytes()
    old, new = fourfall._core.version.encode() + b"\0", version.encode() + b"\0"
    assert len(old) == len(new)
    assert content.count(old) == 1
    return make_second_package(folder, {core.name: content.replace(old, new)})
