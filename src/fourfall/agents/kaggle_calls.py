"""Loads and calls agents in the way of Kaggle's ConnectX: the last callable of a file, observation, configuration."""

import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fourfall._core import Board

_HOLE_VALUE = 3


class MissingFunctionError(Exception):
    """The code does not define the function to call."""


def execute_file(path: Path) -> Callable[..., object]:
    """Execute a file in an empty namespace, without `__file__`, and return the last callable that it defines.

    Its folder is the last of the search path while the file is executed, as on Kaggle.
    """
    namespace: dict[str, Any] = {}
    code = compile(path.read_text(encoding="utf-8"), str(path), "exec")
    sys.path.append(str(path.parent))
    exec(code, namespace)  # noqa: S102 (in the sandbox)
    sys.path.pop()
    found = [value for name, value in namespace.items() if name != "__builtins__" and callable(value)]
    if not found:
        raise MissingFunctionError(f"function in {path.name}; Kaggle calls the last function that a file defines")
    function: Callable[..., object] = found[-1]
    return function


def is_kaggle(name: str, function: Callable[..., object]) -> bool:
    """Whether a function follows Kaggle's convention, judged by its first parameter's name and its own name.

    >>> is_kaggle("agent", lambda observation, configuration: 0), is_kaggle("play", lambda board, limit: 0)
    (True, False)
    >>> is_kaggle("mine", lambda obs, config: 0), is_kaggle("mine", lambda position, limit: 0)
    (True, False)
    """
    first = next(iter(_list_parameters(function)), "")
    return first in ("obs", "observation") or (name == "agent" and first != "board")


class Struct(dict[str, Any]):
    """A dictionary whose entries are also attributes, as Kaggle's agents expect.

    >>> Struct(mark=1).mark, Struct(mark=1)["mark"]
    (1, 1)
    """

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (any entry)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def make_observation(board: Board, overage_s: float = 0.0) -> Struct:
    """Return Kaggle's observation: 1 and 2 are the first and second player's stones, 3 is the hole.

    >>> make_observation(Board.parse("4x4@3,3:12")).board[-4:]
    [1, 2, 0, 3]
    """
    cells = [0] * (board.rows * board.cols)
    for row in range(board.rows):
        for col in range(board.cols):
            player = board.stone_at(row, col)
            if player is not None or (row, col) == board.hole:
                cells[row * board.cols + col] = _HOLE_VALUE if player is None else player + 1
    return Struct(board=cells, mark=board.turn + 1, step=board.ply, remainingOverageTime=overage_s)


def make_configuration(board: Board, move_time_s: float) -> Struct:
    """Return Kaggle's configuration, with the hole as [row, column] or None."""
    return Struct(
        rows=board.rows,
        columns=board.cols,
        inarow=4,
        timeout=move_time_s,
        actTimeout=move_time_s,
        agentTimeout=60,
        runTimeout=1200,
        episodeSteps=1000,
        hole=None if board.hole is None else list(board.hole),
    )


def call_kaggle(function: Callable[..., object], board: Board, move_time_s: float, overage_s: float = 0.0) -> object:
    """Call the function with as many arguments as it takes: Kaggle allows functions without the configuration."""
    arguments = (make_observation(board, overage_s), make_configuration(board, move_time_s))
    return function(*arguments[: max(1, min(2, len(_list_parameters(function))))])


def _list_parameters(function: Callable[..., object]) -> list[str]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # some callables of native modules have no signature
        return ["", ""]
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [parameter.name for parameter in parameters if parameter.kind in positional]
    takes_more = any(parameter.kind == inspect.Parameter.VAR_POSITIONAL for parameter in parameters)
    return [*names, "", ""] if takes_more else names
