"""Suggests names of agents in error messages about an unknown name."""

import difflib
from collections.abc import Iterable

_MAX_SIMILAR = 3
_MAX_NAMES = 8
_MIN_SIMILARITY = 0.4


def suggest_names(name: str, names: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: similar names, otherwise some of all names.

    >>> suggest_names("alise", ["alice", "bob"]), suggest_names("carol", ["x", "y"]), suggest_names("carol", [])
    ('; similar: alice', '; agents: x, y', '')
    """
    known = list(names)
    near = difflib.get_close_matches(name, known, _MAX_SIMILAR, _MIN_SIMILARITY)
    if near:
        return f"; similar: {', '.join(near)}"
    rest = " …" if len(known) > _MAX_NAMES else ""
    return f"; agents: {', '.join(known[:_MAX_NAMES])}{rest}" if known else ""
