"""Model of the settings of a ladder: keys, types and ranges."""

from typing import Annotated, Literal

from pydantic import Field

from fourfall.arena.spec import MAX_OPENING, MAX_SEED
from fourfall.validation import ListOf, StrictModel


class SettingsTable(StrictModel):
    """Settings of a ladder in the database."""

    format: Literal["ladder"]
    boards: ListOf[str] = ()
    opening: Annotated[int, Field(ge=0, le=MAX_OPENING)] = 0
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] = 0
