"""Python functions as agents: a function of a file or module, called by an interpreter in the sandbox."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path

import fourfall.agents
from fourfall._core import Board
from fourfall.agents.base import AgentError, AgentMove, Conditions, Fault
from fourfall.agents.permissions import Grant, grant_code
from fourfall.agents.protocol import quote_bytes
from fourfall.agents.sandbox import Launch, Process, prepare_program
from fourfall.agents.third_party import ThirdPartyAgent, read_host_reply, wait_until_ready

_PACKAGE = Path(fourfall.agents.__file__).resolve().parents[1]
# Imports the package from its folder: the folder above it may contain other files, which stay unreadable.
_RUN = """
import sys
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("fourfall", sys.argv[1] + "/__init__.py")
sys.modules["fourfall"] = module_from_spec(spec)
spec.loader.exec_module(sys.modules["fourfall"])
from fourfall.agents.python_runner import main
main(sys.argv[2])
"""


@dataclass(frozen=True)
class Source:
    """The code of a Python agent.

    `path` is a file, or the folder of the package that contains `module`; the sandboxed interpreter may read it.
    `import_folder` comes first in the interpreter's search path: modules in it can be imported if the address allows
    reading them. Without `function` the agent is the function `play` or `agent`. If `executes`, the file is not
    imported but executed as Kaggle does, and the agent is the last callable that it defines.
    """

    path: Path
    import_folder: Path
    module: str | None = None
    function: str | None = None
    executes: bool = False


class PythonAgent(ThirdPartyAgent):
    """A Python function. Its start is the start of the interpreter and the import of the code."""

    _imports_from_folders = False  # the runner finds modules by their names

    def __init__(self, source: Source, conditions: Conditions, readable: Sequence[Grant] = ()) -> None:
        super().__init__(conditions, [source.path.parent])
        self._source = source
        self._readable = readable

    def prepare(self) -> Launch:
        """Return what is started: an interpreter, which may read its modules, the code and what the address allows."""
        source = {
            "path": str(self._source.path),
            "import_folder": str(self._source.import_folder),
            "module": self._source.module,
            "function": self._source.function,
            "executes": self._source.executes,
        }
        code = [Grant(_PACKAGE, "the package fourfall"), *grant_code(self._source.path, "the agent's code")]
        # -I: no variable, no folder of the user and no current folder changes what the interpreter imports.
        words = [sys.executable, "-I", "-B", "-u", "-c", _RUN, str(_PACKAGE), json.dumps(source)]
        return prepare_program(words, [*code, *self._readable])

    def _initialise(self, process: Process, board: Board, deadline: float) -> None:
        wait_until_ready(process, deadline)

    def _request_move(self, process: Process, board: Board, move_time_s: float) -> AgentMove:
        return self._ask(process, board, move_time_s)

    def _ask(self, process: Process, board: Board, move_time_s: float, overage_s: float = 0.0) -> AgentMove:
        question = f"{board.notation} {move_time_s!r} {overage_s!r}\n".encode()
        body = read_host_reply(process, process.ask(question, move_time_s + overage_s))
        try:
            return AgentMove(int(body), 0.0)
        except ValueError:
            raise AgentError(Fault.BROKEN_PROTOCOL, f"an answer must be a column, not {quote_bytes(body)}") from None


def find_module(name: str, folder: Path) -> Path | None:
    """Return the file of a module, or the folder of its top-level package, without running any code of it.

    >>> find_module("json.decoder", Path()).name
    'json'
    >>> find_module("no.such.module", Path()) is None
    True
    """
    path: list[str] | None = [str(folder.absolute()), *sys.path]
    top_level: Path | None = None
    full_name = ""
    for part in name.split("."):
        full_name = f"{full_name}.{part}" if full_name else part
        spec = None if path is None else PathFinder.find_spec(full_name, path)
        if spec is None:
            return None
        path = None if spec.submodule_search_locations is None else list(spec.submodule_search_locations)
        if top_level is None and (path or spec.origin):
            top_level = Path(path[0] if path else str(spec.origin))
    return top_level
