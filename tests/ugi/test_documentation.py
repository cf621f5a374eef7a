"""Tests the session and the tables of docs/ugi.md."""

import re
from pathlib import Path

from fourfall.ugi import Options
from fourfall.ugi.options import list_options
from tests.ugi.recorded_session import RecordedSession

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "ugi.md").read_text()


def mask_speed(line: str) -> str:
    """Replace what depends on the machine."""
    return re.sub(r"\b(nps|time|Fourfall) [\d.]+", r"\1 N", line)


def test_session() -> None:
    """Every command of the session gets the documented replies; `...` stands for the rest of a long line."""
    (session_text,) = re.findall(r"```ugi\n(.*?)```", PAGE, re.DOTALL)
    blocks = re.findall(r"^> (.*)\n((?:(?!> ).*\n)*)", session_text, re.MULTILINE)
    assert len(blocks) > 15
    session = RecordedSession(Options())
    for command, text in blocks:
        if command == "quit":
            break
        expected = [mask_speed(line) for line in text.splitlines()]
        answer = session.search if "bestmove" in text else session.send
        found = [mask_speed(line) for line in answer(command)]
        assert len(found) == len(expected), command
        for line, documented in zip(found, expected, strict=True):
            beginning = documented.removesuffix(" ...")
            assert line.startswith(beginning) if beginning != documented else line == documented


def test_options_table() -> None:
    """The table has the names, ranges and defaults that the engine declares."""
    rows = dict(re.findall(r"^\| `([A-Z][\w ]+)` \| (\w+[^|]*\| `?\w+`?) \|", PAGE, re.MULTILINE))
    declared = {}
    for line in list_options(Options()):
        name, _, rest = line.removeprefix("option name ").partition(" type ")
        kind, _, default, *ranges = rest.split()
        if kind == "spin":
            low, high = int(ranges[1]), int(ranges[3])
            upper = f"{high:,}" if high >= 10_000 else str(high)
            declared[name] = f"spin, {low} to {upper} | {default}"
        else:
            declared[name] = f"{kind} | `{default}`"
    assert rows == declared
