"""Outcome of a function in another process: its result, or the exception that it raised."""

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

R = TypeVar("R")


@dataclass(frozen=True)
class Outcome(Generic[R]):
    """A result, or an exception if `error` is not None."""

    result: R | None = None
    error: Exception | None = None

    def get(self) -> R:
        """Return the result, or raise the exception."""
        if self.error is not None:
            raise self.error
        return cast(R, self.result)


def run_function(function: Callable[..., R], *arguments: object) -> Outcome[R]:
    """Call a function; an exception becomes a part of the outcome, so that the process can go on.

    >>> run_function(int, "7").get()
    7
    >>> run_function(int, "x").get()
    Traceback (most recent call last):
    ValueError: invalid literal for int() with base 10: 'x'
    """
    try:
        return Outcome(function(*arguments))
    except Exception as error:
        return Outcome(error=_make_portable(error))


def _make_portable(error: Exception) -> Exception:
    """Return an exception that can be pickled and read again; others are replaced by their text."""
    try:
        if type(pickle.loads(pickle.dumps(error))) is type(error):  # noqa: S301 (made in this line)
            return error
    except Exception as problem:
        del problem
    return RuntimeError(f"{type(error).__name__}: {error}")
