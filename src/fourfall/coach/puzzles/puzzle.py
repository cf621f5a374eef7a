"""A puzzle: a position with exactly one good move, its proved solution, themes and difficulty, as one line of text."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self, get_args

from fourfall._core import Board
from fourfall.agents.levels import LEVELS, describe_levels
from fourfall.coach.facts import FactKind
from fourfall.render import COLUMN_NAMES

Result = Literal["win", "draw"]
FIELDS = ("position", "solution", "result", "distance", "level", "rating", "themes")
NO_LEVEL = "none"
"""Text of the field level if no level solves the puzzle reliably."""
MAX_RATING = 4000
MAX_THEMES = 3


class PuzzleError(ValueError):
    """Text that is not a puzzle; the message names the field, and the file and the line where they are known."""


@dataclass(frozen=True)
class Puzzle:
    """A position in which exactly one column wins, or exactly one column does not lose.

    Attributes:
        position: notation of the position with all moves; the side to move solves the puzzle.
        solution: columns from 0, beginning with the one good move. If the result is "win", they are the main line to
            the stone that completes four; if it is "draw", there is one column.
        result: "win" if only this column wins, "draw" if only this column does not lose.
        distance: plies to the end of the game; of a win, the number of plies within which it is proved.
        level: the weakest level that solves the puzzle reliably; None if none does.
        rating: difficulty on the scale of Glicko ratings, on which a new person has 1500.
        themes: kinds of facts about the solution, the most important first.

    >>> puzzle = Puzzle.parse("6x7:4455 323 win 3 level-20 700 double_threat")
    Traceback (most recent call last):
    fourfall.coach.puzzles.puzzle.PuzzleError: solution '323': the last stone does not complete four
    >>> puzzle = Puzzle.parse("6x7:4455 326 win 3 level-20 700 double_threat")
    >>> puzzle.move, puzzle.result, puzzle.to_line()
    (2, 'win', '6x7:4455 326 win 3 level-20 700 double_threat')
    """

    position: str
    solution: tuple[int, ...]
    result: Result
    distance: int
    level: str | None
    rating: int
    themes: tuple[FactKind, ...]

    def __post_init__(self) -> None:
        _check_solution(self.board, self)

    @classmethod
    def parse(cls, line: str) -> Self:
        """Read a puzzle from a line of a puzzle file; PuzzleError names the wrong field."""
        words = line.split(" ")
        if len(words) != len(FIELDS):
            raise PuzzleError(f"{len(words)} fields; must be {len(FIELDS)} with one space between: {' '.join(FIELDS)}")
        position, solution, result, distance, level, rating, themes = words
        board = _parse_position(position)
        return cls(
            board.notation,
            _parse_solution(board, solution),
            _parse_result(result),
            _parse_number("distance", distance, 1, board.geometry.cells),
            _parse_level(level),
            _parse_number("rating", rating, 0, MAX_RATING),
            _parse_themes(themes),
        )

    @property
    def board(self) -> Board:
        """The position, as a new board."""
        return Board.parse(self.position)

    @property
    def move(self) -> int:
        """The one good column, from 0."""
        return self.solution[0]

    @cached_property
    def id(self) -> str:
        """Twelve hexadecimal digits that are equal for the same stones in any order and for the mirror image.

        >>> line = "{} win 3 level-20 700 double_threat"
        >>> Puzzle.parse(line.format("6x7:4455 326")).id == Puzzle.parse(line.format("6x7:4433 562")).id
        True
        """
        return identify_position(self.board)

    def to_line(self) -> str:
        """Return the line of a puzzle file, without the end of the line; `parse` is the inverse."""
        return " ".join(
            (
                self.position,
                "".join(COLUMN_NAMES[column] for column in self.solution),
                self.result,
                str(self.distance),
                self.level or NO_LEVEL,
                str(self.rating),
                ",".join(self.themes),
            )
        )

    def to_json_value(self) -> dict[str, Any]:
        """Return the puzzle as plain data for JSON, with its identifier."""
        return {
            "id": self.id,
            "position": self.position,
            "solution": list(self.solution),
            "result": self.result,
            "distance": self.distance,
            "level": self.level,
            "rating": self.rating,
            "themes": [theme.value for theme in self.themes],
        }


def identify_position(board: Board) -> str:
    """Return the identifier of a position, which its mirror image shares; the order of the moves is ignored."""
    drawing = min(_draw(board), _draw(board.mirror()))
    return hashlib.sha256(drawing.encode()).hexdigest()[:12]


def _draw(board: Board) -> str:
    """Return the cells row by row, with the hole as '#'."""

    def draw_cell(row: int, col: int) -> str:
        player = board.stone_at(row, col)
        return ("#" if (row, col) == board.hole else ".") if player is None else "XO"[player]

    return "\n".join("".join(draw_cell(row, col) for col in range(board.cols)) for row in range(board.rows))


def _parse_position(text: str) -> Board:
    try:
        board = Board.parse(text)
    except ValueError as error:
        raise PuzzleError(f"position {text!r}: {error}") from None
    if board.is_over:
        raise PuzzleError(f"position {text!r}: the game is over")
    return board


def _parse_solution(board: Board, text: str) -> tuple[int, ...]:
    names = COLUMN_NAMES[: board.cols]
    for letter in text:
        if letter not in names:
            raise PuzzleError(f"solution {text!r}: {letter!r} is not a column; the columns are {names[0]}..{names[-1]}")
    return tuple(names.index(letter) for letter in text)


def _parse_result(text: str) -> Result:
    for result in get_args(Result):
        if text == result:
            return result  # type: ignore[no-any-return]
    raise PuzzleError(f"result {text!r}: must be one of {', '.join(get_args(Result))}")


def _parse_number(field: str, text: str, minimum: int, maximum: int) -> int:
    if text.isascii() and text.isdigit() and len(text) < 8 and minimum <= int(text) <= maximum:
        return int(text)
    raise PuzzleError(f"{field} {text!r}: must be a whole number from {minimum} to {maximum}")


def _parse_level(text: str) -> str | None:
    if text == NO_LEVEL:
        return None
    if text not in LEVELS:
        raise PuzzleError(f"level {text!r}: must be {NO_LEVEL} or a level; {describe_levels(text)}")
    return text


def _parse_themes(text: str) -> tuple[FactKind, ...]:
    themes = []
    for name in text.split(","):
        try:
            themes.append(FactKind(name))
        except ValueError:
            raise PuzzleError(f"themes {text!r}: {name!r} is not a theme") from None
    if len(themes) > MAX_THEMES or len(set(themes)) < len(themes):
        raise PuzzleError(f"themes {text!r}: must be one to {MAX_THEMES} different themes, separated by commas")
    return tuple(themes)


def _check_solution(board: Board, puzzle: Puzzle) -> None:
    """Check that the solution is a legal line that ends as the result and the distance say."""
    text = "".join(COLUMN_NAMES[column] for column in puzzle.solution)
    player = board.turn
    free = board.geometry.cells - board.ply
    _play(board, puzzle.solution, text)
    if puzzle.result == "draw":
        if len(puzzle.solution) != 1:
            raise PuzzleError(f"solution {text!r}: must be one column if the result is draw")
        if puzzle.distance != free:
            raise PuzzleError(f"distance '{puzzle.distance}': must be {free}, the free cells, if the result is draw")
        return
    outcome = board.outcome()
    if outcome is None or outcome.winner != player:
        raise PuzzleError(f"solution {text!r}: the last stone does not complete four")
    if puzzle.distance != len(puzzle.solution):
        raise PuzzleError(f"distance '{puzzle.distance}': must be {len(text)}, the length of the solution")


def _play(board: Board, columns: Sequence[int], text: str) -> None:
    if not columns:
        raise PuzzleError("solution '': must have at least one column")
    for number, column in enumerate(columns, 1):
        try:
            board.push(column)
        except ValueError as error:
            raise PuzzleError(f"solution {text!r}: stone {number}: {error}") from None
