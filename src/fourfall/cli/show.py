"""Owns ``fourfall show``: replays a stored game in the terminal, move by move."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from fourfall import Board, Engine, Limit, render
from fourfall.arena.exchange import read_game
from fourfall.arena.record import GameRecord
from fourfall.arena.report import printable
from fourfall.arena.store import Store
from fourfall.cli.database import DEFAULT_DATABASE, DatabaseOption
from fourfall.cli.terminal import SimulationsOption, read_limit, wants_color
from fourfall.render import COLUMN_NAMES

_STDERR_LINES = 20


def show(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A number from the list of games, or FILE:LINE.")],
    db: DatabaseOption = DEFAULT_DATABASE,
    everything: Annotated[bool, typer.Option("--all", help="All moves at once, without waiting for Enter.")] = False,
    move: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Only the board after stone N.", show_default=False)
    ] = None,
    engine: Annotated[
        str | None, typer.Option("--engine", "-e", metavar="NAME", help="Ask this engine too.", show_default=False)
    ] = None,
    time: Annotated[float, typer.Option(min=0, max=1e6, help="Seconds the engine thinks at each board.")] = 1.0,
    simulations: SimulationsOption = None,
) -> None:
    """Replay a stored game, with the time of every move and what its agent thought of it.

    In a terminal Enter goes on, a shows all the rest, q leaves.

    Examples:

      fourfall show 17

      fourfall show 17 --db arena.db --engine fourfall --time 0.5

      fourfall show games.jsonl:3 --move 12
    """
    record = find(game, db)
    opinion = None if engine is None else _Opinion(Engine(engine), read_limit(time, simulations))
    replay = _Replay(record, opinion)
    first, last = replay.first, replay.last
    if move is not None and not first <= move <= last:
        raise typer.BadParameter(f"this game has stones {first} to {last}", param_hint="--move")
    typer.echo(heading(record))
    waits = move is None and not everything and sys.stdin.isatty() and sys.stdout.isatty()
    for stone in range(first, last + 1) if move is None else [move]:
        typer.echo("\n" + replay.picture(stone), color=True)
        if waits and stone < last:
            match _answer():
                case "a":
                    waits = False
                case "q":
                    return
    if move is None or move == last:
        typer.echo("\n" + "\n".join(ending_lines(record)))


def find(game: str, db: Path) -> GameRecord:
    """Find a game by its number in the database, or by a file and a line."""
    if re.fullmatch(r"[0-9]{1,18}", game):
        with Store(db, read_only=True) as store:
            return store.record(int(game))
    path, _, line = game.rpartition(":")
    if not path or not re.fullmatch(r"[0-9]{1,18}", line):
        raise typer.BadParameter(f"{game!r} is neither a number nor FILE:LINE", param_hint="GAME")
    return read_game(Path(path), int(line))


def heading(record: GameRecord) -> str:
    """Say who plays whom and under which limits."""
    players = [
        f"{stone}  {name}, {limit:g} s a move, ready after {startup:.1f} ms"
        for stone, name, limit, startup in zip("XO", record.names, record.move_time_s, record.startup_ms, strict=True)
    ]
    jail = "" if record.sandboxed else ", without a sandbox"
    played = f"   on {record.board}, {record.started}, fourfall {record.version}{jail}"
    return "\n".join(printable(line) for line in [*players, played])


def ending_lines(record: GameRecord) -> list[str]:
    """Say how the game ended and, where somebody failed, how to see it again."""
    how = f"{record.ending}" if record.culprit is None else f"{record.ending} of {record.names[record.culprit]}"
    result = "nobody won" if record.winner is None else f"{record.names[record.winner]} won"
    lines = [printable(f"{result}: {how}" + (f", {record.detail}" if record.detail else ""))]
    if record.culprit is not None and len(record.times_ms) > len(record.moves):
        lines.append(f"the last question took {record.times_ms[-1]:.0f} ms")
    if record.stderr.strip():
        tail = record.stderr.rstrip().splitlines()[-_STDERR_LINES:]
        lines += ["its last words on stderr:", *(f"  {printable(line)}" for line in tail)]
    if record.reproducer:
        lines.append(f"again with: {printable(record.reproducer)}")
    return lines


def _answer() -> str:
    try:
        return input("\nEnter, a or q: ").strip().lower()
    except (EOFError, KeyboardInterrupt):
        typer.echo()
        return "q"


@dataclass
class _Opinion:
    engine: Engine
    limit: Limit

    def of(self, board: Board) -> str:
        analysis = self.engine.analyse(board, self.limit)
        proof = f", {analysis.score}" if analysis.score.is_exact else ""
        chance = f"{100 * analysis.score.win_chance:.0f} % for {'XO'[board.turn]}"
        return f"{self.engine.preset.name}: {COLUMN_NAMES[analysis.move]} is best, {chance}{proof}"


class _Replay:
    """The boards of a game by the number of stones on them."""

    def __init__(self, record: GameRecord, opinion: _Opinion | None) -> None:
        self.record = record
        self.opinion = opinion
        self.moves = record.final.moves
        self.first = Board.parse(record.board).ply
        self.last = len(self.moves)

    def picture(self, stone: int) -> str:
        """Draw the board after so many stones under the move that led to it."""
        board = self.record.final
        while board.ply > stone:
            board.pop()
        lines = [self.caption(stone), render.text(board, color=wants_color())]
        if self.opinion is not None and not board.is_over:
            lines.append(self.opinion.of(board))
        return "\n".join(lines)

    def caption(self, stone: int) -> str:
        """Say which move led to a board, how long it took, and what the agent thought."""
        if stone == self.first:
            return "the empty board" if stone == 0 else f"after {stone} opening stones"
        at = stone - self.first - 1
        player = (stone - 1) % 2
        words = [
            f"stone {stone}: {'XO'[player]} {self.record.names[player]} plays {COLUMN_NAMES[self.moves[stone - 1]]}"
        ]
        if at < len(self.record.times_ms):
            words.append(f"{self.record.times_ms[at]:.1f} ms")
        score = self.record.scores[at] if at < len(self.record.scores) else None
        if score is not None:
            words.append(f"its own view {100 * score:.0f} %")
        return printable(", ".join(words))
