"""A person's progress with puzzles: rating, streak and the puzzles that were tried, kept in a JSON file."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, ValidationError

from fourfall.arena.output_file import open_output
from fourfall.coach.puzzles.glicko2 import MAX_DEVIATION, Game, Rating, update_rating
from fourfall.coach.puzzles.puzzle import Puzzle
from fourfall.validation import StrictModel, describe_validation_error

PUZZLE_DEVIATION = 80.0
"""Deviation of the rating of every puzzle: it is measured with levels, not with people."""
_NEAREST = 12
"""The next puzzle is a random one of this number of puzzles nearest to the wanted rating."""

_Count = Annotated[int, Field(ge=0, le=2**53)]


class ProgressError(ValueError):
    """A file that does not hold the progress of a person; the message names the file."""


class Progress(StrictModel):
    """Rating, streak and tried puzzles of one person; immutable.

    Attributes:
        rating: Glicko-2 rating.
        deviation: its deviation.
        volatility: its volatility.
        streak: puzzles solved without a mistake or a hint since the last one that was not.
        best_streak: the longest streak.
        scores: score of the last try of each puzzle by its identifier: 1 solved, 0.5 solved with a hint, 0 wrong.

    >>> puzzle = Puzzle.parse("6x7:4455 326 win 3 level-20 700 double_threat")
    >>> progress = Progress().add(puzzle, 1)
    >>> progress.streak, progress.rating > 1500, progress.scores == {puzzle.id: 1}
    (1, True, True)
    """

    rating: Annotated[float, Field(ge=-10_000, le=10_000)] = 1500.0
    deviation: Annotated[float, Field(gt=0, le=MAX_DEVIATION)] = MAX_DEVIATION
    volatility: Annotated[float, Field(gt=0, le=1)] = 0.06
    streak: _Count = 0
    best_streak: _Count = 0
    scores: dict[str, float] = Field(default_factory=dict)

    def add(self, puzzle: Puzzle, score: float) -> Self:
        """Return the progress after a puzzle: the first try counts, as one game against the puzzle's rating."""
        new = update_rating(
            Rating(self.rating, self.deviation, self.volatility), [Game(puzzle.rating, PUZZLE_DEVIATION, score)]
        )
        streak = self.streak + 1 if score == 1 else 0
        scores = {name: old for name, old in self.scores.items() if name != puzzle.id}
        return type(self)(
            rating=new.rating,
            deviation=new.deviation,
            volatility=new.volatility,
            streak=streak,
            best_streak=max(self.best_streak, streak),
            scores={**scores, puzzle.id: float(score)},
        )

    def choose_puzzle(self, puzzles: Sequence[Puzzle], rating: float | None = None, seed: int | None = None) -> Puzzle:
        """Choose the next puzzle: an untried one near the rating, else one that was not solved, else the oldest ones.

        Args:
            puzzles: puzzles to choose from, at least one.
            rating: wanted rating; the person's own by default.
            seed: random seed; random by default.
        """
        target = self.rating if rating is None else rating
        open_puzzles = [puzzle for puzzle in puzzles if puzzle.id not in self.scores]
        if not open_puzzles:
            open_puzzles = [puzzle for puzzle in puzzles if self.scores[puzzle.id] < 1]
        if not open_puzzles:
            order = {name: number for number, name in enumerate(self.scores)}
            open_puzzles = sorted(puzzles, key=lambda puzzle: order[puzzle.id])[:_NEAREST]
        nearest = sorted(open_puzzles, key=lambda puzzle: abs(puzzle.rating - target))[:_NEAREST]
        return random.Random(seed).choice(nearest)  # noqa: S311 (not secret)

    def save(self, path: Path) -> None:
        """Write the file completely or not at all; create its folder if necessary."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with open_output(path) as file:
            file.write(self.model_dump_json(indent=1) + "\n")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the file; a new person if there is none. ProgressError names the file and the key that is wrong."""
        try:
            return cls.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return cls()
        except ValidationError as error:
            mistake = describe_validation_error(error, str(path), cls, "json")
            raise ProgressError(f"{mistake}; correct the file, or delete it to begin anew") from None
