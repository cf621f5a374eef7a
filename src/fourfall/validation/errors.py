"""Describes a validation error of pydantic in one line that names the source, the key and what is allowed."""

import dataclasses
import difflib
import enum
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from fourfall.validation.annotations import EXPECTS, ByName, Expects, get_choice_name, quote_value, quote_words

Syntax = Literal["toml", "json"]

_UNKNOWN_KEY = ("extra_forbidden", "unexpected_keyword_argument")
_SEQUENCES = (list, tuple, frozenset)
_BOUNDS = ("ge", "gt", "le", "lt", "min_length", "max_length")


def describe_validation_error(
    error: ValidationError, source: str, model: object = None, syntax: Syntax = "toml"
) -> str:
    """Describe the first mistake in one line: source, key path, what is allowed and what was found.

    Unknown keys come first, because a misspelled key is also reported as a missing one. `model` is the validated type:
    a model, a dataclass or a union of models. Without it the line has no similar keys and only one end of a range. An
    empty `source` is left out. `syntax` selects the words for nested structures: a TOML table or a JSON object.
    """
    message = describe_first_mistake(error.errors(include_url=False), model, syntax)
    return f"{source}: {message}" if source else message


def describe_first_mistake(errors: Sequence[ErrorDetails], model: object = None, syntax: Syntax = "toml") -> str:
    """Describe the list that `ValidationError.errors` returns, as `describe_validation_error` does.

    >>> describe_first_mistake([{"type": "missing", "loc": ("column",), "msg": "Field required", "input": {}}])
    'column is missing'
    """
    details = next((each for each in errors if each["type"] in _UNKNOWN_KEY), errors[0])
    return _describe(details, _locate(model, details["loc"]), syntax)


@dataclasses.dataclass(frozen=True)
class _Place:
    """A key in the input: its path as people write it, the type allowed there, and the keys beside it."""

    path: str
    annotation: object
    siblings: Sequence[str]


def _describe(details: ErrorDetails, place: _Place, syntax: Syntax) -> str:
    path = place.path
    match details["type"]:
        case "json_invalid":
            return f"not JSON: {details['ctx']['error']}"
        case "extra_forbidden" | "unexpected_keyword_argument":
            return f"unknown key {path}{_list_keys(path, place.siblings)}"
        case "missing":
            return f"{path or 'the input'} is missing"
        case "string_pattern_mismatch":
            pattern = details["ctx"]["pattern"]
            return f"{path or 'the input'} must match the pattern {pattern}, not {quote_value(details['input'])}"
        case "union_tag_not_found":
            return f"{_join(path, details['ctx']['discriminator'])} is missing"
        case "union_tag_invalid":
            context = details["ctx"]
            allowed = context["expected_tags"].replace("'", '"')
            return (
                f"{_join(path, context['discriminator'])} must be one of {allowed}, not {quote_value(context['tag'])}"
            )
        case "value_error" | "assertion_error":
            reason = str(details["ctx"]["error"])
            return f"{path}: {reason}" if path else reason
    expected = details["msg"] if details["type"] == EXPECTS else _describe_expected(place.annotation, path, syntax)
    if not expected:
        reason = details["msg"].removeprefix("Input should be ")
        expected = reason if reason != details["msg"] else ""
        if not expected:
            return f"{path}: {reason}" if path else reason
    return f"{path or 'the input'} must be {expected}, not {quote_value(details['input'])}"


def _join(path: str, discriminator: str) -> str:
    key = discriminator.strip("'")
    return f"{path}.{key}" if path else key


def _list_keys(path: str, keys: Sequence[str]) -> str:
    if not keys:
        return ""
    near = difflib.get_close_matches(path.rpartition(".")[2], keys, n=2, cutoff=0.5)
    return (f"; similar: {', '.join(near)}" if near else "") + f"; allowed: {', '.join(keys)}"


def _locate(model: object, location: tuple[int | str, ...]) -> _Place:
    """Follow a location of pydantic through the types; list items are counted from 1."""
    path, annotation, siblings = "", model, list[str]()
    for step in location:
        member, is_tag = _select(annotation, step)
        if member is None and len(_list_members(annotation)) > 1:  # the step names a member of a union of plain types
            break
        annotation = member
        if is_tag:
            continue
        if isinstance(step, int):
            path += f"[{step + 1}]"
            annotation = _get_item_type(annotation, step)
        else:
            fields = _get_fields(annotation)
            path += f".{step}" if path else step
            siblings = list(fields)
            annotation = fields.get(step)
    return _Place(path, annotation, siblings)


def _select(annotation: object, step: int | str) -> tuple[object, bool]:
    """Choose the member of a union that a step belongs to; the step may be the tag of a discriminated union."""
    members = [_strip_annotation(member) for member in _list_members(annotation)]
    for member in members:
        if step in _get_fields(member) or (isinstance(step, int) and _get_item_type(member, step) is not None):
            return member, False
    for member in members:
        for field in _get_fields(member).values():
            if typing.get_origin(_strip_annotation(field)) is Literal and step in typing.get_args(
                _strip_annotation(field)
            ):
                return member, True
    return (members[0] if len(members) == 1 else None), False


def _get_fields(annotation: object) -> Mapping[str, object]:
    """Return the keys of a model or a dataclass with their types, annotations included."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {
            field.alias or name: Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation
            for name, field in annotation.model_fields.items()
        }
    if dataclasses.is_dataclass(annotation) and isinstance(annotation, type):
        return typing.get_type_hints(annotation, include_extras=True)
    return {}


def _get_item_type(annotation: object, step: int) -> object:
    """Return the type of a list's item."""
    bare = _strip_annotation(annotation)
    arguments = typing.get_args(bare)
    if typing.get_origin(bare) is tuple and arguments[-1] is not Ellipsis:
        return arguments[step] if step < len(arguments) else None
    return arguments[0] if typing.get_origin(bare) in _SEQUENCES else None


def _list_members(annotation: object) -> list[object]:
    """Return the members of a union other than None; any other type is its only member."""
    bare = _strip_annotation(annotation)
    if typing.get_origin(bare) in (typing.Union, types.UnionType):
        return [member for member in typing.get_args(bare) if member is not type(None)]
    return [annotation]


def _strip_annotation(annotation: object) -> object:
    return typing.get_args(annotation)[0] if typing.get_origin(annotation) is Annotated else annotation


def _list_metadata(annotation: object) -> Iterator[object]:
    """Yield the constraints of an annotated type."""
    if typing.get_origin(annotation) is Annotated:
        for each in typing.get_args(annotation)[1:]:
            yield from each.metadata if isinstance(each, FieldInfo) else [each]


def _describe_expected(annotation: object, path: str, syntax: Syntax) -> str:
    """Say what is allowed for a type, as a noun phrase; empty where that is unknown."""
    for each in _list_metadata(annotation):
        if isinstance(each, Expects):
            return each.text
        if isinstance(each, ByName):
            return f"one of {quote_words([get_choice_name(member) for member in _strip_annotation(annotation)])}"  # type: ignore[attr-defined]
    bare = _strip_annotation(annotation)
    members = _list_members(bare)
    if len(members) > 1:
        phrases = list(dict.fromkeys(_describe_expected(member, path, syntax) for member in members))
        return " or ".join(phrases) if all(phrases) else ""
    if members[0] is not bare:
        return _describe_expected(members[0], path, syntax)
    if typing.get_origin(bare) is Literal:
        return f"one of {quote_words(typing.get_args(bare))}"
    if typing.get_origin(bare) in _SEQUENCES:
        return _describe_expected_list(annotation, path, syntax)
    if _get_fields(bare):
        return "an object" if syntax == "json" else _describe_expected_table(path)
    return _describe_expected_scalar(bare, list(_list_metadata(annotation)))


def _describe_expected_list(annotation: object, path: str, syntax: Syntax) -> str:
    bare = _strip_annotation(annotation)
    arguments = typing.get_args(bare)
    item = _strip_annotation(arguments[0])
    if typing.get_origin(bare) is tuple and arguments[-1] is not Ellipsis:
        return f"a list of {len(arguments)} values, each {_describe_expected(arguments[0], path, syntax)}"
    if _get_fields(item):
        return f"tables, each written [[{path}]]" if syntax == "toml" else "a list of objects"
    if typing.get_origin(item) is Literal:
        return f"a list of {quote_words(typing.get_args(item))}"
    least = next((each.min_length for each in _list_metadata(annotation) if hasattr(each, "min_length")), 0)
    length = f" of at least {least} item{'s' if least > 1 else ''}" if least else ""
    return f"a list{length}, each item {_describe_expected(arguments[0], path, syntax)}"


def _describe_expected_table(path: str) -> str:
    """Say how a table is written in TOML.

    >>> _describe_expected_table("limits"), _describe_expected_table("agents[2]")
    ('a table, written [limits]', 'a table, written [[agents]]')
    """
    name, is_item, _ = path.partition("[")
    return "a table" + (f", written [[{name}]]" if is_item else f", written [{name}]" if name else "")


def _describe_expected_scalar(kind: object, constraints: Sequence[object]) -> str:
    bounds = {
        name: value for each in constraints for name in _BOUNDS if (value := getattr(each, name, None)) is not None
    }
    if kind is bool:
        return "true or false"
    if kind is int or kind is float:
        return ("a whole number" if kind is int else "a number") + _describe_range(bounds)
    if kind is str:
        return "text" + _describe_length(bounds)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return f"one of {quote_words([member.value for member in kind])}"
    return ""


def _describe_range(bounds: Mapping[str, Any]) -> str:
    """Write the range of a number.

    >>> _describe_range({"ge": 0.0, "le": 86_400.0}), _describe_range({"gt": 0}), _describe_range({"gt": 0, "le": 0.5})
    (' from 0 to 86400', ' above 0', ' above 0 and at most 0.5')
    """
    if "ge" in bounds and "le" in bounds:
        return f" from {_format_number(bounds['ge'])} to {_format_number(bounds['le'])}"
    words = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}
    limits = [f"{words[name]} {_format_number(value)}" for name, value in bounds.items() if name in words]
    return f" {' and '.join(limits)}" if limits else ""


def _describe_length(bounds: Mapping[str, Any]) -> str:
    low, high = bounds.get("min_length"), bounds.get("max_length")
    if high is None:
        return "" if low is None else f" of at least {low} characters" if low > 1 else " that is not empty"
    return f" of at most {high} characters" if low is None else f" of {low} to {high} characters"


def _format_number(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)
