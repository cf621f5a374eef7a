"""Websocket messages from the page to the server: their types, fields and ranges."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, TypeAdapter, ValidationError, model_validator

from fourfall.arena.mistakes import DEFAULT_THRESHOLDS
from fourfall.validation import StrictModel, describe_validation_error
from fourfall.web import limits
from fourfall.web.errors import RequestError

GAME_ID_PATTERN = r"^(p[A-Za-z0-9]{16}|a[0-9]{1,18})$"

GameId = Annotated[str, Field(pattern=GAME_ID_PATTERN)]
PositionText = Annotated[str, Field(max_length=limits.MAX_POSITION_LENGTH)]
EngineName = Annotated[str, Field(min_length=1, max_length=1000)]
Key = Annotated[str, Field(max_length=64)]
Simulations = Annotated[int, Field(ge=1, le=limits.MAX_SIMULATIONS)]


class Request(StrictModel):
    """A message of the page. The reply repeats its `ref`."""

    ref: Key | None = None


class ClockRequest(StrictModel):
    """Time per player for the whole game, and the increment that each move adds."""

    initial_s: Annotated[float, Field(gt=0, le=limits.MAX_CLOCK_S)]
    increment_s: Annotated[float, Field(ge=0, le=limits.MAX_INCREMENT_S)] = 0.0


class NewRequest(Request):
    """Start a game."""

    type: Literal["new"]
    board: PositionText = "random"
    opponent: EngineName = "level-30"
    side: Literal["first", "second"] = "first"
    move_time_s: Annotated[float, Field(gt=0, le=limits.MAX_MOVE_TIME_S)] | None = None
    simulations: Simulations | None = None
    clock: ClockRequest | None = None


class GameRequest(Request):
    """Base of the messages about one game."""

    game: GameId


class OpenRequest(GameRequest):
    """Request a stored game, and from then on its changes."""

    type: Literal["open"]


class LeaveRequest(GameRequest):
    """Stop sending the changes of a game."""

    type: Literal["leave"]


class MoveRequest(GameRequest):
    """Play a move; `ply` is the number of stones on the board before it."""

    type: Literal["move"]
    ply: Annotated[int, Field(ge=0, le=144)]
    column: Annotated[int, Field(ge=0, le=11)]


class UndoRequest(GameRequest):
    """Take back the person's last move and the opponent's reply to it; between two persons the last move."""

    type: Literal["undo"]


class RedoRequest(GameRequest):
    """Play the moves again that the last undo took back."""

    type: Literal["redo"]


class ResignRequest(GameRequest):
    """Resign the game."""

    type: Literal["resign"]


class RematchRequest(GameRequest):
    """Start a game on the same board with the sides swapped."""

    type: Literal["rematch"]


class HintRequest(GameRequest):
    """Search for a good move with the strongest engine."""

    type: Literal["hint"]


class AnalyseRequest(Request):
    """Analyse a position; with `resume` the last analysis, if it is of this position, continues its search."""

    type: Literal["analyse"]
    position: PositionText
    engine: EngineName = "fourfall"
    time_s: Annotated[float, Field(gt=0, le=limits.MAX_ANALYSIS_TIME_S)] | None = None
    simulations: Simulations | None = None
    key: Key = ""
    resume: bool = False


class StopRequest(Request):
    """Stop the analysis."""

    type: Literal["stop"]


class ExplainRequest(Request):
    """Explain the move `column` at a position."""

    type: Literal["explain"]
    position: PositionText
    column: Annotated[int, Field(ge=0, le=11)]


class Thresholds(StrictModel):
    """Smallest loss of win chance of a move that is called an inaccuracy, a mistake or a blunder."""

    inaccuracy: Annotated[float, Field(ge=0, le=1)] = DEFAULT_THRESHOLDS.inaccuracy
    mistake: Annotated[float, Field(ge=0, le=1)] = DEFAULT_THRESHOLDS.mistake
    blunder: Annotated[float, Field(ge=0, le=1)] = DEFAULT_THRESHOLDS.blunder


class ReviewRequest(Request):
    """Review all moves of a stored game, or the moves of a position after `start_ply` stones."""

    type: Literal["review"]
    game: GameId | None = None
    position: PositionText | None = None
    start_ply: Annotated[int, Field(ge=0, le=144)] = 0
    engine: EngineName = "fourfall"
    move_time_s: Annotated[float, Field(ge=0.01, le=limits.MAX_REVIEW_MOVE_TIME_S)] = 0.2
    thresholds: Thresholds = Thresholds()
    background: bool = False

    @model_validator(mode="after")
    def _require_game_or_position(self) -> Self:
        if (self.game is None) == (self.position is None):
            raise ValueError("either game or position is required, not both")
        if self.game is not None and self.start_ply:
            raise ValueError("start_ply is allowed only with position")
        return self


class StopReviewRequest(Request):
    """Stop the review."""

    type: Literal["stop_review"]


class WatchRequest(Request):
    """Request the list of events, or one event with its games, and from then on the changes."""

    type: Literal["watch"]
    event: Annotated[int, Field(ge=1, lt=2**63)] | None = None


class UnwatchRequest(Request):
    """Stop sending the changes of events."""

    type: Literal["unwatch"]


class PingRequest(Request):
    """Check that the server responds."""

    type: Literal["ping"]


AnyRequest = (
    NewRequest
    | OpenRequest
    | LeaveRequest
    | MoveRequest
    | UndoRequest
    | RedoRequest
    | ResignRequest
    | RematchRequest
    | HintRequest
    | AnalyseRequest
    | StopRequest
    | ExplainRequest
    | ReviewRequest
    | StopReviewRequest
    | WatchRequest
    | UnwatchRequest
    | PingRequest
)
_ADAPTER: TypeAdapter[AnyRequest] = TypeAdapter(Annotated[AnyRequest, Field(discriminator="type")])


def parse_request(text: str | bytes) -> AnyRequest:
    """Parse and check a message. Raises RequestError with the code `bad_message`.

    >>> parse_request('{"type": "move", "game": "pV1StGXR8Z5jdHi6B", "ply": 4, "column": 3}').column
    3
    >>> parse_request('{"type": "move", "game": "pV1StGXR8Z5jdHi6B", "ply": 4, "column": 12}')
    Traceback (most recent call last):
    fourfall.web.errors.RequestError: invalid message: column must be a whole number from 0 to 11, not 12
    """
    try:
        return _ADAPTER.validate_json(text)
    except ValidationError as error:
        problem = describe_validation_error(error, "", AnyRequest, "json")
        raise RequestError("bad_message", problem=problem) from None


class _RefOnly(BaseModel):
    ref: str | None = None


def find_ref(text: str | bytes) -> str | None:
    """Return the `ref` of an otherwise invalid message, so that the error can repeat it."""
    try:
        ref = _RefOnly.model_validate_json(text).ref
    except ValidationError:
        return None
    return ref if ref is None or len(ref) <= 64 else None
