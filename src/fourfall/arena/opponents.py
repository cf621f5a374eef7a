"""Lists the opponents of a gauntlet: a named set, the libraries of a folder, the addresses in a text file, or one."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from fourfall import presets
from fourfall.agents.levels import LEVELS
from fourfall.agents.registry import AddressError, check_address, resolve_paths
from fourfall.arena.spec import SpecError

OPPONENT_SETS = {
    "levels": tuple(LEVELS),
    "seeds": tuple(name for name in presets.list_names() if name.startswith("seed-")),
}


def list_opponents(text: str) -> list[str]:
    """List addresses: those of a named set, of a folder or of a text file with one address per line, or a single one.

    The opponents of a folder are its strategy libraries (``*.so``) in natural order; no file is opened. Empty lines of
    a text file and lines that begin with # are ignored; relative paths are relative to the file's folder.

    >>> list_opponents("levels")[:2]
    ['level-2', 'level-4']
    >>> list_opponents("seed-002?time=0.5")
    ['seed-002?time=0.5']
    """
    if text in OPPONENT_SETS:
        return list(OPPONENT_SETS[text])
    if text.endswith(".txt"):
        return _read_addresses(Path(text))
    if _is_folder(text):
        return _list_libraries(Path(text))
    try:
        check_address(text)
    except AddressError as error:
        raise SpecError(f"{text}: not one of {', '.join(OPPONENT_SETS)}, not a folder; {error}") from None
    return [text]


def choose_games_per_opponent(fields: Iterable[str]) -> int:
    """Return the number of games against each opponent by default: two in a field that contains levels or a folder.

    >>> choose_games_per_opponent(["levels", "seed-002"]), choose_games_per_opponent(["seeds"])
    (2, 20)
    """
    return 2 if any(text == "levels" or _is_folder(text) for text in fields) else 20


def _is_folder(text: str) -> bool:
    """Whether a text is meant as a folder: one that exists, or a name that ends with a slash."""
    try:
        return text.endswith(("/", os.sep)) or Path(text).is_dir()
    except (OSError, ValueError):  # not a valid path: an address
        return False


def _list_libraries(folder: Path) -> list[str]:
    try:
        files = [path for path in folder.iterdir() if path.suffix == ".so" and path.is_file()]
    except OSError as error:
        raise SpecError(f"{folder}: {error.strerror}") from None
    except ValueError:  # a null character
        raise SpecError(f"{str(folder)!r}: not the name of a folder") from None
    if not files:
        raise SpecError(f"{folder}: the folder contains no strategy library; their names end in .so")
    for path in files:
        if "?" in path.name:  # the rest of the name would be read as options, which may allow to read other files
            raise SpecError(f"{folder}: the name {path.name!r} contains '?'; rename the file")
    addresses = [f"library:{path}" for path in sorted(files, key=_make_natural_key)]
    for address in addresses:
        try:
            check_address(address)
        except AddressError as error:
            raise SpecError(f"{folder}: {error}") from None
    return addresses


def _make_natural_key(path: Path) -> list[tuple[int, str]]:
    """Return a sort key that puts 2.so before 10.so."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", path.name)]


def _read_addresses(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise SpecError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SpecError(f"{path}: not a text file") from None
    addresses = []
    for number, line in enumerate(lines, 1):
        address = line.strip()
        if not address or address.startswith("#"):
            continue
        try:
            address = resolve_paths(address, path.absolute().parent)
            check_address(address)
        except ValueError as error:
            raise SpecError(f"{path}, line {number}: {error}") from None
        addresses.append(address)
    if not addresses:
        raise SpecError(f"{path}: the file contains no address")
    return addresses
