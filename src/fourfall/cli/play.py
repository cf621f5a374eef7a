"""Owns ``fourfall play``: a person against an engine in the terminal."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from fourfall import Analysis, Board, Engine, Limit, presets, render
from fourfall.agents.levels import LEVELS
from fourfall.cli.board import status
from fourfall.cli.terminal import SimulationsOption, ThreadsOption, read_limit, read_position, wants_color
from fourfall.render import COLUMN_NAMES

_HELP = "a column to play, u undo, h hint, s save, r resign, q quit"


def play(
    position: Annotated[
        str | None, typer.Argument(metavar="[POSITION]", help="Where to begin; a random official board if left out.")
    ] = None,
    engine: Annotated[
        str, typer.Option("--engine", "-e", metavar="NAME", help="A preset, a TOML file, or level-1 to level-10.")
    ] = presets.DEFAULT,
    time: Annotated[float, typer.Option(min=0, max=1e6, help="Seconds the engine thinks.")] = 1.0,
    simulations: SimulationsOption = None,
    threads: ThreadsOption = None,
    second: Annotated[bool, typer.Option("--second", help="Let the engine begin.")] = False,
    load: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with a game saved by s.")] = None,
    save: Annotated[Path, typer.Option(metavar="FILE", help="Where s saves the game.")] = Path("game.txt"),
    seed: Annotated[int | None, typer.Option(min=0, max=2**64 - 1, help="Makes board and engine repeatable.")] = None,
) -> None:
    """Play against an engine in the terminal.

    Examples:

      fourfall play

      fourfall play --engine level-3

      fourfall play 6x7 --engine seed-002 --simulations 200 --second

      fourfall play --load game.txt
    """
    if load is not None:
        if position is not None:
            raise typer.BadParameter("give a position or --load, not both")
        board = _load(load)
    else:
        board = Board.random(seed) if position is None else read_position(position)
    level = LEVELS.get(engine)
    opponent = Engine(engine if level is None else level.preset, seed=seed or 0, threads=threads)
    limit = read_limit(time, simulations or (level and level.simulations), stop_early=True)
    game = _Game(board, opponent, engine, limit, human=1 if second else 0, save=save)
    typer.echo(f"You are {'XO'[game.human]} against {engine}. Type {_HELP}.")
    try:
        game.run()
    except KeyboardInterrupt:
        typer.echo(f"\nThe game so far:\n{status(board)}")
        raise typer.Exit(130) from None


def _load(path: Path) -> Board:
    try:
        return Board.parse(path.read_text(encoding="utf-8", errors="replace").strip())
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror}", param_hint="--load") from None


@dataclass
class _Game:
    board: Board
    engine: Engine
    opponent: str
    limit: Limit
    human: int
    save: Path
    console: Console = field(default_factory=lambda: Console(highlight=False))

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        while not self.board.is_over:
            if self.board.turn == self.human:
                self.draw()
                if not self.ask():
                    return
            else:
                analysis = self.think("The engine thinks …")
                self.board.push(analysis.move)
                typer.echo(f"\nThe engine plays {COLUMN_NAMES[analysis.move]} ({analysis.score} for it).")
        self.draw()
        typer.echo(f"\n{status(self.board)}")

    def draw(self) -> None:
        typer.echo("\n" + render.text(self.board, color=wants_color()), color=True)

    def think(self, message: str) -> Analysis:
        with self.console.status(message):
            return self.engine.analyse(self.board, self.limit)

    def ask(self) -> bool:
        """Ask until a move is made or taken back; False ends the game."""
        while True:
            try:
                word = input("\nYour move: ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                typer.echo()
                word = "q"
            match word:
                case "q" | "r":
                    typer.echo("You resigned." if word == "r" else "The game so far:")
                    typer.echo(status(self.board))
                    return False
                case "u":
                    if self.undo():
                        return True
                case "h":
                    analysis = self.think("Thinking for you …")
                    typer.echo(f"Try {COLUMN_NAMES[analysis.move]} ({analysis.score} for you).")
                case "s":
                    self.store()
                case _:
                    if self.move(word):
                        return True

    def store(self) -> None:
        try:
            self.save.write_text(self.board.notation + "\n", encoding="utf-8")
        except OSError as error:
            typer.echo(f"Not saved: {self.save}: {error.strerror}")
            return
        side = " --second" if self.human == 1 else ""
        typer.echo(f"Saved; go on later with: fourfall play --load {self.save} -e {self.opponent}{side}")

    def undo(self) -> bool:
        if self.board.ply < 2:
            typer.echo("There is no move of yours to take back.")
            return False
        self.board.pop()
        self.board.pop()
        return True

    def move(self, word: str) -> bool:
        column = COLUMN_NAMES[: self.board.cols].find(word) if len(word) == 1 else -1
        if column < 0:
            typer.echo(f"{word!r} is not a move; type {_HELP}.")
            return False
        if not self.board.is_legal(column):
            typer.echo(f"Column {word} is full.")
            return False
        self.board.push(column)
        return True
