"""Writes starter kits: folders with a complete small bot, its build file, its test and a README.

The files are templates in the folder `templates`, one folder for each kind and language. The C++ kinds share the
folder `bot`. The only thing that is replaced is the name of the folder, in the README.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple, get_args

Kind = Literal["cpp", "python", "platform"]
Language = Literal["en", "zh"]

KINDS: tuple[Kind, ...] = get_args(Kind)
LANGUAGES: tuple[Language, ...] = get_args(Language)

_TEMPLATES = Path(__file__).parent / "templates"
_FOLDERS: dict[Kind, tuple[str, ...]] = {"cpp": ("bot", "cpp"), "platform": ("bot", "platform"), "python": ("python",)}
_NAME = "@NAME@"


class KitError(ValueError):
    """A folder that cannot become, or is not, a bot's folder; the message says why and what to do."""


class Commands(NamedTuple):
    """What to type in the folder of a kit: to build and test the bot, to try it, and to rate it."""

    build: str
    try_out: str
    rate: str


COMMANDS: dict[Kind, Commands] = {
    "cpp": Commands("make test", "fourfall watch-bot .", "fourfall gauntlet library:./strategy.so --quick"),
    "platform": Commands("make test", "fourfall watch-bot .", "fourfall gauntlet program:./main --quick"),
    "python": Commands("python test_bot.py", "fourfall watch-bot .", "fourfall gauntlet python:./ --quick --time 0.25"),
}


def write_kit(folder: Path, kind: Kind, language: Language = "en") -> list[str]:
    """Write the files of a kit into a new or empty folder and return their names.

    Nothing is overwritten. If a file cannot be written, what was written before is removed.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     write_kit(Path(parent) / "mybot", "python")
    ['README.md', 'main.py', 'test_bot.py', 'tree_search.py']
    """
    target = folder.absolute()
    _check_folder(folder, target)
    files = read_templates(kind, language, target.name)
    is_new = not target.exists()
    written: list[Path] = []
    try:
        if is_new:
            _make_folder(folder, target)
        for name, text in files.items():
            with (target / name).open("x", encoding="utf-8") as file:
                written.append(target / name)
                file.write(text)
    except BaseException as error:
        for path in written:
            path.unlink(missing_ok=True)
        if is_new and target.is_dir():
            target.rmdir()
        if isinstance(error, PermissionError):
            raise KitError(f"{folder}: no permission to write into this folder; choose another one") from None
        raise
    return list(files)


def read_templates(kind: Kind, language: Language, name: str) -> Mapping[str, str]:
    """Return the texts of a kit's files, by file name, for a bot's folder of this name."""
    paths = [path for part in _FOLDERS[kind] for path in (_TEMPLATES / part / language).iterdir() if path.is_file()]
    return {path.name: path.read_text(encoding="utf-8").replace(_NAME, name) for path in sorted(paths, key=_get_name)}


def _get_name(path: Path) -> str:
    return path.name


def _check_folder(folder: Path, target: Path) -> None:
    """Raise KitError if the folder has a name that addresses and make cannot use, or if it has content."""
    odd = re.search(r"[^\w.+-]", target.name)
    if odd is not None or not target.name or target.name[0] in ".-+":
        reason = f"contains {odd[0]!r}" if odd else "begins with a punctuation mark" if target.name else "is missing"
        raise KitError(f"{folder}: the folder's name {reason}; use letters, digits, '-', '_' and '.'")
    try:
        if target.is_dir():
            if any(target.iterdir()):
                raise KitError(f"{folder} is not empty; choose a new folder, nothing is overwritten")
        elif os.path.lexists(target):
            raise KitError(f"{folder} exists and is not a folder; choose another name")
        elif not target.parent.is_dir():
            raise KitError(f"{folder}: the folder {target.parent} does not exist; create it first")
    except PermissionError:
        raise KitError(f"{folder}: no permission to read this folder; choose another one") from None


def _make_folder(folder: Path, target: Path) -> None:
    try:
        target.mkdir()
    except OSError as error:
        raise KitError(f"{folder}: cannot create this folder: {error.strerror}") from None
