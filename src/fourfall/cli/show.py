"""The command ``fourfall show``: replays a stored game in the terminal, move by move."""

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from fourfall import Board, Engine, Limit, render
from fourfall.arena.jsonl import read_game
from fourfall.arena.mistakes import classify_loss, misses_win
from fourfall.arena.move_review import SearchResult, compare_move, compute_loss, score_for_mover
from fourfall.arena.record import GameRecord
from fourfall.arena.store import Store
from fourfall.arena.tables import describe_repeats, replace_control_characters
from fourfall.cli.database import DEFAULT_DATABASE, DatabaseOption
from fourfall.cli.terminal import SimulationsOption, read_limit, wants_color
from fourfall.coach import ColumnScore, explain
from fourfall.render import COLUMN_NAMES

_STDERR_LINES = 20


def show(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", help="Number of a stored game (see fourfall games), or FILE:LINE of a JSON Lines file."
        ),
    ],
    db: DatabaseOption = DEFAULT_DATABASE,
    everything: Annotated[bool, typer.Option("--all", help="Print all moves without waiting for Enter.")] = False,
    move: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Print only the board after stone N.", show_default=False)
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(
            "--engine",
            "-e",
            metavar="NAME",
            help="Engine whose evaluation of every position is printed too, with the reasons against mistakes.",
            show_default=False,
        ),
    ] = None,
    time: Annotated[float, typer.Option(min=0, max=1e6, help="Time per board of the engine in seconds.")] = 1.0,
    simulations: SimulationsOption = None,
) -> None:
    """Replay a stored game with the time and the agent's own evaluation of every move.

    In a terminal, Enter shows the next move, a shows all remaining moves, q quits. With --engine, a move that loses at
    least 8 % win chance is called a mistake, and the coach says why.

    Examples:

      fourfall show 17

      fourfall show 17 --db arena.db --engine fourfall --time 0.5

      fourfall show games.jsonl:3 --move 12
    """
    record = load_game(game, db)
    evaluator = None if engine is None else _Evaluator(Engine(engine), read_limit(time, simulations))
    replay = _Replay(record, evaluator)
    first, last = replay.first, replay.last
    if move is not None and not first <= move <= last:
        raise typer.BadParameter(f"this game has stones {first} to {last}", param_hint="--move")
    typer.echo(format_record(record))
    waits = move is None and not everything and sys.stdin.isatty() and sys.stdout.isatty()
    for stone in range(first, last + 1) if move is None else [move]:
        typer.echo("\n" + replay.render_board(stone), color=True)
        if waits and stone < last:
            match _read_command():
                case "a":
                    waits = False
                case "q":
                    return
    if move is None or move == last:
        typer.echo("\n" + "\n".join(describe_ending(record)))


def load_game(game: str, db: Path) -> GameRecord:
    """Load a game by its number in the database, or from a line of a file."""
    if re.fullmatch(r"[0-9]{1,1000}", game):
        with Store(db, read_only=True) as store:
            return store.get_record(int(game))
    path, _, line = game.rpartition(":")
    if not path or not re.fullmatch(r"[0-9]{1,18}", line):
        raise typer.BadParameter(f"{game!r} is neither the number of a game nor FILE:LINE", param_hint="GAME")
    return read_game(Path(path), int(line))


def format_record(record: GameRecord) -> str:
    """Return the lines that name players, limits, board and version."""
    players = [
        f"{stone}  {name}, {limit:g} s per move, started in {startup:.1f} ms"
        for stone, name, limit, startup in zip("XO", record.names, record.move_time_s, record.startup_ms, strict=True)
    ]
    options = ("" if record.sandboxed else ", without a sandbox") + (", with pondering" if record.ponder else "")
    played = f"   on {record.board}, {record.started}, fourfall {record.version}{options}"
    return "\n".join(replace_control_characters(line) for line in [*players, played])


def describe_ending(record: GameRecord) -> list[str]:
    """Return the result and, after a failure, stderr and the command that reproduces it."""
    how = f"{record.ending}" if record.culprit is None else f"{record.ending} of {record.names[record.culprit]}"
    result = "draw" if record.winner is None else f"{record.names[record.winner]} won"
    lines = [replace_control_characters(f"{result}: {how}" + (f", {record.detail}" if record.detail else ""))]
    if record.culprit is not None and len(record.times_ms) > len(record.moves):
        lines.append(f"time for the failed move: {record.times_ms[-1]:.0f} ms")
    if record.repeats:
        lines.append(replace_control_characters(describe_repeats(record)))
    if record.stderr.strip():
        tail = record.stderr.rstrip().splitlines()[-_STDERR_LINES:]
        lines += [f"stderr (last {_STDERR_LINES} lines):", *(f"  {replace_control_characters(line)}" for line in tail)]
    if record.reproducer:
        lines.append(f"reproduce with: {replace_control_characters(record.reproducer)}")
    return lines


def _read_command() -> str:
    try:
        return input("\nEnter, a or q: ").strip().lower()
    except (EOFError, KeyboardInterrupt):
        typer.echo()
        return "q"


class _Evaluator:
    """Evaluates boards of one game with an engine, each once."""

    def __init__(self, engine: Engine, limit: Limit) -> None:
        self._engine = engine
        self._limit = limit
        self._results: dict[int, SearchResult] = {}  # by the number of stones

    def describe(self, board: Board) -> str:
        """Return the best move and its win chance."""
        result = self._evaluate(board)
        proof = f", {result.score}" if result.score.is_exact else ""
        chance = f"{100 * result.score.win_chance:.0f} % for {'XO'[board.turn]}"
        return f"{self._engine.preset.name}: {COLUMN_NAMES[result.move]} is best, {chance}{proof}"

    def explain_mistake(self, after: Board) -> list[str]:
        """Return what was better than the last move and the coach's reasons; no lines if the move was good."""
        before = after.copy()
        column = before.pop()
        reply = self._evaluate(after)
        best, played = compare_move(before, self._evaluate(before), column, score_for_mover(reply.score))
        kind = classify_loss(compute_loss(best.score, played), missed_win=misses_win(best.score, played))
        if not kind or best.move == column:
            return []
        chances = " instead of ".join(f"{100 * score.win_chance:.0f} %" for score in (best.score, played))
        better = f"{kind}: {COLUMN_NAMES[best.move]} was better, {chances} for {'XO'[before.turn]}"
        line = [column, *reply.pv]
        scores = [ColumnScore(best.move, best.score, best.pv), ColumnScore(column, played, line)]
        return [better, *explain(before, column, analysis=scores).write(text_board=True)]

    def _evaluate(self, board: Board) -> SearchResult:
        if board.is_over:
            return SearchResult.from_finished_game(board)
        if board.ply not in self._results:
            self._results[board.ply] = SearchResult.from_analysis(self._engine.search(board, self._limit))
        return self._results[board.ply]


class _Replay:
    """The boards of a game, indexed by the number of stones."""

    def __init__(self, record: GameRecord, evaluator: _Evaluator | None) -> None:
        self.record = record
        self.evaluator = evaluator
        self.moves = record.final_board.moves
        self.first = Board.parse(record.board).ply
        self.last = len(self.moves)

    def render_board(self, stone: int) -> str:
        """Draw the board after `stone` stones, with a caption for the last move."""
        board = self.record.final_board
        while board.ply > stone:
            board.pop()
        lines = [self.describe_move(stone), render.draw_text(board, color=wants_color())]
        if self.evaluator is not None and stone > self.first:
            lines += self.evaluator.explain_mistake(board)
        if self.evaluator is not None and not board.is_over:
            lines.append(self.evaluator.describe(board))
        return "\n".join(lines)

    def describe_move(self, stone: int) -> str:
        """Return the last move with its time and the agent's evaluation."""
        if stone == self.first:
            return "the empty board" if stone == 0 else f"after {stone} opening stones"
        at = stone - self.first - 1
        player = (stone - 1) % 2
        parts = [
            f"stone {stone}: {'XO'[player]} {self.record.names[player]} plays {COLUMN_NAMES[self.moves[stone - 1]]}"
        ]
        if at < len(self.record.times_ms):
            parts.append(f"{self.record.times_ms[at]:.1f} ms")
        score = self.record.scores[at] if at < len(self.record.scores) else None
        if score is not None:
            parts.append(f"own evaluation {100 * score:.0f} %")
        return replace_control_characters(", ".join(parts))
