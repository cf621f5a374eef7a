"""Websocket messages from the server to the page, and stored games with their review."""

from typing import Literal, Protocol

from pydantic import BaseModel

from fourfall.web.messages.requests import Thresholds
from fourfall.web.messages.schemas import (
    ClockInfo,
    ColumnInfo,
    ErrorInfo,
    EventDetails,
    EventList,
    FactInfo,
    GameSummary,
    OutcomeInfo,
    ReviewedMove,
    ScoreInfo,
    SentencesInfo,
    ServerInfo,
)


class Reply(BaseModel):
    """A message of the server; `ref` is the one of the request, or null."""

    ref: str | None = None


class Subscriber(Protocol):
    """A connection that receives messages about the games and events to which it subscribed."""

    def send(self, reply: Reply) -> None:
        """Queue a message; never waits."""
        ...


class WelcomeReply(Reply, ServerInfo):
    """The first message of a connection."""

    type: Literal["welcome"] = "welcome"


class GameReply(Reply):
    """The complete state of a game."""

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
    move_time_s: float | None
    simulations: int | None
    clock: ClockInfo | None = None
    thinking: bool
    status: Literal["playing", "over"]
    outcome: OutcomeInfo | None
    times_ms: list[float]
    scores: list[ScoreInfo | None]
    started: str
    rematch_of: str | None


class ThinkingReply(Reply):
    """The opponent searches for its move."""

    type: Literal["thinking"] = "thinking"
    game: str
    since: str


class HintReply(Reply):
    """The move that the strongest engine would play."""

    type: Literal["hint"] = "hint"
    game: str
    ply: int
    column: int
    score: ScoreInfo


class QueuedReply(Reply):
    """An analysis or review waits for a thread; `place` counts from 1."""

    type: Literal["queued"] = "queued"
    what: Literal["analysis", "review"]
    place: int
    key: str | None = None


class AnalysisReply(Reply):
    """The present result of an analysis; `can_resume` says that a request with `resume` would continue it."""

    type: Literal["analysis"] = "analysis"
    key: str
    position: str
    engine: str
    done: bool
    stopped_by: str
    can_resume: bool = False
    move: int | None
    score: ScoreInfo
    columns: list[ColumnInfo]
    pv: list[int]
    simulations: int
    nodes: int
    simulations_per_second: int
    depth: int
    seconds: float


class ExplanationReply(Reply):
    """Why a move is good or bad: facts, the most important first, and one to three sentences about them."""

    type: Literal["explanation"] = "explanation"
    position: str
    column: int
    facts: list[FactInfo]
    text: SentencesInfo


class ReviewReply(Reply):
    """The present result of a review; `moves` are sorted by ply.

    `turning_points` has for each player, if this player lost the game, the number of stones before the turning point
    among the reviewed moves, or None if no move is one (`arena/move_review.py`).
    """

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
    final: ScoreInfo | None
    accuracy: tuple[float | None, float | None]
    turning_points: tuple[int | None, int | None] = (None, None)
    thresholds: Thresholds
    move_time_s: float


class EventListReply(Reply, EventList):
    """All events, newest first."""

    type: Literal["events"] = "events"


class EventReply(Reply, EventDetails):
    """An event with its standings and games."""

    type: Literal["event"] = "event"


class PongReply(Reply):
    """Reply to a ping."""

    type: Literal["pong"] = "pong"


class ErrorReply(Reply, ErrorInfo):
    """Why a request failed."""

    type: Literal["error"] = "error"


class GameDetails(GameSummary):
    """A stored game with its moves and its review; `event_name` is None for a game of the page."""

    event_name: str | None
    start: str
    moves: list[int]
    you: int | None
    opponent: str | None
    outcome: OutcomeInfo | None
    times_ms: list[float]
    scores: list[ScoreInfo | None]
    review: ReviewReply | None
