"""Programs of the online platform as agents: they speak the newer or the older protocol on their standard streams."""

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from fourfall._core import Board, Geometry
from fourfall.agents import protocol
from fourfall.agents.base import AgentError, AgentMove, Conditions
from fourfall.agents.permissions import Grant
from fourfall.agents.protocol import Cell
from fourfall.agents.sandbox import Launch, Process, prepare_program
from fourfall.agents.third_party import ThirdPartyAgent, make_cell_move, read_frame


@dataclass(frozen=True)
class MessageFormat:
    """The functions that write the judge's messages and read an answer; `end` is the last message of a game."""

    write_start: Callable[[Geometry], bytes]
    write_question: Callable[[Board], bytes]
    parse_answer: Callable[[bytes], Cell]
    end: bytes = b""


TEXT = MessageFormat(protocol.write_start, protocol.write_question, protocol.parse_cell)
JSON = MessageFormat(
    protocol.write_json_start, protocol.write_json_question, protocol.parse_json_cell, protocol.JSON_END
)

_END_MESSAGE_S = 0.02


class CommandAgent(ThirdPartyAgent):
    """A command that runs in a folder; it may read the files that its words name relative to the folder."""

    def __init__(
        self, words: Sequence[str], conditions: Conditions, folder: Path, readable: Sequence[Grant] = ()
    ) -> None:
        # Path.is_file raises an error for a word that is too long for a file name.
        places = [folder / word for word in words if os.path.isfile(folder / word)]  # noqa: PTH113
        super().__init__(conditions, [*(place.parent for place in places), folder])
        self._words = words
        self._folder = folder
        self._readable = readable

    def prepare(self) -> Launch:
        """Return what is started: the command, which may read what its words name and what the address allows."""
        return prepare_program(self._words, self._readable, self._folder)


class ProgramAgent(CommandAgent):
    """A program that answers on its standard output.

    The protocol has no message for "ready". As on the platform, the time before the program reads its input counts
    towards its first move; the start is only the launch.
    """

    def __init__(
        self,
        words: Sequence[str],
        conditions: Conditions,
        folder: Path,
        readable: Sequence[Grant] = (),
        message_format: MessageFormat = TEXT,
    ) -> None:
        super().__init__(words, conditions, folder, readable)
        self._format = message_format

    def _initialise(self, process: Process, board: Board, deadline: float) -> None:
        process.write(self._format.write_start(board.geometry), deadline)

    def _request_move(self, process: Process, board: Board, move_time_s: float) -> AgentMove:
        deadline = process.ask(self._format.write_question(board), move_time_s)
        return make_cell_move(self._format.parse_answer(read_frame(process, deadline)))

    def _announce_end(self, process: Process) -> None:
        if self._format.end:
            with suppress(AgentError):
                process.write(self._format.end, time.perf_counter() + _END_MESSAGE_S)
