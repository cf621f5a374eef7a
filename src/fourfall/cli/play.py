"""The command ``fourfall play``: a game against an engine in the terminal."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from fourfall import Analysis, Board, Engine, Limit, coach, presets, render
from fourfall.agents.levels import LEVELS
from fourfall.cli.board import describe_state
from fourfall.cli.terminal import SimulationsOption, ThreadsOption, read_limit, read_position, wants_color
from fourfall.render import COLUMN_NAMES

_HELP = "a column to play, u undo, h hint, s save, r resign, q quit"


def play(
    position: Annotated[
        str | None,
        typer.Argument(
            metavar="[POSITION]",
            help="Start position ROWSxCOLS\\[@row,col]\\[:moves].",
            show_default="random official board",
        ),
    ] = None,
    engine: Annotated[
        str,
        typer.Option(
            "--engine", "-e", metavar="NAME", help="Name of a preset, a preset file (TOML), or level-2 to level-100."
        ),
    ] = presets.DEFAULT,
    time: Annotated[float, typer.Option(min=0, max=1e6, help="Time per move of the engine in seconds.")] = 1.0,
    simulations: SimulationsOption = None,
    threads: ThreadsOption = None,
    second: Annotated[bool, typer.Option("--second", help="The engine moves first.")] = False,
    load: Annotated[Path | None, typer.Option(metavar="FILE", help="Saved game to continue.")] = None,
    save: Annotated[Path, typer.Option(metavar="FILE", help="File in which the command s saves the game.")] = Path(
        "game.txt"
    ),
    seed: Annotated[int | None, typer.Option(min=0, max=2**64 - 1, help="Random seed of board and engine.")] = None,
) -> None:
    """Play against an engine in the terminal.

    Examples:

      fourfall play

      fourfall play --engine level-30

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
        typer.echo(f"\nThe game so far:\n{describe_state(board)}")
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
        """Play until the game is over or the player quits."""
        while not self.board.is_over:
            if self.board.turn == self.human:
                self.draw()
                if not self.read_command():
                    return
            else:
                analysis = self.search("The engine is searching …")
                self.board.push(analysis.move)
                typer.echo(f"\nThe engine plays {COLUMN_NAMES[analysis.move]} ({analysis.score} for it).")
        self.draw()
        typer.echo(f"\n{describe_state(self.board)}")

    def draw(self) -> None:
        typer.echo("\n" + render.draw_text(self.board, color=wants_color()), color=True)

    def search(self, message: str) -> Analysis:
        with self.console.status(message):
            return self.engine.search(self.board, self.limit)

    def read_command(self) -> bool:
        """Read commands until a move is made or undone; return False when the player quits."""
        while True:
            try:
                word = input("\nYour move: ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                typer.echo()
                word = "q"
            match word:
                case "q" | "r":
                    typer.echo("You resigned." if word == "r" else "The game so far:")
                    typer.echo(describe_state(self.board))
                    return False
                case "u":
                    if self.undo():
                        return True
                case "h":
                    analysis = self.search("Searching for a hint …")
                    typer.echo(f"Try {COLUMN_NAMES[analysis.move]} ({analysis.score} for you).")
                    explanation = coach.explain(self.board, analysis.move, analysis=analysis)
                    typer.echo("\n".join(explanation.write(text_board=True)))
                case "s":
                    self.save_game()
                case _:
                    if self.move(word):
                        return True

    def save_game(self) -> None:
        try:
            self.save.write_text(self.board.notation + "\n", encoding="utf-8")
        except OSError as error:
            typer.echo(f"Not saved: {self.save}: {error.strerror}")
            return
        side = " --second" if self.human == 1 else ""
        typer.echo(f"Saved. Continue with: fourfall play --load {self.save} -e {self.opponent}{side}")

    def undo(self) -> bool:
        if self.board.ply < 2:
            typer.echo("There is no move of yours to undo.")
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
