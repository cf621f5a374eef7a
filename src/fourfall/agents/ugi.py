"""Engines with the Universal Game Interface as agents.

Columns are written as in our notation (1..9 a b c). The position contains the geometry: `position startpos` is the
empty 6x7 board; any other board is `position fen ROWSxCOLS[@row,col]`. The moves follow.
"""

from collections.abc import Iterator, Sequence

from fourfall._core import Board, Geometry, Score
from fourfall.agents.base import AgentError, AgentMove, Fault
from fourfall.agents.native import compute_search_time_s
from fourfall.agents.program import CommandAgent
from fourfall.agents.protocol import quote_bytes
from fourfall.agents.sandbox import Process
from fourfall.render import COLUMN_NAMES

_START_GEOMETRY = Geometry(6, 7)
_MAX_DISTANCE = 144
_CENTIPAWNS_FOR_10_TO_1 = 400.0


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


def format_position(board: Board) -> str:
    """Return the line that sets up a board.

    >>> format_position(Board.parse("6x7:44"))
    'position startpos moves 4 4'
    >>> format_position(Board.parse("10x11@4,7"))
    'position fen 10x11@4,7'
    """
    start = "startpos" if board.geometry == _START_GEOMETRY else f"fen {board.geometry}"
    moves = " ".join(COLUMN_NAMES[column] for column in board.moves)
    return f"position {start}" + (f" moves {moves}" if moves else "")


def parse_score(words: Sequence[str]) -> Score | None:
    """Return the score in the words of an info line, or None if there is no valid one.

    Centipawns are converted to a win probability by the Elo formula (400 centipawns are 10 to 1). `mate N` counts the
    winner's moves; a negative N is a loss.

    >>> parse_score("depth 9 score cp 0 nodes 5".split())
    <Score: 50.0 %>
    >>> parse_score("score mate 2".split()), parse_score("score mate -2".split())
    (<Score: wins in 2>, <Score: loses in 2>)
    """
    try:
        kind, number = words[(index := words.index("score")) + 1], int(words[index + 2])
    except (ValueError, IndexError):
        return None
    if kind == "cp":
        probability = 1 / (1 + 10 ** (-max(-4000, min(number, 4000)) / _CENTIPAWNS_FOR_10_TO_1))
        return Score.estimate(2 * probability - 1)
    distance = 2 * number - 1 if number > 0 else -2 * number
    if kind != "mate" or distance > _MAX_DISTANCE:
        return None
    return Score.win(distance) if number > 0 else Score.loss(distance)


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
