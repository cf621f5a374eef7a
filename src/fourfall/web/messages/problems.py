"""Names the field and the problem of a message or HTTP request that pydantic rejects."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Problem(NamedTuple):
    """The first thing that is wrong with a message."""

    field: str
    text: str


def describe_problem(error: Mapping[str, Any]) -> Problem:
    """Describe an entry of `ValidationError.errors()`.

    The first part of its location is not a field: it is the type of the message, or the part of the HTTP request.

    >>> describe_problem({"type": "missing", "loc": ("move", "column"), "msg": "Field required"})
    Problem(field='column', text='Field required')
    >>> describe_problem({"type": "union_tag_not_found", "loc": (), "msg": ""})
    Problem(field='type', text='Field required')
    """
    location, text = error["loc"], error["msg"].removeprefix("Value error, ")
    match error["type"]:
        case "union_tag_not_found":
            return Problem("type", "Field required")
        case "union_tag_invalid":
            context = error.get("ctx", {})
            return Problem("type", f"unknown type {context.get('tag')!r}; known types: {context.get('expected_tags')}")
    if not location:
        return Problem("message", text)
    return Problem(".".join(str(part) for part in location[1:]) or str(location[0]), text)
