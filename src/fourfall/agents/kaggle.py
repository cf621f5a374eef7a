"""Files of Kaggle's ConnectX as agents: executed and called as Kaggle does, with its overage time."""

import time
from collections.abc import Sequence
from pathlib import Path

from fourfall._core import Board
from fourfall.agents.base import AgentMove, Conditions
from fourfall.agents.permissions import Grant
from fourfall.agents.process import Process
from fourfall.agents.python import PythonAgent, Source

OVERAGE_S = 60.0
"""Kaggle's overage time: seconds beyond the time per move that an agent may use in a whole game."""


class KaggleAgent(PythonAgent):
    """A file of Kaggle's ConnectX. Its start is the start of the interpreter and the execution of the file.

    A move may take longer than the time per move; the excess is subtracted from the overage time. The time of such a
    move is reported as the time per move.
    """

    def __init__(
        self, path: Path, conditions: Conditions, readable: Sequence[Grant] = (), overage_s: float = OVERAGE_S
    ) -> None:
        super().__init__(Source(path, path.parent, executes=True), conditions, readable)
        self._overage_s = self._extra_time_s = overage_s

    def _request_move(self, process: Process, board: Board, move_time_s: float) -> AgentMove:
        begin = time.perf_counter()
        move = self._ask(process, board, move_time_s, self._overage_s)
        excess_s = time.perf_counter() - begin - process.delay_s - move_time_s
        self._overage_s = max(0.0, self._overage_s - max(0.0, excess_s))
        return move
