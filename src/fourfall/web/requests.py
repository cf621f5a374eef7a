"""Owns the messages that the page may send: their types, fields and ranges, checked strictly."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from fourfall.web import limits
from fourfall.web.refusal import Refusal

GameId = Annotated[str, Field(pattern=r"^(p[A-Za-z0-9]{16}|a[0-9]{1,18})$")]
PositionText = Annotated[str, Field(max_length=limits.POSITION_LENGTH)]
EngineName = Annotated[str, Field(min_length=1, max_length=1000)]
Key = Annotated[str, Field(max_length=64)]
Nodes = Annotated[int, Field(ge=1, le=limits.NODES)]


class Strict(BaseModel):
    """Plain data without surprises: no unknown fields, no conversions, no infinities."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class Request(Strict):
    """A message of the page; `ref` comes back with the answer."""

    ref: Key | None = None


class New(Request):
    """Begin a game."""

    type: Literal["new"]
    board: PositionText = "random"
    opponent: EngineName = "level-3"
    side: Literal["first", "second"] = "first"
    time_s: Annotated[float, Field(gt=0, le=limits.MOVE_S)] | None = None
    nodes: Nodes | None = None


class OnGame(Request):
    """A message about a game."""

    game: GameId


class Open(OnGame):
    """Show a stored game and hear of its changes."""

    type: Literal["open"]


class Leave(OnGame):
    """Hear no more of a game."""

    type: Literal["leave"]


class Move(OnGame):
    """Drop a stone; `ply` stones are on the board."""

    type: Literal["move"]
    ply: Annotated[int, Field(ge=0, le=144)]
    column: Annotated[int, Field(ge=0, le=11)]


class Undo(OnGame):
    """Take the last move back."""

    type: Literal["undo"]


class Redo(OnGame):
    """Play again what was taken back."""

    type: Literal["redo"]


class Resign(OnGame):
    """Give the game up."""

    type: Literal["resign"]


class Rematch(OnGame):
    """Begin anew on the same board with sides swapped."""

    type: Literal["rematch"]


class Hint(OnGame):
    """Ask what the flagship would play."""

    type: Literal["hint"]


class Analyse(Request):
    """Watch an engine think."""

    type: Literal["analyse"]
    position: PositionText
    engine: EngineName = "fourfall"
    time_s: Annotated[float, Field(gt=0, le=limits.ANALYSIS_S)] | None = None
    nodes: Nodes | None = None
    key: Key = ""


class Stop(Request):
    """End the analysis."""

    type: Literal["stop"]


class Thresholds(Strict):
    """From which loss of win chance on a move has which mark."""

    inaccuracy: Annotated[float, Field(ge=0, le=1)] = 0.08
    mistake: Annotated[float, Field(ge=0, le=1)] = 0.16
    blunder: Annotated[float, Field(ge=0, le=1)] = 0.3


class Review(Request):
    """Go through a game backwards."""

    type: Literal["review"]
    game: GameId | None = None
    position: PositionText | None = None
    engine: EngineName = "fourfall"
    time_s: Annotated[float, Field(ge=0.01, le=limits.REVIEW_S)] = 0.2
    thresholds: Thresholds = Thresholds()

    @model_validator(mode="after")
    def _one_subject(self) -> Self:
        if (self.game is None) == (self.position is None):
            raise ValueError("a review is of a game or of a position")
        return self


class StopReview(Request):
    """End the review."""

    type: Literal["stop_review"]


class Watch(Request):
    """Hear of all events, or of one and its games."""

    type: Literal["watch"]
    event: Annotated[int, Field(ge=1, lt=2**63)] | None = None


class Unwatch(Request):
    """Hear no more of events."""

    type: Literal["unwatch"]


class Ping(Request):
    """Ask for a sign of life."""

    type: Literal["ping"]


AnyRequest = (
    New
    | Open
    | Leave
    | Move
    | Undo
    | Redo
    | Resign
    | Rematch
    | Hint
    | Analyse
    | Stop
    | Review
    | StopReview
    | Watch
    | Unwatch
    | Ping
)
_ADAPTER: TypeAdapter[AnyRequest] = TypeAdapter(Annotated[AnyRequest, Field(discriminator="type")])


def read_request(text: str | bytes) -> AnyRequest:
    """Read a message; Refusal says what is wrong with it.

    >>> read_request('{"type": "move", "game": "pV1StGXR8Z5jdHi6B", "ply": 4, "column": 3}').column
    3
    >>> read_request('{"type": "move", "game": "pV1StGXR8Z5jdHi6B", "ply": 4, "column": 12}')
    Traceback (most recent call last):
    fourfall.web.refusal.Refusal: column: Input should be less than or equal to 11
    """
    try:
        return _ADAPTER.validate_json(text)
    except ValidationError as error:
        raise Refusal("bad_message", complaint(error)) from None


def complaint(error: ValidationError) -> str:
    """Put the first thing that is wrong into one line."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    # The discriminator's own level is no field that a person wrote.
    where = ".".join(str(part) for part in first["loc"][1:]) if len(first["loc"]) > 1 else ""
    message = first["msg"].removeprefix("Value error, ")
    return " ".join((f"{where}: {message}" if where else message).split())[:300]


class _Ref(BaseModel):
    ref: str | None = None


def ref_of(text: str | bytes) -> str | None:
    """Find the `ref` of a message that is wrong otherwise, so that the error finds its way."""
    try:
        ref = _Ref.model_validate_json(text).ref
    except ValidationError:
        return None
    return ref if ref is None or len(ref) <= 64 else None
