"""Owns what the server says over the websocket, and a stored game as HTTP shows it: the contract of docs/page.md."""

from typing import Literal

from pydantic import BaseModel

from fourfall.web.requests import Thresholds
from fourfall.web.shapes import (
    Choices,
    Column,
    Complaint,
    EventList,
    EventShown,
    GameLine,
    Outcome,
    ReviewedMove,
    Worth,
)


class Reply(BaseModel):
    """A message of the server; `ref` is that of the message it answers."""

    ref: str | None = None


class Welcome(Reply, Choices):
    """The first message."""

    type: Literal["welcome"] = "welcome"


class GameState(Reply):
    """A game of the page, whole."""

    type: Literal["game"] = "game"
    game: str
    position: str
    start: str
    moves: list[int]
    redo: list[int]
    turn: int
    you: int | None
    opponent: str | None
    names: tuple[str, str]
    time_s: float | None
    nodes: int | None
    thinking: bool
    status: Literal["playing", "over"]
    outcome: Outcome | None
    times_ms: list[float]
    scores: list[Worth | None]
    started: str
    rematch_of: str | None


class Thinking(Reply):
    """The opponent thinks."""

    type: Literal["thinking"] = "thinking"
    game: str
    since: str


class HintGiven(Reply):
    """What the flagship would play."""

    type: Literal["hint"] = "hint"
    game: str
    ply: int
    column: int
    score: Worth


class Queued(Reply):
    """A search waits for its turn."""

    type: Literal["queued"] = "queued"
    what: Literal["analysis", "review"]
    place: int
    key: str | None = None
    message: str


class AnalysisGiven(Reply):
    """What an engine thinks of a position now."""

    type: Literal["analysis"] = "analysis"
    key: str
    position: str
    engine: str
    done: bool
    stopped_by: str
    move: int | None
    score: Worth
    columns: list[Column]
    line: list[int]
    simulations: int
    nodes: int
    speed: int
    depth: int
    seconds: float


class ReviewGiven(Reply):
    """A review as far as it has come; moves by ply, ascending."""

    type: Literal["review"] = "review"
    game: str | None
    position: str
    start: str
    engine: str
    done: int
    total: int
    finished: bool
    stopped: bool
    moves: list[ReviewedMove]
    final: Worth | None
    accuracy: tuple[float | None, float | None]
    thresholds: Thresholds
    time_s: float


class Events(Reply, EventList):
    """All events, newest first, as a message."""

    type: Literal["events"] = "events"


class EventState(Reply, EventShown):
    """An event with its tables and boards, as a message."""

    type: Literal["event"] = "event"


class Pong(Reply):
    """A sign of life."""

    type: Literal["pong"] = "pong"


class Refused(Reply, Complaint):
    """Why a message was turned down."""

    type: Literal["error"] = "error"


class GameShown(GameLine):
    """A game with its moves."""

    start: str
    moves: list[int]
    position: str
    you: int | None
    opponent: str | None
    outcome: Outcome | None
    times_ms: list[float]
    scores: list[Worth | None]
    review: ReviewGiven | None
