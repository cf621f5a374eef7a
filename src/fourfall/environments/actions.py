"""Reads actions: the number of a column, counted from 0."""

import operator

import numpy as np


class ActionError(ValueError):
    """An action that is not in the action space; the message names the action."""


def parse_action(action: object, actions: int) -> int:
    """Return the column of an action from 0 to `actions` - 1: an integer of Python or NumPy, or an array with no axes.

    >>> parse_action(np.int64(3), 12), parse_action(np.array(3), 12)
    (3, 3)
    >>> parse_action(1.5, 12)
    Traceback (most recent call last):
    fourfall.environments.actions.ActionError: action 1.5 is not a column: expected an integer from 0 to 11, not float
    >>> parse_action(12, 12)
    Traceback (most recent call last):
    fourfall.environments.actions.ActionError: action 12 is not in the action space: expected an integer from 0 to 11
    """
    try:
        if isinstance(action, bool):  # as NumPy's, which are no index
            raise TypeError
        column = operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        kind = f"array of {action.dtype} with shape {action.shape}" if isinstance(action, np.ndarray) else _name(action)
        expected = f"expected an integer from 0 to {actions - 1}, not {kind}"
        raise ActionError(f"action {action!r} is not a column: {expected}") from None
    if not 0 <= column < actions:
        expected = f"expected an integer from 0 to {actions - 1}"
        raise ActionError(f"action {column} is not in the action space: {expected}")
    return column


def _name(value: object) -> str:
    return type(value).__name__
