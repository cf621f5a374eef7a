"""Strategy libraries as agents: shared objects with getPoint and clearPoint, called by the native host."""

from collections.abc import Sequence
from pathlib import Path

from fourfall._core import Board
from fourfall.agents import protocol
from fourfall.agents.base import AgentMove, Conditions
from fourfall.agents.permissions import Grant
from fourfall.agents.sandbox import Launch, Process, prepare_library
from fourfall.agents.third_party import ThirdPartyAgent, make_cell_move, read_host_reply, wait_until_ready


class LibraryAgent(ThirdPartyAgent):
    """A strategy library. Its start is the loading of the library; every call of getPoint gets new arrays."""

    def __init__(self, path: Path, conditions: Conditions, readable: Sequence[Grant] = ()) -> None:
        super().__init__(conditions, [path.parent])
        self._path = path
        self._readable = readable

    def prepare(self) -> Launch:
        """Return what is started: the library, which may read itself and what the address allows."""
        return prepare_library(self._path, self._readable)

    def _initialise(self, process: Process, board: Board, deadline: float) -> None:
        wait_until_ready(process, deadline)
        process.write(protocol.write_start(board.geometry), deadline)

    def _request_move(self, process: Process, board: Board, move_time_s: float) -> AgentMove:
        deadline = process.ask(protocol.write_question(board), move_time_s)
        return make_cell_move(protocol.parse_cell(read_host_reply(process, deadline)))
