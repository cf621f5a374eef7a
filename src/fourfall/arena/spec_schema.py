"""Models of a spec file: keys, types and ranges; what spans several tables is checked by `Spec`."""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from fourfall.arena.spec import MAX_OPENING, MAX_PAIRS, MAX_SEED, Format, SpecError
from fourfall.arena.sprt import MAX_ELO
from fourfall.validation import Expects, InputError, ListOf, OneOrMore, StrictModel, validate


def _check_printable(text: str) -> str:
    if not text.isprintable():
        raise PydanticCustomError("line", "not printable")
    return text


def _check_rising(bounds: tuple[float, float]) -> tuple[float, float]:
    if not -MAX_ELO <= bounds[0] < bounds[1] <= MAX_ELO:
        raise PydanticCustomError("rising", "not rising")
    return bounds


Line = Annotated[str, AfterValidator(_check_printable), Expects("one line of text")]
Seconds = Annotated[float, Field(ge=0.001, le=86_400)]
Memory = Annotated[int, Field(ge=16, le=2**20)]
Pairs = Annotated[int, Field(ge=1, le=MAX_PAIRS)]
EloBounds = Annotated[
    tuple[float, float],
    Field(strict=False),
    AfterValidator(_check_rising),
    Expects(f"two numbers from {-MAX_ELO:g} to {MAX_ELO:g}, the lower first", replaces_all=True),
]


class LimitsTable(StrictModel):
    """Limits of an agent; a missing one is the common or the default limit."""

    move_time_s: Seconds | None = None
    startup_time_s: Seconds | None = None
    memory_mb: Memory | None = None


class AgentTable(LimitsTable):
    """An agent; its name is the address unless given."""

    address: Line
    name: Line | None = None
    group: Line = ""


class GroupTable(StrictModel):
    """A group; a missing key has the value from the top of the file."""

    name: Line
    format: Format | None = None
    agents: ListOf[str] = ()
    challenger: OneOrMore[str] | None = None
    pairs: Pairs | None = None


class BoardsTable(StrictModel):
    """Boards: positions, or the official distribution."""

    official: bool | None = None
    list: Annotated[ListOf[str], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _check_choice(self) -> Self:
        official = self.list is None if self.official is None else self.official
        if official == (self.list is not None):
            raise ValueError("give either official = true or a list")
        return self


class SpecFile(StrictModel):
    """A whole file."""

    name: Line
    format: Format = "round-robin"
    pairs: Pairs = 1
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] = 0
    opening: Annotated[int, Field(ge=0, le=MAX_OPENING)] = 0
    ponder: bool = False
    challenger: OneOrMore[str] = ()
    sprt: EloBounds | None = None
    limits: LimitsTable = LimitsTable()
    boards: BoardsTable = BoardsTable()
    agents: ListOf[AgentTable] = ()
    groups: ListOf[GroupTable] = ()


class StoredSpec(SpecFile):
    """A spec in the database, with the key that a file cannot set."""

    sandbox: bool = True


def validate_ranges(values: Mapping[str, Any]) -> None:
    """Check types and ranges of a spec that was made in Python; SpecError describes the first mistake."""
    try:
        validate(StoredSpec, values, "", "json")
    except InputError as error:
        raise SpecError(str(error)) from None
