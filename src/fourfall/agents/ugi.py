"""Engines with the Universal Game Interface as agents."""

from collections.abc import Iterator

from fourfall._core import Board
from fourfall.agents.base import AgentError, AgentMove, Fault
from fourfall.agents.native import compute_search_time_s
from fourfall.agents.program import CommandAgent
from fourfall.agents.protocol import quote_bytes
from fourfall.agents.protocol.ugi_messages import format_position, parse_score
from fourfall.agents.sandbox import Process
from fourfall.render import COLUMN_NAMES


class UgiAgent(CommandAgent):
    """An engine that is controlled by lines of text. Its start lasts until it sends `readyok`."""

    def _initialise(self, process: Process, board: Board, deadline: float) -> None:
        process.write(b"ugi\n", deadline)
        _wait_for_word(process, "ugiok", deadline)
        process.write(b"uginewgame\nisready\n", deadline)
        _wait_for_word(process, "readyok", deadline)

    def _request_move(self, process: Process, board: Board, move_time_s: float) -> AgentMove:
        movetime_ms = max(1, int(1000 * compute_search_time_s(move_time_s)))
        deadline = process.ask(f"{format_position(board)}\ngo movetime {movetime_ms}\n".encode(), move_time_s)
        score = None
        for line in _read_lines(process, deadline):
            match line.split():
                case ["info", *words]:
                    score = parse_score(words) or score
                case ["bestmove", move, *_] if move in COLUMN_NAMES and len(move) == 1:
                    return AgentMove(COLUMN_NAMES.index(move), 0.0, score=score)
                case ["bestmove", *_]:
                    detail = f"a best move must be a column such as 'bestmove 4', not {quote_bytes(line.encode())}"
                    raise AgentError(Fault.BROKEN_PROTOCOL, detail)
        raise AgentError(Fault.TIMEOUT, f"no best move within {move_time_s:g} s")


def _wait_for_word(process: Process, word: str, deadline: float) -> None:
    """Read lines until one begins with this word; an engine may send other lines before it."""
    if not any(line.split()[:1] == [word] for line in _read_lines(process, deadline)):
        raise AgentError(Fault.TIMEOUT, f"did not send {word!r} in time")


def _read_lines(process: Process, deadline: float) -> Iterator[str]:
    """Yield the engine's lines until the deadline, even if it never stops sending."""
    while not process.is_past(deadline):
        try:
            line = process.read_line(deadline)
        except AgentError as failure:
            if failure.fault is Fault.TIMEOUT:
                return
            raise
        yield line.decode(errors="replace")
