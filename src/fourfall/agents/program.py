"""Owns programs that speak the platform's protocol on standard input and output as agents, the newer and the older."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from fourfall._core import Board, Geometry
from fourfall.agents import protocol
from fourfall.agents.base import AgentError, AgentMove, Conditions
from fourfall.agents.command import named_files
from fourfall.agents.protocol import Cell
from fourfall.agents.sandbox import Process, launch_program
from fourfall.agents.third_party import ThirdPartyAgent, cell_answer, read_framed


@dataclass(frozen=True)
class Dialect:
    """How a form of the protocol writes its messages and its answers; `end` is what it says when the game is over."""

    start: Callable[[Geometry], bytes]
    question: Callable[[Board], bytes]
    answer: Callable[[bytes], Cell]
    end: bytes = b""


TEXT = Dialect(protocol.start_line, protocol.question_line, protocol.read_cell)
JSON = Dialect(protocol.json_start, protocol.json_question, protocol.read_json_cell, protocol.JSON_END)

_FAREWELL_S = 0.02


class ProgramAgent(ThirdPartyAgent):
    """A program that answers on its standard output.

    The protocol has no word for being ready: as on the platform, what the program does before it reads counts toward
    its first move, and the start-up that is measured apart is only the launch. `folder` is where it runs; it may read
    its own folder and the files and folders that its arguments name.
    """

    def __init__(self, words: Sequence[str], conditions: Conditions, folder: Path, dialect: Dialect = TEXT) -> None:
        super().__init__(conditions)
        self._words = words
        self._folder = folder
        self._dialect = dialect

    def _launch(self, cpu_s: float) -> Process:
        return launch_command(self._words, self.conditions, cpu_s, self._folder)

    def _greet(self, process: Process, board: Board, deadline: float) -> None:
        process.write(self._dialect.start(board.geometry), deadline)

    def _ask(self, process: Process, board: Board, deadline: float) -> AgentMove:
        process.write(self._dialect.question(board), deadline)
        return cell_answer(self._dialect.answer(read_framed(process, deadline)))

    def _part(self, process: Process) -> None:
        if self._dialect.end:
            with suppress(AgentError):
                process.write(self._dialect.end, time.perf_counter() + _FAREWELL_S)


def launch_command(words: Sequence[str], conditions: Conditions, cpu_s: float, folder: Path) -> Process:
    """Start a command in a folder; it may read what its words name from there."""
    readable = named_files(str(folder / word) for word in words[1:] if word)
    return launch_program(words, conditions, cpu_s=cpu_s, readable=readable, cwd=folder)
