"""Owns our engines as programs of the online platform: questions on one stream, answers on another."""

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


class Player:
    """An engine that plays the games it is asked about; `limit` holds for every move.

    The platform counts the start of a program towards its first move, so that this one has less time.
    """

    def __init__(self, engine: Engine, limit: Limit) -> None:
        self._engine = engine
        self._limit = limit
        self._spent_s = time.process_time()
        self._board: Board | None = None

    def begin(self, geometry: Geometry) -> None:
        """Begin a game."""
        self._board = Board(geometry.rows, geometry.cols, geometry.hole)
        self._engine.clear()

    def answer(self, question: Question) -> Cell:
        """AgentMove a question of the game with the cell of a move."""
        asked = time.perf_counter()
        assert self._board is not None  # noqa: S101 (whoever asks has begun a game)
        self._board = board = update_board(self._board, question)
        board.push(self._engine.analyse(board, self._left(asked)).move)
        cell = board.last_cell
        assert cell is not None  # noqa: S101 (of the move just made)
        return cell

    def _left(self, asked: float) -> Limit:
        spent_s, self._spent_s = self._spent_s + time.perf_counter() - asked, 0.0
        if self._limit.time is None:
            return self._limit
        return Limit(max(0.0, self._limit.time - spent_s), self._limit.simulations)


def serve_text(questions: BinaryIO, answers: BinaryIO, player: Player) -> None:
    """Speak the newer protocol until the questions end; ProtocolError says what is wrong with one."""
    start = _line(questions)
    if start is None:
        return
    geometry = read_start(start)
    player.begin(geometry)
    while (line := _line(questions)) is not None:
        _send(answers, format_cell(player.answer(read_question(geometry, line))))


def serve_json(questions: BinaryIO, answers: BinaryIO, player: Player) -> None:
    """Speak the older protocol until its last message or the end of the questions."""
    geometry: Geometry | None = None
    while header := questions.read(4):
        length = parse_json_length(header)
        body = questions.read(length)
        if len(body) < length:
            raise ProtocolError("the input ended within a message")
        message = read_json_message(geometry, body)
        if message is None:
            return
        if isinstance(message, Question):
            _send(answers, format_json_cell(player.answer(message)))
        else:
            geometry = message
            player.begin(geometry)


def _line(questions: BinaryIO) -> str | None:
    longest = 4096  # more than any question of the protocol
    line = questions.readline(longest)
    if not line:
        return None
    if not line.endswith(b"\n"):
        raise ProtocolError("a line is too long" if len(line) == longest else "the input ended within a line")
    return line.decode("ascii", errors="replace")


def _send(answers: BinaryIO, text: str) -> None:
    answers.write(frame_message(text))
    answers.flush()
