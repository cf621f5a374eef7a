"""Owns the fields that a bot can be tried against: named ones, and lists of addresses in a file."""

from pathlib import Path

from fourfall import presets
from fourfall.agents.levels import LEVELS
from fourfall.agents.registry import check_address, resolve_paths
from fourfall.arena.reading import SpecError

NAMED = {
    "levels": tuple(LEVELS),
    "seeds": tuple(name for name in presets.names() if name != presets.DEFAULT),
}


def field(text: str) -> list[str]:
    """List the addresses of a field: a named one, a text file with an address on every line, or a single address.

    Empty lines of a file and those that begin with # say nothing; relative paths start from the file's folder.

    >>> field("levels")[:2]
    ['level-1', 'level-2']
    >>> field("seed-002?time=0.5")
    ['seed-002?time=0.5']
    """
    if text in NAMED:
        return list(NAMED[text])
    if text.endswith(".txt"):
        return _listed(Path(text))
    check_address(text)
    return [text]


def _listed(path: Path) -> list[str]:
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
        raise SpecError(f"{path}: no address in it")
    return addresses
