"""Runs a Python agent inside the sandbox: imports the code, calls its function, sends the answers.

The interpreter of this process is started by `PythonAgent`. Each input line is a position with its moves and the time
per move in seconds. Each reply is framed: `ready`, a column, or an error `! kind detail`. The agent's standard output
goes to its standard error.
"""

import importlib
import importlib.util
import inspect
import json
import operator
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

from fourfall._core import Board, Limit
from fourfall.agents.protocol import frame_message

Play = Callable[[Board, float], object]

_MAX_REPLY_CHARS = 1000
_HOLE_VALUE = 3


def main(source: str) -> None:
    """Load the function and answer questions until the input ends or the function fails."""
    questions, answers = _take_standard_streams()

    def send(text: str) -> None:
        answers.write(frame_message(text[:_MAX_REPLY_CHARS]))

    try:
        play = load_function(**json.loads(source))
    except MissingFunctionError as missing:
        return send(f"! interface missing {missing}")
    except BaseException as error:
        return send(_describe_exception("cannot load", error))
    send("ready")
    for line in questions:
        notation, move_time_s = line.decode().split()
        board = Board.parse(notation)
        try:
            answer = play(board, float(move_time_s))
        except BaseException as error:
            return send(_describe_exception("exception", error))
        send(_format_answer(answer))
    return None


class MissingFunctionError(Exception):
    """The code does not define the function to call."""


def load_function(path: str, import_folder: str, module: str | None, function: str | None) -> Play:
    """Import the code; return a function that takes a board and the time per move and returns the agent's answer."""
    sys.path.insert(0, import_folder)
    sys.meta_path.insert(sys.meta_path.index(PathFinder), ModuleFinder(Path(import_folder)))
    code = _import_file(Path(path)) if module is None else _import_module(module, Path(path))
    name, found = _find_function(code, function)
    if is_kaggle(name, found):
        return lambda board, move_time_s: _call_kaggle(found, board, move_time_s)
    return lambda board, move_time_s: found(board, Limit(time=move_time_s))


class ModuleFinder:
    """Finds modules and packages in a folder by their names. Python's own finder must be able to list the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a readable top-level module, else None."""
        endings = [".py", *EXTENSION_SUFFIXES]
        for file in (f"{name}/__init__.py", *(f"{name}{ending}" for ending in endings)) if path is None else ():
            try:
                (self._folder / file).open("rb").close()
            except OSError:
                continue
            return importlib.util.spec_from_file_location(name, self._folder / file)
        return None


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


def make_observation(board: Board) -> Struct:
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
    return Struct(board=cells, mark=board.turn + 1, step=board.ply, remainingOverageTime=0)


def make_configuration(board: Board, move_time_s: float) -> Struct:
    """Return Kaggle's configuration, with the hole as [row, column] or None."""
    return Struct(
        rows=board.rows,
        columns=board.cols,
        inarow=4,
        timeout=move_time_s,
        actTimeout=move_time_s,
        episodeSteps=board.geometry.cells + 1,
        hole=None if board.hole is None else list(board.hole),
    )


def _call_kaggle(function: Callable[..., object], board: Board, move_time_s: float) -> object:
    """Call the function with as many arguments as it takes: Kaggle allows functions without the configuration."""
    arguments = (make_observation(board), make_configuration(board, move_time_s))
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


def _import_file(path: Path) -> ModuleType:
    # The file may have the name of a module that is already imported; it must not replace that module.
    name = f"{path.stem}_bot" if path.stem in sys.modules else path.stem
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} is not a Python file")
    code = importlib.util.module_from_spec(spec)
    sys.modules[name] = code
    spec.loader.exec_module(code)
    return code


def _import_module(name: str, folder: Path) -> ModuleType:
    """Import a module of a package that lies in `folder`; the folder above it may be unreadable."""
    package = name.partition(".")[0]
    if package not in sys.modules:
        start = folder / "__init__.py"
        spec: ModuleSpec | None = ModuleSpec(package, None, is_package=True)
        if start.exists():
            spec = importlib.util.spec_from_file_location(package, start)
        assert spec is not None  # noqa: S101 (a .py file has a loader)
        spec.submodule_search_locations = [str(folder)]
        code = importlib.util.module_from_spec(spec)
        sys.modules[package] = code
        if spec.loader is not None:
            spec.loader.exec_module(code)
    return importlib.import_module(name)


def _find_function(code: ModuleType, name: str | None) -> tuple[str, Callable[..., object]]:
    names = ("play", "agent") if name is None else (name,)
    for candidate in names:
        found = getattr(code, candidate, None)
        if callable(found):
            return candidate, found
    raise MissingFunctionError(f"function {' or '.join(names)} in {code.__name__}")


def _format_answer(answer: object) -> str:
    """Return the reply for an answer: the column, or an error if it is not an integer of 32 bits."""
    try:
        column = operator.index(answer)  # type: ignore[arg-type]  # it raises for other types
    except BaseException:
        return f"! broken answer a column must be an integer, not {_describe_answer(answer)}"
    if isinstance(answer, bool) or not -(2**31) <= column < 2**31:
        return f"! broken answer a column must be an integer of 32 bits, not {_describe_answer(answer)}"
    return str(column)


def _describe_answer(answer: object) -> str:
    return f"{answer!r}" if isinstance(answer, bool | float | None) else f"a value of type {type(answer).__name__}"


def _describe_exception(kind: str, error: BaseException) -> str:
    """Print a traceback for the author of the code, and return the error reply for the judge."""
    if isinstance(error, MemoryError):
        return "! memory exceeded"
    traceback.print_exception(error)
    lines = "".join(traceback.format_exception_only(error)).splitlines()
    messages = (line for line in lines if type(error).__name__ in line and not line.startswith(" "))
    return f"! {kind} {next(messages, lines[-1])}"


def _take_standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return the judge's pipes, and redirect the agent's: print() writes to stderr, input() reads an empty file."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return questions, answers
