"""Owns strategy libraries as agents: a shared object with getPoint and clearPoint, called in our native host."""

from pathlib import Path

from fourfall._core import Board
from fourfall.agents import protocol
from fourfall.agents.base import AgentMove, Conditions
from fourfall.agents.sandbox import Process, launch_library
from fourfall.agents.third_party import ThirdPartyAgent, cell_answer, expect_ready, hosted_answer


class LibraryAgent(ThirdPartyAgent):
    """A strategy library. Loading it is its start-up; every question gives it fresh arrays."""

    def __init__(self, path: Path, conditions: Conditions) -> None:
        super().__init__(conditions)
        self._path = path

    def _launch(self, cpu_s: float) -> Process:
        return launch_library(self._path, self.conditions, cpu_s=cpu_s)

    def _greet(self, process: Process, board: Board, deadline: float) -> None:
        expect_ready(process, deadline)
        process.write(protocol.start_line(board.geometry), deadline)

    def _ask(self, process: Process, board: Board, deadline: float) -> AgentMove:
        process.write(protocol.question_line(board), deadline)
        return cell_answer(protocol.read_cell(hosted_answer(process, deadline)))
