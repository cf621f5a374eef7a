"""Models of the puzzles: the shipped set, one puzzle with its hints, and the check of a move."""

from typing import Literal

from pydantic import BaseModel

from fourfall.coach.facts import FactKind


class Texts(BaseModel):
    """Sentences in both languages of the page."""

    en: list[str]
    zh: list[str]


class ThemeInfo(BaseModel):
    """A theme that occurs in the set, with its names."""

    kind: FactKind
    en: str
    zh: str


class PuzzleInfo(BaseModel):
    """A puzzle; the side to move of `position` solves it. `rating` is None if the difficulty was not measured."""

    id: str
    position: str
    solution: list[int]
    result: Literal["win", "draw"]
    distance: int
    level: str | None
    rating: int | None
    themes: list[FactKind]


class PuzzleList(BaseModel):
    """The shipped puzzles, the easiest first, and the themes that occur in them."""

    puzzles: list[PuzzleInfo]
    themes: list[ThemeInfo]


class PuzzleDetails(PuzzleInfo):
    """A puzzle with its hints in steps and the coach's reasons for the solution."""

    hints: Texts
    reasons: Texts


class FoundPuzzle(BaseModel):
    """The puzzle of a position; None if exactly one good move could not be proved within the limits."""

    puzzle: PuzzleDetails | None


class MoveCheck(BaseModel):
    """What happens after a move: the proved verdict, the move with the best play that follows, and a text."""

    position: str
    columns: list[int]
    verdict: Literal["wins", "does_not_win", "loses", "unknown"]
    text: Texts
