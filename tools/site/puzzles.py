"""Writes the puzzles of the page without a server: all shipped puzzles with their hints and reasons, as JSON."""

import json
from itertools import islice
from pathlib import Path
from typing import Any

from fourfall.coach.puzzles.hints import SEARCH_HINTS
from fourfall.coach.puzzles.themes import THEMES
from fourfall.web.puzzles import describe_shipped_puzzle, list_shipped_puzzles


def create_puzzle_file(limit: int | None = None) -> dict[str, Any]:
    """Return what the worker of the page needs to serve puzzles (`PuzzleFile` in static/local/types.d.ts).

    `theme_texts` has the names of all themes and their first hints, for puzzles that the page finds itself; `limit`
    restricts the number of puzzles.
    """
    found = list_shipped_puzzles()
    return {
        "puzzles": [
            describe_shipped_puzzle(puzzle.id).model_dump(mode="json") for puzzle in islice(found.puzzles, limit)
        ],
        "themes": [theme.model_dump(mode="json") for theme in found.themes],
        "theme_texts": {
            kind.value: {"name": _make_texts(*names), "hint": _make_texts(*SEARCH_HINTS.get(kind, ("", "")))}
            for kind, names in THEMES.items()
        },
    }


def write_puzzle_file(path: Path) -> None:
    """Write `puzzles.json`; takes some seconds, because the coach explains every solution."""
    text = json.dumps(create_puzzle_file(), ensure_ascii=False, separators=(",", ":"))
    path.write_text(text, encoding="utf-8")


def _make_texts(english: str, chinese: str) -> dict[str, str]:
    return {"en": english, "zh": chinese}
