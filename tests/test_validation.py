"""Tests of the one-line descriptions of invalid input."""

import enum
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import Field, TypeAdapter, ValidationError, model_validator

from fourfall.validation import (
    STRICT,
    Expects,
    InputError,
    ListOf,
    OneOrMore,
    StrictModel,
    Syntax,
    describe_validation_error,
    parse_toml,
    read_toml,
    validate,
)


class Colour(enum.Enum):
    """An enumeration of text values."""

    RED = "red"
    BLUE = "blue"


class Part(StrictModel):
    """A nested table."""

    size: Annotated[int, Field(ge=1, le=12)] = 1
    label: str | None = None


class Whole(StrictModel):
    """A model with every kind of field."""

    name: str
    share: Annotated[float, Field(ge=0, le=1)] = 0.5
    rate: Annotated[float, Field(gt=0)] | None = None
    text: Annotated[str, Field(min_length=1, max_length=8)] = "x"
    switch: bool = False
    kind: Literal["tree", "graph"] = "tree"
    rules: ListOf[Literal["win", "block"]] = ()
    numbers: Annotated[ListOf[int], Field(min_length=1)] = (1,)
    names: OneOrMore[str] = ()
    file: Annotated[str, Field(min_length=1), Expects("the name of a file")] = "f"
    part: Part = Part()
    parts: ListOf[Part] = ()
    point: Annotated[tuple[float, float], Field(strict=False)] = (0.0, 1.0)
    bounds: Annotated[tuple[float, float], Field(strict=False), Expects("two numbers", replaces_all=True)] | None = None
    number_or_text: int | str = 0

    @model_validator(mode="after")
    def _check(self) -> "Whole":
        if self.name == "forbidden":
            raise ValueError("the name is forbidden")
        return self


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "name is missing"),
        ({"name": 3}, "name must be text, not 3"),
        ({"nmae": "a"}, "unknown key nmae; similar: name, names; allowed: name, share, "),
        ({"name": "a", "zzz": 1}, "unknown key zzz; allowed: name, share, rate, text, switch, kind, rules, "),
        ({"name": "a", "share": 2}, "share must be a number from 0 to 1, not 2"),
        ({"name": "a", "share": "x"}, "share must be a number from 0 to 1, not 'x'"),
        ({"name": "a", "share": True}, "share must be a number from 0 to 1, not True"),
        ({"name": "a", "share": float("nan")}, "share must be a number from 0 to 1, not nan"),
        ({"name": "a", "share": 10**400}, "share must be a number from 0 to 1, not 1000"),
        ({"name": "a", "rate": 0}, "rate must be a number above 0, not 0"),
        ({"name": "a", "text": ""}, "text must be text of 1 to 8 characters, not ''"),
        ({"name": "a", "switch": 1}, "switch must be true or false, not 1"),
        ({"name": "a", "kind": "uct"}, 'kind must be one of "tree", "graph", not \'uct\''),
        ({"name": "a", "rules": ["lose"]}, 'rules[1] must be one of "win", "block", not \'lose\''),
        ({"name": "a", "rules": 3}, 'rules must be a list of "win", "block", not 3'),
        ({"name": "a", "numbers": [1, "2"]}, "numbers[2] must be a whole number, not '2'"),
        ({"name": "a", "numbers": "1"}, "numbers must be a list of at least 1 item, each item a whole number, not '1'"),
        ({"name": "a", "numbers": []}, "numbers must be a list of at least 1 item, each item a whole number, not []"),
        ({"name": "a", "names": ["a", 1]}, "names[2] must be text, not 1"),
        ({"name": "a", "names": 1}, "names must be a list, each item text, not 1"),
        ({"name": "a", "file": ""}, "file must be the name of a file, not ''"),
        ({"name": "a", "part": 1}, "part must be a table, written [part], not 1"),
        ({"name": "a", "part": {"size": 13}}, "part.size must be a whole number from 1 to 12, not 13"),
        ({"name": "a", "part": {"sise": 1}}, "unknown key part.sise; similar: size; allowed: size, label"),
        ({"name": "a", "part": {"label": 1}}, "part.label must be text, not 1"),
        ({"name": "a", "parts": {}}, "parts must be tables, each written [[parts]], not {}"),
        ({"name": "a", "parts": [{}, {"size": 0}]}, "parts[2].size must be a whole number from 1 to 12, not 0"),
        ({"name": "a", "parts": [1]}, "parts[1] must be a table, written [[parts]], not 1"),
        ({"name": "a", "point": [1]}, "point[2] is missing"),
        ({"name": "a", "point": 1}, "point must be a list of 2 values, each a number, not 1"),
        ({"name": "a", "bounds": [1]}, "bounds must be two numbers, not [1]"),
        ({"name": "a", "bounds": [1, True]}, "bounds must be two numbers, not [1, True]"),
        ({"name": "a", "number_or_text": []}, "number_or_text must be a whole number or text, not []"),
        ({"name": "forbidden"}, "the name is forbidden"),
        (3, "the input must be a table, not 3"),
    ],
)
def test_mistake_is_described_in_one_line(values: object, message: str) -> None:
    """The message names the source, the key path, what is allowed and what was found, in one line."""
    with pytest.raises(InputError) as caught:
        validate(Whole, values, "file.toml")
    assert str(caught.value).startswith(f"file.toml: {message}")
    assert "\n" not in str(caught.value)


def test_a_single_text_is_a_list_of_one() -> None:
    """OneOrMore accepts a text and a list of texts."""
    for given in ("a", ["a"]):
        assert validate(Whole, {"name": "a", "names": given}, "file.toml").names == ("a",)


def test_long_values_are_shortened() -> None:
    """A value of the input takes at most 60 characters of the message."""
    with pytest.raises(InputError, match=r"not \[1, 1, 1.*\.\.\.$") as caught:
        validate(Whole, {"name": [1] * 1000}, "file.toml")
    assert len(str(caught.value)) < 120


def test_json_messages_name_objects_instead_of_tables() -> None:
    """Messages about JSON speak of objects, not of tables."""
    for values, words in [({"part": 1}, "an object"), ({"parts": 1}, "a list of objects"), (1, "an object")]:
        with pytest.raises(InputError, match=f"must be {words}, not 1"):
            validate(Whole, values if values == 1 else {"name": "a", **values}, "", "json")  # type: ignore[dict-item]


@dataclass(frozen=True)
class Record:
    """A dataclass that pydantic validates."""

    number: Annotated[int, Field(ge=0)]
    colour: Colour

    __pydantic_config__ = STRICT


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON: EOF while parsing an object at line 1 column 1"),
        ("[]", "the input must be an object, not []"),
        ('{"number": 1}', "colour is missing"),
        ('{"number": -1, "colour": "red"}', "number must be a whole number at least 0, not -1"),
        ('{"number": 1, "colour": "green"}', 'colour must be one of "red", "blue", not \'green\''),
        ('{"number": 1, "colour": "red", "numbre": 1}', "unknown key numbre; similar: number; allowed: number, colour"),
    ],
)
def test_dataclass_from_json(text: str, message: str) -> None:
    """A dataclass is described like a model."""
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(Record).validate_json(text)
    assert describe_validation_error(caught.value, "games:1", Record, "json") == f"games:1: {message}"


class Start(StrictModel):
    """A message of a union."""

    type: Literal["start"]
    seed: Annotated[int, Field(ge=0, le=9)] = 0


class Stop(StrictModel):
    """Another message of the union."""

    type: Literal["stop"]
    reason: str = ""


Message = Annotated[Start | Stop, Field(discriminator="type")]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"type": "start", "seed": 10}, "seed must be a whole number from 0 to 9, not 10"),
        ({"type": "stop", "reson": ""}, "unknown key reson; similar: reason; allowed: type, reason"),
        ({"type": "go"}, 'type must be one of "start", "stop", not \'go\''),
        ({}, "type is missing"),
    ],
)
def test_discriminated_union(values: object, message: str) -> None:
    """The tag of a message is not part of the key path."""
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(Message).validate_python(values)
    line = describe_validation_error(caught.value, "", Message, "json")
    assert message in line
    assert "\n" not in line


@pytest.mark.parametrize("syntax", ["toml", "json"])
def test_message_without_a_model_has_path_and_reason(syntax: Syntax) -> None:
    """Without the model the path and pydantic's reason remain."""
    with pytest.raises(ValidationError) as caught:
        Whole.model_validate({"name": "a", "part": {"size": 0}})
    assert describe_validation_error(caught.value, "", None, syntax) == (
        "part.size must be greater than or equal to 1, not 0"
    )


def test_read_toml(tmp_path: Path) -> None:
    """A file is read; a missing, binary or malformed file is an InputError that names it."""
    path = tmp_path / "a.toml"
    path.write_text("a = 1\n")
    assert read_toml(path) == {"a": 1}
    path.write_text("a = \n")
    with pytest.raises(InputError, match=r"a\.toml: .*line 1"):
        read_toml(path)
    path.write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"a\.toml': not a text file"):
        read_toml(path)
    with pytest.raises(InputError, match=r"missing\.toml: No such file"):
        read_toml(tmp_path / "missing.toml")
    with pytest.raises(InputError, match="nested too deeply"):
        parse_toml("a = " + "[" * 10_000, "deep")
