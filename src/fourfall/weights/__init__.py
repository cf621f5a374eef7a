"""Owns the weights files: where they are, and the networks that were read from them.

The package's own lies in this folder, made by the code in training/. Any other is named by its path; presets find the
ones beside their files.
"""

import logging
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from fourfall._core import Network, WeightsError

SHIPPED = "fourfall.f4w"

# Whoever uses the library decides whether it speaks; the command line lets it.
_log = logging.getLogger("fourfall")
_log.addHandler(logging.NullHandler())


@cache
def load(name: str) -> Network | None:
    """Return the network of a weights file; None where it is the package's own and the package lacks it.

    >>> load("nobody.f4w")
    Traceback (most recent call last):
    fourfall._core.WeightsError: nobody.f4w: no such weights file, neither beside a preset's file nor in the package
    >>> load("./nobody.f4w")
    Traceback (most recent call last):
    fourfall._core.WeightsError: ./nobody.f4w: No such file or directory
    """
    if "/" in name:
        return Network.load(name)
    found = _own(name)
    if found is None:
        _log.warning("the weights file %s is missing: playing without a network, as fourfall-classic", name)
        return None
    with resources.as_file(found) as path:
        return Network.load(Path(path))


def read(name: str) -> bytes | None:
    """Return what is in a weights file, unchecked; None where it is the package's own and the package lacks it.

    >>> data = read("fourfall.f4w")
    >>> data is None or data[:4] == b"F4W1"
    True
    """
    found = Path(name) if "/" in name else _own(name)
    return None if found is None else found.read_bytes()


def _own(name: str) -> Traversable | None:
    if name != SHIPPED:
        raise WeightsError(f"{name}: no such weights file, neither beside a preset's file nor in the package")
    found = resources.files(__name__) / name
    return found if found.is_file() else None
