"""Runs a Python agent inside the sandbox: loads the code, calls its function, sends the answers.

The interpreter of this process is started by `PythonAgent`. Each input line is a position with its moves, the time per
move and the remaining overage time in seconds. Each reply is framed: `ready`, a column, or an error `! kind detail`.
The agent's standard output goes to its standard error.
"""

import importlib
import importlib.util
import json
import operator
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import BinaryIO

from fourfall._core import Board, Limit
from fourfall.agents.kaggle_calls import MissingFunctionError, call_kaggle, execute_file, is_kaggle
from fourfall.agents.protocol import frame_message

Play = Callable[[Board, float, float], object]

_MAX_REPLY_CHARS = 1000


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
        notation, move_time_s, overage_s = line.decode().split()
        board = Board.parse(notation)
        try:
            answer = play(board, float(move_time_s), float(overage_s))
        except BaseException as error:
            return send(_describe_exception("exception", error))
        send(_format_answer(answer))
    return None


def load_function(path: str, import_folder: str, module: str | None, function: str | None, *, executes: bool) -> Play:
    """Return a function that takes a board, the time per move and the overage time and returns the agent's answer.

    The code is imported; if `executes`, it is executed as Kaggle does.
    """
    sys.path.insert(0, import_folder)
    sys.meta_path.insert(sys.meta_path.index(PathFinder), ModuleFinder(Path(import_folder)))
    if executes:
        last = execute_file(Path(path))
        return lambda board, move_time_s, overage_s: call_kaggle(last, board, move_time_s, overage_s)
    code = _import_file(Path(path)) if module is None else _import_module(module, Path(path))
    name, found = _find_function(code, function)
    if is_kaggle(name, found):
        return lambda board, move_time_s, overage_s: call_kaggle(found, board, move_time_s, overage_s)
    return lambda board, move_time_s, _: found(board, Limit(time=move_time_s))


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
