"""Owns Python functions as agents: a file or module whose function is called in a jailed interpreter."""

import json
import sys
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path

import fourfall.agents
from fourfall._core import Board
from fourfall.agents.base import AgentError, AgentMove, Conditions, Fault
from fourfall.agents.command import named_files
from fourfall.agents.protocol import shown
from fourfall.agents.sandbox import Process, launch_program
from fourfall.agents.third_party import ThirdPartyAgent, expect_ready, hosted_answer

_PACKAGES = Path(fourfall.agents.__file__).resolve().parents[2]
_RUN = "import sys; sys.path.append(sys.argv[1]); from fourfall.agents.python_runner import main; main(sys.argv[2])"


@dataclass(frozen=True)
class Source:
    """Where a bot comes from: a file, or a module of the package in a folder; imports search `first` before others.

    `place` is that file or folder, around which the interpreter in the jail must be able to read.
    """

    place: Path
    first: Path
    module: str | None = None
    function: str | None = None


class PythonAgent(ThirdPartyAgent):
    """A Python function. Starting the interpreter and importing the bot are its start-up."""

    def __init__(self, source: Source, conditions: Conditions) -> None:
        super().__init__(conditions)
        self._source = source

    def _launch(self, cpu_s: float) -> Process:
        job = {
            "place": str(self._source.place),
            "first": str(self._source.first),
            "module": self._source.module,
            "function": self._source.function,
            "limit": self.conditions.move_time_s,
        }
        words = [sys.executable, "-P", "-B", "-c", _RUN, str(_PACKAGES), json.dumps(job)]
        return launch_program(words, self.conditions, cpu_s=cpu_s, readable=self._readable())

    def _readable(self) -> list[Path]:
        """List the installed packages and the bot with what lies beside it; the interpreter's own are read anyway."""
        beside = (str(self._source.place), str(self._source.place.parent))
        return named_files([str(_PACKAGES), *sys.path, *beside])

    def _greet(self, process: Process, board: Board, deadline: float) -> None:
        expect_ready(process, deadline)

    def _ask(self, process: Process, board: Board, deadline: float) -> AgentMove:
        process.write(f"{board.notation}\n".encode(), deadline)
        body = hosted_answer(process, deadline)
        try:
            return AgentMove(int(body), 0.0)
        except ValueError:
            raise AgentError(Fault.BROKEN_PROTOCOL, f"an answer is a column, not {shown(body)}") from None


def find_module(name: str, folder: Path) -> Path | None:
    """Find the file of a module, or the folder of its outermost package, without running any of it.

    >>> find_module("json.decoder", Path()).name
    'json'
    >>> find_module("no.such.module", Path()) is None
    True
    """
    path: list[str] | None = [str(folder.absolute()), *sys.path]
    outermost: Path | None = None
    full = ""
    for part in name.split("."):
        full = f"{full}.{part}" if full else part
        spec = None if path is None else PathFinder.find_spec(full, path)
        if spec is None:
            return None
        path = None if spec.submodule_search_locations is None else list(spec.submodule_search_locations)
        if outermost is None and (path or spec.origin):
            outermost = Path(path[0] if path else str(spec.origin))
    return outermost
