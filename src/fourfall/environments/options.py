"""Checks options of environments; errors name the option and its value."""

from collections.abc import Mapping
from typing import Any

import numpy as np


def check_flag(name: str, value: object) -> bool:
    """Return a boolean option.

    >>> check_flag("padded", "no")
    Traceback (most recent call last):
    TypeError: padded = 'no': expected True or False, not str
    """
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} = {value!r}: expected True or False, not {type(value).__name__}")
    return bool(value)


def check_number(name: str, value: object) -> float:
    """Return an option that is a finite number above 0.

    >>> check_number("move_time_s", -1)
    Traceback (most recent call last):
    ValueError: move_time_s = -1: expected a number above 0
    """
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise TypeError(f"{name} = {value!r}: expected a number above 0, not {type(value).__name__}")
    if not 0 < value < float("inf"):
        raise ValueError(f"{name} = {value!r}: expected a number above 0")
    return float(value)


def check_count(name: str, value: object) -> int:
    """Return an option that is an integer of at least 1.

    >>> check_count("memory_mb", 0.5)
    Traceback (most recent call last):
    TypeError: memory_mb = 0.5: expected an integer of at least 1, not float
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name} = {value!r}: expected an integer of at least 1, not {type(value).__name__}")
    if value < 1:
        raise ValueError(f"{name} = {value!r}: expected an integer of at least 1")
    return int(value)


def check_options(options: object) -> Mapping[str, Any]:
    """Return the options of a reset; None is an empty dictionary.

    >>> check_options(["board"])
    Traceback (most recent call last):
    TypeError: options = ['board']: expected a dictionary, not list
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise TypeError(f"options = {options!r}: expected a dictionary, not {type(options).__name__}")
    return options
