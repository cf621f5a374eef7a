"""The command ``fourfall puzzles``: solves puzzles in the terminal and mines new ones."""

from pathlib import Path
from typing import Annotated

import typer

from fourfall.cli.puzzle_session import PuzzleSession
from fourfall.cli.terminal import create_data_folder
from fourfall.coach import LANGUAGES, Language
from fourfall.coach.facts import FactKind
from fourfall.coach.puzzles import THEMES, Progress, Puzzle, load_puzzles, read_puzzles

puzzles = typer.Typer(invoke_without_command=True)


@puzzles.callback()
def solve_puzzles(
    context: typer.Context,
    theme: Annotated[
        str | None,
        typer.Option(metavar="THEME", help="Theme of the puzzles, for example double_threat.", show_default=False),
    ] = None,
    rating: Annotated[
        int | None, typer.Option(min=0, max=4000, help="Rating of the puzzles.", show_default="your own rating")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", help="Puzzle file.", show_default="the 500 puzzles of the package"),
    ] = None,
    lang: Annotated[str, typer.Option(metavar="LANG", help="Language: en or zh.")] = "en",
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**63, help="Random seed of the choice of puzzles.", show_default=False)
    ] = None,
) -> None:
    """Solve puzzles: find the only good move.

    In every puzzle exactly one move wins, or exactly one move does not lose; this is proved. The first try changes your
    rating (Glicko-2), which is kept with your streak in puzzles.json in your data folder. A wrong move is refuted on
    the board. Type h for a hint, s for the solution, q to quit.

    Examples:

      fourfall puzzles

      fourfall puzzles --theme double_threat --rating 1200

      fourfall puzzles --lang zh

      fourfall puzzles make --from arena.db --count 20 -o mine.txt

      fourfall puzzles --file mine.txt
    """
    if context.invoked_subcommand is not None:
        return
    found = _filter_theme(list(load_puzzles()) if file is None else read_puzzles(file), theme)
    path = create_data_folder() / "puzzles.json"
    session = PuzzleSession(found, Progress.load(path), path, rating, _read_language(lang), seed)
    session.run()


def _filter_theme(puzzles: list[Puzzle], theme: str | None) -> list[Puzzle]:
    known = [kind.value for kind in THEMES if any(kind in puzzle.themes for puzzle in puzzles)]
    if not puzzles:
        raise typer.BadParameter("the file has no puzzles", param_hint="--file")
    if theme is None:
        return puzzles
    if theme not in known:
        raise typer.BadParameter(f"{theme!r} is not a theme of these puzzles: {', '.join(known)}", param_hint="--theme")
    return [puzzle for puzzle in puzzles if FactKind(theme) in puzzle.themes]


def _read_language(text: str) -> Language:
    for language in LANGUAGES:
        if text == language:
            return language
    raise typer.BadParameter(f"{text!r} is not a language; choose en or zh", param_hint="--lang")
