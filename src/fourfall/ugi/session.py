"""Carries out the commands of a UGI client: holds the options, the engine, the position and the running search."""

import threading
from collections.abc import Callable, Iterable

from fourfall import Analysis, Board, Engine
from fourfall.agents.protocol.ugi_messages import START_GEOMETRY
from fourfall.ugi import replies
from fourfall.ugi.commands import (
    Command,
    CommandError,
    Debug,
    Go,
    PlayMoves,
    Query,
    SetOption,
    SetPosition,
    Simple,
    parse_command,
    play_moves,
)
from fourfall.ugi.limits import compute_search_limit
from fourfall.ugi.options import Options, change_option, create_engine, needs_new_engine
from fourfall.ugi.search import RunningSearch


class Session:
    r"""State of one client's session, and the execution of its commands. `write` gets the lines of a reply.

    All methods are called from one thread. Searches call `write` from threads of their own; a lock keeps the lines of
    each reply together.

    >>> session = Session(lambda lines: print("\n".join(lines)))
    >>> session.handle("position startpos moves 1 2 1 2 1 2 1"), session.handle("query result")
    response p1win
    (True, True)
    >>> session.handle("quit")
    False
    """

    def __init__(self, write: Callable[[Iterable[str]], None], options: Options | None = None) -> None:
        self._write_lines = write
        self._write_lock = threading.Lock()
        self._options = options or Options()
        self._engine: Engine | None = None
        self._board = Board.from_geometry(START_GEOMETRY)
        self._search: RunningSearch | None = None
        self._is_debugging = False

    def handle(self, line: str) -> bool:
        """Carry out the command of a line; return False after `quit`. An invalid command gets an error as the reply."""
        try:
            command = parse_command(line)
            return command is None or self._execute(command)
        except CommandError as error:
            self.report_error(str(error))
            return True

    def report_error(self, message: str) -> None:
        """Write an error as one line."""
        self._write(replies.format_error(message))

    def close(self) -> None:
        """End the running search, which writes its best move."""
        if self._search is not None:
            self._search.stop()

    def _execute(self, command: Command) -> bool:
        match command:
            case Simple("ugi"):
                self._write(*replies.list_identification(self._options))
            case Simple("isready"):
                self._prepare()
            case Simple("stop"):
                self.close()
            case Simple("quit"):
                self.close()
                return False
            case Query(subject):
                self._write(replies.answer_query(self._board, subject))
            case Debug(is_on):
                self._is_debugging = is_on
            case _:
                self._require_idle()
                self._execute_idle(command)
        return True

    def _require_idle(self) -> None:
        """Raise CommandError if a search is running; wait for one that is writing its best move."""
        if self._search is not None:
            if self._search.is_running:
                raise CommandError("a search is running; send stop first")
            self._search.stop()

    def _execute_idle(self, command: Command) -> None:
        match command:
            case Simple("uginewgame"):
                self._start_game()
            case SetOption(name, value):
                self._set_option(name, value)
            case SetPosition(board):
                self._board = board
            case PlayMoves(columns):
                self._board = play_moves(self._board, columns)
            case Go():
                self._go(command)

    def _prepare(self) -> None:
        """Load the engine, so that the next search starts at once. During a search it is loaded already."""
        try:
            self._get_engine()
        except CommandError as error:
            self.report_error(str(error))
        self._write("readyok")

    def _start_game(self) -> None:
        self._board = Board.from_geometry(START_GEOMETRY)
        if self._engine is not None:
            self._engine.clear()

    def _set_option(self, name: str, value: str) -> None:
        options = change_option(self._options, name, value)
        if needs_new_engine(self._options, options):
            self._engine = create_engine(options)  # before the change, which an error prevents
        self._options = options

    def _get_engine(self) -> Engine:
        if self._engine is None:
            self._engine = create_engine(self._options)
        return self._engine

    def _go(self, go: Go) -> None:
        """Start a search. Every `go` that is not refused ends with one best move."""
        limit = compute_search_limit(go, self._board, self._options)
        if self._board.is_over:
            self._write(replies.format_error("go: the game is over"), replies.format_best_move(None))
            return
        try:
            engine = self._get_engine()
        except CommandError as error:
            self._write(replies.format_error(str(error)), replies.format_best_move(None))
            return
        self._search = RunningSearch(
            engine,
            self._board,
            limit,
            every_column=self._options.multipv > 1,
            report=lambda analysis: self._write(*replies.list_info(analysis, self._options)),
            finish=self._finish_search,
        )

    def _finish_search(self, result: Analysis | Exception) -> None:
        if isinstance(result, Exception):
            is_memory = isinstance(result, MemoryError)
            reason = "not enough memory; set the option Memory to a smaller value" if is_memory else str(result)
            self._write(replies.format_error(f"the search failed: {reason}"), replies.format_best_move(None))
            return
        details = [replies.format_details(result)] if self._is_debugging else []
        self._write(*details, *replies.list_info(result, self._options), replies.format_best_move(result.move))

    def _write(self, *lines: str) -> None:
        with self._write_lock:
            self._write_lines(lines)
