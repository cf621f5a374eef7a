"""Runs an engine as a program of the online platform: requests on one stream, moves on another."""

import time
from typing import BinaryIO

from fourfall import Board, Engine, Geometry, Limit
from fourfall.agents.protocol import (
    Cell,
    ProtocolError,
    Question,
    format_cell,
    format_json_cell,
    frame_message,
    parse_json_length,
    read_json_message,
    read_question,
    read_start,
    update_board,
)


class PlatformPlayer:
    """An engine that answers move requests; `limit` applies to each move.

    The platform counts the start of the program as part of the first move, which therefore gets less time.
    """

    def __init__(self, engine: Engine, limit: Limit) -> None:
        self._engine = engine
        self._limit = limit
        self._used_s = time.process_time()
        self._board: Board | None = None

    def start_game(self, geometry: Geometry) -> None:
        """Start a game on an empty board."""
        self._board = Board.from_geometry(geometry)
        self._engine.clear()

    def choose_move(self, question: Question) -> Cell:
        """Return the cell of the engine's move in the given position and play the move."""
        start = time.perf_counter()
        assert self._board is not None  # noqa: S101 (start_game comes first)
        self._board = board = update_board(self._board, question)
        board.push(self._engine.search(board, self._compute_remaining_limit(start)).move)
        cell = board.last_cell
        assert cell is not None  # noqa: S101 (of the move just played)
        return cell

    def _compute_remaining_limit(self, start: float) -> Limit:
        used_s, self._used_s = self._used_s + time.perf_counter() - start, 0.0
        if self._limit.time is None:
            return self._limit
        return Limit(max(0.0, self._limit.time - used_s), self._limit.simulations)


def serve_text(requests: BinaryIO, answers: BinaryIO, player: PlatformPlayer) -> None:
    """Serve the text protocol until the end of the input. Raises ProtocolError for a malformed request."""
    start = _read_line(requests)
    if start is None:
        return
    geometry = read_start(start)
    player.start_game(geometry)
    while (line := _read_line(requests)) is not None:
        _send(answers, format_cell(player.choose_move(read_question(geometry, line))))


def serve_json(requests: BinaryIO, answers: BinaryIO, player: PlatformPlayer) -> None:
    """Serve the older JSON protocol until its last message or the end of the input."""
    geometry: Geometry | None = None
    while header := requests.read(4):
        length = parse_json_length(header)
        body = requests.read(length)
        if len(body) < length:
            raise ProtocolError("the input ended inside a message")
        message = read_json_message(geometry, body)
        if message is None:
            return
        if isinstance(message, Question):
            _send(answers, format_json_cell(player.choose_move(message)))
        else:
            geometry = message
            player.start_game(geometry)


def _read_line(requests: BinaryIO) -> str | None:
    max_bytes = 4096  # more than any request of the protocol
    line = requests.readline(max_bytes)
    if not line:
        return None
    if not line.endswith(b"\n"):
        raise ProtocolError(
            "a line is too long (at most 4095 bytes)" if len(line) == max_bytes else "the input ended inside a line"
        )
    return line.decode("ascii", errors="replace")


def _send(answers: BinaryIO, text: str) -> None:
    answers.write(frame_message(text))
    answers.flush()
