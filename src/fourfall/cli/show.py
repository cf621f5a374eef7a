"""The command ``fourfall show``: replays a stored game in the terminal, move by move."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from fourfall import Board, Engine, Limit, render
from fourfall.arena.jsonl import read_game
from fourfall.arena.record import GameRecord
from fourfall.arena.store import Store
from fourfall.arena.tables import describe_repeats, replace_control_characters
from fourfall.cli.database import DEFAULT_DATABASE, DatabaseOption
from fourfall.cli.terminal import SimulationsOption, read_limit, wants_color
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
            help="Engine whose evaluation of every position is printed too.",
            show_default=False,
        ),
    ] = None,
    time: Annotated[float, typer.Option(min=0, max=1e6, help="Time per board of the engine in seconds.")] = 1.0,
    simulations: SimulationsOption = None,
) -> None:
    """Replay a stored game with the time and the agent's own evaluation of every move.

    In a terminal, Enter shows the next move, a shows all remaining moves, q quits.

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


@dataclass
class _Evaluator:
    """Evaluates boards with an engine."""

    engine: Engine
    limit: Limit

    def describe(self, board: Board) -> str:
        analysis = self.engine.search(board, self.limit)
        proof = f", {analysis.score}" if analysis.score.is_exact else ""
        chance = f"{100 * analysis.score.win_chance:.0f} % for {'XO'[board.turn]}"
        return f"{self.engine.preset.name}: {COLUMN_NAMES[analysis.move]} is best, {chance}{proof}"


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
