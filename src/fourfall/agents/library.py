"""Strategy libraries as agents: shared objects with getPoint and clearPoint, called by the native host."""

from pathlib import Path

from fourfall._core import Board
from fourfall.agents import protocol
from fourfall.agents.base import AgentMove, Conditions
from fourfall.agents.sandbox import Process, launch_library
from fourfall.agents.third_party import ThirdPartyAgent, make_cell_move, read_host_reply, wait_until_ready


class LibraryAgent(ThirdPartyAgent):
    """A strategy library. Its start is the loading of the library; every call of getPoint gets new arrays."""

    def __init__(self, path: Path, conditions: Conditions) -> None:
        super().__init__(conditions)
        self._path = path

    def _launch(self, cpu_time_s: float) -> Process:
        return launch_library(self._path, self.conditions, cpu_time_s=cpu_time_s)

    def _initialise(self, process: Process, board: Board, deadline: float) -> None:
        wait_until_ready(process, deadline)
        process.write(protocol.write_start(board.geometry), deadline)

    def _request_move(self, process: Process, board: Board, move_time_s: float, deadline: float) -> AgentMove:
        process.write(protocol.write_question(board), deadline)
        return make_cell_move(protocol.parse_cell(read_host_reply(process, deadline)))
