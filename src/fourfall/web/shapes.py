"""Owns the plain data that the server's messages and its answers over HTTP are made of."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from fourfall import Score
from fourfall.web.refusal import Code
from fourfall.web.requests import Thresholds

Cell = tuple[int, int]
Triple = tuple[int, int, int]
Proof = Literal["win", "draw", "loss"]
Mark = Literal["", "inaccuracy", "mistake", "blunder"]
State = Literal["running", "stopped", "complete", "imported"]


class Worth(BaseModel):
    """A score, from the side to move of the position it belongs to."""

    win_chance: float
    proof: Proof | None = None
    distance: int | None = None

    @classmethod
    def of(cls, score: Score) -> "Worth":
        """Put a score into plain data.

        >>> Worth.of(Score.win(3)), Worth.of(-Score.win(3)).win_chance
        (Worth(win_chance=1.0, proof='win', distance=3), 0.0)
        """
        return cls(win_chance=round(score.win_chance, 4), proof=proof_of(score), distance=score.distance)


def proof_of(score: Score) -> Proof | None:
    """Name what is proven."""
    return "win" if score.is_win else "draw" if score.is_draw else "loss" if score.is_loss else None


class Engine(BaseModel):
    """An engine to choose."""

    name: str
    summary: str
    search: Literal["tree", "graph"] | None
    foreign: bool


class Level(BaseModel):
    """A strength to choose."""

    name: str
    preset: str
    simulations: int


class Allowed(BaseModel):
    """What a page may ask for."""

    time_s: float
    analysis_s: float
    nodes: int
    review_s: float
    match_games: int
    message_bytes: int
    messages_per_s: float
    games: int


class Defaults(BaseModel):
    """What is meant where a page says nothing."""

    opponent: str = "level-3"
    engine: str = "fourfall"
    time_s: float = 1.0
    review_s: float = 0.2
    thresholds: Thresholds = Thresholds()


class Choices(BaseModel):
    """All that there is to choose from."""

    version: str
    engines: list[Engine]
    levels: list[Level]
    limits: Allowed
    defaults: Defaults


class Outcome(BaseModel):
    """How a game ended; `cells` are the stones of all winning lines."""

    winner: Literal[0, 1] | None
    ending: str
    cells: list[Cell]
    detail: str = ""


class Column(Worth):
    """What an engine thinks of a column."""

    column: int
    visits: int


class ReviewedMove(BaseModel):
    """A move and what would have been better; both scores are the mover's."""

    ply: int
    player: Literal[0, 1]
    column: int
    best: int
    line: list[int]
    score_before: Worth
    score_after: Worth
    loss: float
    mark: Mark


class EventLine(BaseModel):
    """An event in a list."""

    id: int
    name: str
    state: State
    games: int
    planned: int | None
    created: str
    ours: bool


class EventList(BaseModel):
    """All events, newest first."""

    events: list[EventLine]


class Span(BaseModel):
    """A value between its bounds of 95 % confidence; an open bound is null."""

    value: float | None
    low: float | None
    high: float | None


class StandingLine(BaseModel):
    """A line of a table; triples are won, drawn, lost."""

    rank: int
    agent: str
    games: int
    won: int
    drawn: int
    lost: int
    first: Triple
    second: Triple
    score: Span
    elo: Span
    failures: dict[str, int]


class EventGroup(BaseModel):
    """A group of an event; `cross` has a row for each standing against each, in the same order."""

    name: str
    standings: list[StandingLine]
    cross: list[list[Triple | None]]


class PlayedGame(BaseModel):
    """A finished game of an event."""

    id: str
    number: int
    names: tuple[str, str]
    winner: Literal[0, 1] | None
    ending: str
    moves: int


class RunningGame(BaseModel):
    """A game of an event that is being played."""

    number: int
    group: str
    names: tuple[str, str]
    position: str


class EventShown(EventLine):
    """An event with its tables and boards."""

    groups: list[EventGroup]
    recent: list[PlayedGame]
    live: list[RunningGame]


class Complaint(BaseModel):
    """Why a request was turned down."""

    code: Code
    message: str


class GameLine(BaseModel):
    """A game in a list."""

    id: str
    source: Literal["page", "arena"]
    event: int | None
    names: tuple[str, str]
    board: str
    plies: int
    status: Literal["playing", "over"]
    winner: Literal[0, 1] | None
    ending: str | None
    started: str
    reviewed: bool


class GameList(BaseModel):
    """Games, newest first; `next` continues the list."""

    games: list[GameLine]
    next: str | None


class PositionShown(BaseModel):
    """What the rules say of a position; threats of the first player, then of the second."""

    position: str
    rows: int
    cols: int
    hole: Cell | None
    ply: int
    turn: int
    moves: list[int]
    legal: list[int]
    last: Cell | None
    outcome: Outcome | None
    threats: tuple[list[Cell], list[Cell]]


class TextRead(BaseModel):
    """The game that a pasted text tells."""

    kind: Literal["position", "moves", "record", "printout"]
    start: str
    moves: list[int]
    position: str
    names: tuple[str, str] | None = None
    note: str = ""


class MatchBegun(BaseModel):
    """The event of a match that begins."""

    event: Annotated[int, Field(ge=1)]
