"""Owns engines that speak the Universal Game Interface as agents.

Columns are written as in our notation (1..9 a b c). The geometry goes into the position: `position startpos` is the
empty 6x7 board, anything else `position fen ROWSxCOLS[@row,col]`, and the moves follow.
"""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from fourfall._core import Board, Geometry, Score
from fourfall.agents.base import AgentError, AgentMove, Conditions, Fault
from fourfall.agents.native import thinking_s
from fourfall.agents.program import launch_command
from fourfall.agents.protocol import shown
from fourfall.agents.sandbox import Process
from fourfall.agents.third_party import ThirdPartyAgent
from fourfall.render import COLUMN_NAMES

_STANDARD = Geometry(6, 7)
_LONGEST_DISTANCE = 144
_EVEN_CENTIPAWNS = 400.0


class UgiAgent(ThirdPartyAgent):
    """An engine that is driven by lines of text. Its start-up lasts until it says that it is ready."""

    def __init__(self, words: Sequence[str], conditions: Conditions, folder: Path) -> None:
        super().__init__(conditions)
        self._words = words
        self._folder = folder

    def _launch(self, cpu_s: float) -> Process:
        return launch_command(self._words, self.conditions, cpu_s, self._folder)

    def _greet(self, process: Process, board: Board, deadline: float) -> None:
        process.write(b"ugi\n", deadline)
        _wait_for(process, "ugiok", deadline)
        process.write(b"uginewgame\nisready\n", deadline)
        _wait_for(process, "readyok", deadline)

    def _ask(self, process: Process, board: Board, deadline: float) -> AgentMove:
        movetime_ms = max(1, int(1000 * thinking_s(self.conditions.move_time_s)))
        process.write(f"{position_line(board)}\ngo movetime {movetime_ms}\n".encode(), deadline)
        score = None
        for line in _lines(process, deadline):
            match line.split():
                case ["info", *facts]:
                    score = read_score(facts) or score
                case ["bestmove", move, *_] if move in COLUMN_NAMES and len(move) == 1:
                    return AgentMove(COLUMN_NAMES.index(move), 0.0, score=score)
                case ["bestmove", *_]:
                    complaint = f"a best move is a column such as 'bestmove 4', not {shown(line.encode())}"
                    raise AgentError(Fault.BROKEN_PROTOCOL, complaint)
        raise AgentError(Fault.TIMEOUT, f"no best move within {self.conditions.move_time_s:g} s")


def position_line(board: Board) -> str:
    """Write the line that sets up a board.

    >>> position_line(Board.parse("6x7:44"))
    'position startpos moves 4 4'
    >>> position_line(Board.parse("10x11@4,7"))
    'position fen 10x11@4,7'
    """
    start = "startpos" if board.geometry == _STANDARD else f"fen {board.geometry}"
    moves = " ".join(COLUMN_NAMES[column] for column in board.moves)
    return f"position {start}" + (f" moves {moves}" if moves else "")


def read_score(facts: Sequence[str]) -> Score | None:
    """Read the score among the words of an info line, if there is one that makes sense.

    Centipawns become a win chance as Elo differences do; a mate is counted in moves of the winner.

    >>> read_score("depth 9 score cp 0 nodes 5".split())
    <Score: 50.0 %>
    >>> read_score("score mate 2".split()), read_score("score mate -2".split())
    (<Score: wins in 3>, <Score: loses in 4>)
    """
    try:
        kind, number = facts[(at := facts.index("score")) + 1], int(facts[at + 2])
    except (ValueError, IndexError):
        return None
    if kind == "cp":
        chance = 1 / (1 + 10 ** (-max(-4000, min(number, 4000)) / _EVEN_CENTIPAWNS))
        return Score.estimate(2 * chance - 1)
    distance = 2 * number - 1 if number > 0 else -2 * number
    if kind != "mate" or distance > _LONGEST_DISTANCE:
        return None
    return Score.win(distance) if number > 0 else Score.loss(distance)


def _wait_for(process: Process, word: str, deadline: float) -> None:
    """Read lines until one begins with this word; engines may say other things first."""
    if not any(line.split()[:1] == [word] for line in _lines(process, deadline)):
        raise AgentError(Fault.TIMEOUT, f"did not say {word!r} in time")


def _lines(process: Process, deadline: float) -> Iterator[str]:
    """Yield what the engine says until the deadline, be it silent or chatty by then."""
    while time.perf_counter() < deadline:
        try:
            line = process.read_line(deadline)
        except AgentError as failure:
            if failure.fault is Fault.TIMEOUT:
                return
            raise
        yield line.decode(errors="replace")
