"""Validates structured input with pydantic and describes a mistake in one line.

Presets, tournament specs, game records, training settings and the messages of the web page are validated with this
package. Importing pydantic takes longer than importing the rest of `fourfall`: modules that ``import fourfall`` loads
import this one inside the functions that need it.
"""

import tomllib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from fourfall.validation.annotations import (
    ByName,
    Expects,
    ListOf,
    OneOrMore,
    get_choice_name,
    quote_value,
    quote_words,
)
from fourfall.validation.errors import Syntax, describe_first_mistake, describe_validation_error

__all__ = [
    "STRICT",
    "ByName",
    "Expects",
    "InputError",
    "ListOf",
    "OneOrMore",
    "StrictModel",
    "Syntax",
    "describe_first_mistake",
    "describe_validation_error",
    "get_choice_name",
    "parse_toml",
    "quote_value",
    "quote_words",
    "read_toml",
    "validate",
]

Model = TypeVar("Model", bound=BaseModel)

STRICT = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)
"""Configuration of all models: no unknown keys, no type conversions, no infinity or NaN; instances are immutable."""


class InputError(ValueError):
    """Invalid input; the message is one line that names the source, the key and what is allowed."""


class StrictModel(BaseModel):
    """Base class of the models.

    >>> from typing import Annotated
    >>> from pydantic import Field
    >>> class Settings(StrictModel):
    ...     pairs: Annotated[int, Field(ge=1, le=1000)] = 1
    >>> validate(Settings, {"pairs": 0}, "spec.toml")
    Traceback (most recent call last):
    fourfall.validation.InputError: spec.toml: pairs must be a whole number from 1 to 1000, not 0
    >>> validate(Settings, {"pair": 5}, "spec.toml")
    Traceback (most recent call last):
    fourfall.validation.InputError: spec.toml: unknown key pair; similar: pairs; allowed: pairs
    """

    model_config = STRICT


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file; InputError names the file."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except ValueError:  # invalid UTF-8, or a null character in the path
        raise InputError(f"{str(path)!r}: not a text file") from None
    return parse_toml(text, str(path))


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """Parse TOML text; InputError names the source and the line."""
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise InputError(f"{source}: {error}") from None
    except RecursionError:
        raise InputError(f"{source}: nested too deeply") from None


def validate(model: type[Model], values: object, source: str, syntax: Syntax = "toml") -> Model:
    """Make an instance of a model from plain values; InputError describes the first mistake."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise InputError(describe_validation_error(error, source, model, syntax)) from None
