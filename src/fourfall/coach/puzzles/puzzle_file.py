"""Reads and extends files with one puzzle per line."""

from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path

from fourfall.coach.puzzles.puzzle import FIELDS, Puzzle, PuzzleError

HEADER = f"# {' '.join(FIELDS)}\n"


def read_puzzles(path: Path) -> list[Puzzle]:
    """Read a puzzle file.

    Blank lines and lines that begin with '#' are skipped.

    Raises:
        PuzzleError: a line is not a puzzle, or repeats a position or its mirror image; names file, line and field.
        OSError: the file cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise PuzzleError(f"{path}: not a text file in UTF-8") from None
    return parse_puzzles(text, str(path))


def parse_puzzles(text: str, name: str) -> list[Puzzle]:
    r"""Read puzzles from the text of a file with this name.

    >>> parse_puzzles("# comment\n6x7:4455 326 win five level-20 700 double_threat\n", "set.txt")
    Traceback (most recent call last):
    fourfall.coach.puzzles.puzzle.PuzzleError: set.txt:2: distance 'five': must be a whole number from 1 to 42
    """
    puzzles: list[Puzzle] = []
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            puzzle = Puzzle.parse(line)
        except PuzzleError as error:
            raise PuzzleError(f"{name}:{number}: {error}") from None
        first = lines.setdefault(puzzle.id, number)
        if first != number:
            raise PuzzleError(f"{name}:{number}: position: the same as on line {first}, or its mirror image")
        puzzles.append(puzzle)
    return puzzles


@cache
def load_puzzles() -> tuple[Puzzle, ...]:
    """Return the puzzles of the package, from the easiest to the most difficult.

    >>> puzzles = load_puzzles()
    >>> puzzles[0].rating < puzzles[-1].rating
    True
    """
    file = resources.files("fourfall.coach.puzzles") / "puzzles.txt"
    return tuple(
        sorted(parse_puzzles(file.read_text(encoding="utf-8"), "puzzles.txt"), key=lambda puzzle: puzzle.rating)
    )


def append_puzzles(path: Path, puzzles: Iterable[Puzzle]) -> None:
    """Append puzzles to a file; a new file begins with a comment that names the fields."""
    _append_lines(path, (puzzle.to_line() for puzzle in puzzles))


def append_comment(path: Path, text: str) -> None:
    """Append a comment to a puzzle file."""
    _append_lines(path, [f"# {text}"])


def _append_lines(path: Path, lines: Iterable[str]) -> None:
    is_new = not path.exists() or path.stat().st_size == 0
    with path.open("a", encoding="utf-8", newline="\n") as file:
        if is_new:
            file.write(HEADER)
        file.writelines(line + "\n" for line in lines)
