"""Models of the opening explorer: the moves that were played at a position, their results, and example games."""

from typing import Literal

from pydantic import BaseModel

GameSource = Literal["page", "arena"]


class ResultCounts(BaseModel):
    """Number of games and their results: won by the first player, drawn, won by the second player."""

    games: int = 0
    first: int = 0
    draws: int = 0
    second: int = 0


class PlayedColumn(ResultCounts):
    """A column that was played at the position, with the results of these games."""

    column: int


class ExampleGame(BaseModel):
    """A game that reached the position after `ply` stones; `column` was played next, or None if the game ended."""

    id: str
    names: tuple[str, str]
    winner: Literal[0, 1] | None
    started: str
    ply: int
    column: int | None


class ExplorerInfo(ResultCounts):
    """The finished games that reached a position, in any order of moves, also as a mirror image.

    `columns` are sorted by the number of games; `ended` games ended at this position. `examples` are the newest games.
    `is_complete` is False if the games have more different openings than one request compares.
    """

    position: str
    source: GameSource | None
    ended: int = 0
    columns: list[PlayedColumn] = []
    examples: list[ExampleGame] = []
    is_complete: bool = True
