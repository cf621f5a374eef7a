"""Hostile agents of every kind: all perform the actions of the same C++ code, tests/agents/hostile.cpp."""

import shutil
import sys
from pathlib import Path

from tests.agents.conftest import HostileAgents

KINDS = ("library", "program", "program+json", "ugi", "script", "python")
PROTOCOLS = {"program": "text", "program+json": "json", "ugi": "ugi"}

_LOAD = "import ctypes\nctypes.CDLL({library!r}).perform_action({action!r}.encode(), {target!r}.encode())\n"
_FUNCTION = "def play(board, limit): return 0\n"
# A program in Python: it answers the first question on an empty 6x7 board.
_PROGRAM = """
import sys
sys.stdin.readline(), sys.stdin.readline()
{load}
sys.stdout.buffer.write(b"\\0\\0\\0\\x035 0")
sys.stdout.buffer.flush()
sys.stdin.readline()
"""


class HostileKinds:
    """Makes hostile agents in a folder of their own, beside which lies what they must not read."""

    def __init__(self, folder: Path, hostile: HostileAgents) -> None:
        self.folder = folder
        self.hostile = hostile
        self._library = folder / "attack.so"
        self._program = folder / "attack"
        shutil.copy(hostile.folder / "hostile.so", self._library)
        shutil.copy(hostile.program, self._program)

    def make_agent(self, kind: str, action: str, target: object = "", *, answers: bool = False) -> str:
        """Return the address of an agent that performs an action; with `answers` it also plays its first move."""
        load = _LOAD.format(library=str(self._library), action=action, target=str(target))
        match kind:
            case "library":
                return f"library:{self.hostile.library(action, target)}"
            case "python":
                code = self._write("function.py", load + _FUNCTION)
                return f"python:{code}?read={self._library}"
            case "script":
                text = _PROGRAM.format(load=load) if answers else load
                return f"program:{sys.executable} {self._write('script.py', text)} {self._library}"
            case _ if answers:
                return f"{kind}:{self._program} {action} answer {PROTOCOLS[kind]}"
            case _:
                return f"{kind}:{self._program} {action} to:{target} exit"

    def _write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text)
        return path
