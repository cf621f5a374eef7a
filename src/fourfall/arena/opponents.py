"""Lists the opponents of a gauntlet: a named set, the addresses in a text file, or one address."""

from pathlib import Path

from fourfall import presets
from fourfall.agents.levels import LEVELS
from fourfall.agents.registry import check_address, resolve_paths
from fourfall.arena.spec import SpecError

OPPONENT_SETS = {
    "levels": tuple(LEVELS),
    "seeds": tuple(name for name in presets.list_names() if name != presets.DEFAULT),
}


def list_opponents(text: str) -> list[str]:
    """List addresses: those of a named set, those in a text file with one address per line, or a single address.

    Empty lines of a file and lines that begin with # are ignored; relative paths are relative to the file's folder.

    >>> list_opponents("levels")[:2]
    ['level-1', 'level-2']
    >>> list_opponents("seed-002?time=0.5")
    ['seed-002?time=0.5']
    """
    if text in OPPONENT_SETS:
        return list(OPPONENT_SETS[text])
    if text.endswith(".txt"):
        return _read_addresses(Path(text))
    check_address(text)
    return [text]


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
