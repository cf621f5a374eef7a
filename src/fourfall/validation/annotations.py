"""Annotations of model fields: lists, enumerations written by name, and descriptions for error messages."""

import dataclasses
import enum
from collections.abc import Sequence
from typing import Annotated, TypeVar

from pydantic import BeforeValidator, Field, GetCoreSchemaHandler
from pydantic_core import PydanticCustomError, core_schema

T = TypeVar("T")

EXPECTS = "expects"
"""Type of the errors whose message is the noun phrase for what is allowed."""


def _wrap_text(value: object) -> object:
    return [value] if isinstance(value, str) else value


ListOf = Annotated[tuple[T, ...], Field(strict=False)]
"""A list in the input, a tuple in the model. (Strict mode accepts tuples only, and TOML has no tuples.)"""
OneOrMore = Annotated[tuple[T, ...], Field(strict=False), BeforeValidator(_wrap_text)]
"""A list of texts, or a single text, which is a list of one."""


@dataclasses.dataclass(frozen=True)
class Expects:
    """Annotation of a type: the noun phrase that error messages use instead of the one derived from the type.

    With `replaces_all`, which makes it the last annotation, it also replaces the errors of list items and validators.

    >>> from fourfall.validation import StrictModel, validate
    >>> class Settings(StrictModel):
    ...     weights: Annotated[str, Field(min_length=1), Expects("the name of a file")]
    >>> validate(Settings, {"weights": ""}, "mine.toml")
    Traceback (most recent call last):
    fourfall.validation.InputError: mine.toml: weights must be the name of a file, not ''
    """

    text: str
    replaces_all: bool = False

    def __get_pydantic_core_schema__(self, kind: object, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """Replace all errors of the annotated type by one error at its key if `replaces_all` is set."""
        if not self.replaces_all:
            return handler(kind)
        return core_schema.custom_error_schema(handler(kind), EXPECTS, custom_error_message=self.text)


class ByName:
    """Annotation of an enumeration whose members are written by name, in lower case with hyphens.

    >>> from fourfall.validation import StrictModel, validate
    >>> class Colour(enum.Enum):
    ...     DARK_RED = 1
    >>> class Settings(StrictModel):
    ...     colour: Annotated[Colour, ByName()]
    >>> validate(Settings, {"colour": "dark-red"}, "mine.toml").colour
    <Colour.DARK_RED: 1>
    >>> validate(Settings, {"colour": "red"}, "mine.toml")
    Traceback (most recent call last):
    fourfall.validation.InputError: mine.toml: colour must be one of "dark-red", not 'red'
    """

    def __get_pydantic_core_schema__(self, kind: type[enum.Enum], _: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        members = {get_choice_name(member): member for member in kind}

        def look_up(name: object) -> enum.Enum:
            if not isinstance(name, str) or name not in members:
                raise PydanticCustomError(EXPECTS, f"one of {quote_words(list(members))}")
            return members[name]

        return core_schema.no_info_plain_validator_function(look_up)


def get_choice_name(member: enum.Enum) -> str:
    """Return the name of an enumeration's member as it is written in TOML."""
    return member.name.lower().replace("_", "-")


def quote_value(value: object) -> str:
    """Write a value for an error message; a long one is shortened to 60 characters.

    >>> quote_value("x" * 100)[-5:]
    'xx...'
    """
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def quote_words(words: Sequence[object]) -> str:
    """List words in quotation marks.

    >>> quote_words(["a", "b"])
    '"a", "b"'
    """
    return ", ".join(f'"{word}"' for word in words)
