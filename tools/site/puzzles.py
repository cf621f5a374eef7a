"""The puzzles of the page without a server: all shipped puzzles with their hints and reasons."""

from typing import Any

from fourfall.coach.puzzles import load_puzzles
from fourfall.coach.puzzles.hints import SEARCH_HINTS
from fourfall.coach.puzzles.themes import THEMES
from fourfall.web.puzzles import describe_puzzle, list_themes_of


def create_puzzle_file(limit: int | None = None) -> dict[str, Any]:
    """Return what the worker of the page needs to serve puzzles (`PuzzleFile` in static/local/types.d.ts).

    `theme_texts` has the names of all themes and their first hints, for puzzles that the page finds itself; `limit`
    restricts the number of puzzles. All take some seconds, because the coach explains every solution.
    """
    puzzles = load_puzzles()
    return {
        "puzzles": [describe_puzzle(puzzle).model_dump(mode="json") for puzzle in puzzles[:limit]],
        "themes": [theme.model_dump(mode="json") for theme in list_themes_of(puzzles)],
        "theme_texts": {
            kind.value: {"name": _make_texts(*names), "hint": _make_texts(*SEARCH_HINTS.get(kind, ("", "")))}
            for kind, names in THEMES.items()
        },
    }


def _make_texts(english: str, chinese: str) -> dict[str, str]:
    return {"en": english, "zh": chinese}
