"""Owns the jailed interpreter's side of a Python agent: loads the bot, calls its function, answers for it.

Runs in a process of its own. Each line that comes in is a position with its moves; each answer is a column, or a word
of trouble that begins with `!`, with its length before it. The bot's own output goes to its error output.
"""

import importlib
import importlib.util
import inspect
import json
import operator
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

from fourfall._core import Board, Limit
from fourfall.agents.protocol import framed

Play = Callable[[Board], object]

_LONGEST_COMPLAINT = 1000
_HOLE_MARK = 3


def main(job: str) -> None:
    """Run a bot until nobody asks any more."""
    questions, answers = _private_pipes()

    def say(text: str) -> None:
        answers.write(framed(text[:_LONGEST_COMPLAINT]))

    try:
        play = load(**json.loads(job))
    except MissingFunctionError as missing:
        return say(f"! interface missing {missing}")
    except BaseException as error:
        return say(_trouble("cannot load", error))
    say("ready")
    for line in questions:
        board = Board.parse(line.decode().strip())
        try:
            answer = play(board)
        except BaseException as error:
            return say(_trouble("exception", error))
        say(_column(answer))
    return None


class MissingFunctionError(Exception):
    """A bot that lacks the function to call."""


def load(place: str, first: str, module: str | None, function: str | None, limit: float) -> Play:
    """Import a bot and return a function from a board to whatever the bot answers."""
    sys.path.insert(0, first)
    bot = _import_file(Path(place)) if module is None else importlib.import_module(module)
    name, found = _function(bot, function)
    if is_kaggle(name, found):
        return lambda board: _call_kaggle(found, board, limit)
    return lambda board: found(board, Limit(time=limit))


def is_kaggle(name: str, function: Callable[..., object]) -> bool:
    """Decide between our protocol and Kaggle's: by the name of the first parameter, else by the function's.

    >>> is_kaggle("agent", lambda observation, configuration: 0), is_kaggle("play", lambda board, limit: 0)
    (True, False)
    >>> is_kaggle("mine", lambda obs, config: 0), is_kaggle("mine", lambda position, limit: 0)
    (True, False)
    """
    first = next(iter(_parameters(function)), "")
    return first in ("obs", "observation") or (name == "agent" and first != "board")


class Struct(dict[str, Any]):
    """A dictionary whose entries are attributes too, as Kaggle's agents expect it.

    >>> Struct(mark=1).mark, Struct(mark=1)["mark"]
    (1, 1)
    """

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (any entry)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def observation(board: Board) -> Struct:
    """Describe a board in Kaggle's way: 1 and 2 are the first and second player's stones, 3 is the hole.

    >>> observation(Board.parse("4x4@3,3:12")).board[-4:]
    [1, 2, 0, 3]
    """
    cells = [0] * (board.rows * board.cols)
    for row in range(board.rows):
        for col in range(board.cols):
            player = board.stone_at(row, col)
            if player is not None or (row, col) == board.hole:
                cells[row * board.cols + col] = _HOLE_MARK if player is None else player + 1
    return Struct(board=cells, mark=board.turn + 1, step=board.ply, remainingOverageTime=0)


def configuration(board: Board, limit: float) -> Struct:
    """Describe the game in Kaggle's way, with the hole as [row, column] or None."""
    return Struct(
        rows=board.rows,
        columns=board.cols,
        inarow=4,
        timeout=limit,
        actTimeout=limit,
        episodeSteps=board.geometry.cells + 1,
        hole=None if board.hole is None else list(board.hole),
    )


def _call_kaggle(function: Callable[..., object], board: Board, limit: float) -> object:
    """Call with as many arguments as the function takes: Kaggle allows to leave the configuration out."""
    given = (observation(board), configuration(board, limit))
    return function(*given[: max(1, min(2, len(_parameters(function))))])


def _parameters(function: Callable[..., object]) -> list[str]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # some callables of native modules do not say
        return ["", ""]
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [parameter.name for parameter in parameters if parameter.kind in positional]
    takes_more = any(parameter.kind == inspect.Parameter.VAR_POSITIONAL for parameter in parameters)
    return [*names, "", ""] if takes_more else names


def _import_file(path: Path) -> ModuleType:
    # A bot called like a module that is in use already must not take its place.
    name = f"{path.stem}_bot" if path.stem in sys.modules else path.stem
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} is not a Python file")
    bot = importlib.util.module_from_spec(spec)
    sys.modules[name] = bot
    spec.loader.exec_module(bot)
    return bot


def _function(bot: ModuleType, name: str | None) -> tuple[str, Callable[..., object]]:
    wanted = ("play", "agent") if name is None else (name,)
    for candidate in wanted:
        found = getattr(bot, candidate, None)
        if callable(found):
            return candidate, found
    raise MissingFunctionError(f"function {' or '.join(wanted)} in {bot.__name__}")


def _column(answer: object) -> str:
    """Write an answer as a column; anything but a whole number of reasonable size is a broken one."""
    try:
        column = operator.index(answer)  # type: ignore[arg-type]  # whatever it is, this finds out
    except BaseException:
        return f"! broken answer a column is a whole number, not {_kind(answer)}"
    if isinstance(answer, bool) or not -(2**31) <= column < 2**31:
        return f"! broken answer a column is a whole number of reasonable size, not {_kind(answer)}"
    return str(column)


def _kind(answer: object) -> str:
    return f"{answer!r}" if isinstance(answer, bool | float | None) else f"a value of type {type(answer).__name__}"


def _trouble(kind: str, error: BaseException) -> str:
    """Print a traceback for the bot's author, and return the word of trouble for the judge."""
    if isinstance(error, MemoryError):
        return "! memory exceeded"
    traceback.print_exception(error)
    lines = "".join(traceback.format_exception_only(error)).splitlines()
    told = (line for line in lines if type(error).__name__ in line and not line.startswith(" "))
    return f"! {kind} {next(told, lines[-1])}"


def _private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Move the judge's pipes out of the bot's way: its print() goes to the error output, its input() finds nothing."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return questions, answers
