"""Owns strategy libraries as agents: a shared object with getPoint and clearPoint, called in our native host."""

from pathlib import Path

from fourfall._core import Board
from fourfall.agents import wire
from fourfall.agents.base import Answer, Terms
from fourfall.agents.foreign import ForeignAgent, cell_answer, expect_ready, hosted_answer
from fourfall.agents.sandbox import Process, launch_library


class LibraryAgent(ForeignAgent):
    """A strategy library. Loading it is its start-up; every question gives it fresh arrays."""

    def __init__(self, path: Path, terms: Terms) -> None:
        super().__init__(terms)
        self._path = path

    def _launch(self, cpu_s: float) -> Process:
        return launch_library(self._path, self.terms, cpu_s=cpu_s)

    def _greet(self, process: Process, board: Board, deadline: float) -> None:
        expect_ready(process, deadline)
        process.write(wire.start_line(board.geometry), deadline)

    def _ask(self, process: Process, board: Board, deadline: float) -> Answer:
        process.write(wire.question_line(board), deadline)
        return cell_answer(wire.read_cell(hosted_answer(process, deadline)))
