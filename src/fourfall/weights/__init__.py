"""Finds weights files and loads their networks.

The weights file of the package is in this folder; the code in training/ made it. Other files are given by their path,
which contains a slash. The name in a preset file refers to the folder of that file or to the package.
"""

import logging
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from fourfall._core import Network, WeightsError
from fourfall.system.command_line import is_bare_name

PACKAGED = "fourfall.f4w"
"""Name of the weights file in the package."""

# Applications decide whether messages are shown; the command line shows them.
_log = logging.getLogger("fourfall")
_log.addHandler(logging.NullHandler())


@cache
def load(name: str, instruction_set: str = "") -> Network | None:
    """Load the network of a weights file; return None if it is the packaged file and the package does not contain it.

    `instruction_set` is that of `Network.load`.

    >>> load("missing.f4w")
    Traceback (most recent call last):
    fourfall._core.WeightsError: missing.f4w: weights file not found in the folder of the preset or in the package
    >>> load("./missing.f4w")
    Traceback (most recent call last):
    fourfall._core.WeightsError: ./missing.f4w: No such file or directory
    """
    if not is_bare_name(name):
        return Network.load(name, instruction_set)
    found = _find_packaged(name)
    if found is None:
        _log.warning("the weights file %s is missing: playing without a network, as fourfall-classic", name)
        return None
    with resources.as_file(found) as path:
        return Network.load(Path(path), instruction_set)


def read(name: str) -> bytes | None:
    """Read a weights file without checking it; return None if it is the packaged file and the package has none.

    >>> data = read("fourfall.f4w")
    >>> data is None or data[:4] == b"F4W1"
    True
    """
    found = _find_packaged(name) if is_bare_name(name) else Path(name)
    return None if found is None else found.read_bytes()


def _find_packaged(name: str) -> Traversable | None:
    if name != PACKAGED:
        raise WeightsError(f"{name}: weights file not found in the folder of the preset or in the package")
    found = resources.files(__name__) / name
    return found if found.is_file() else None
