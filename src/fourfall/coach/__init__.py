"""Explains moves with checked facts: forced wins, threats, parity, and what the opponent gets.

`web/static/local/coach/` has modules of the same names in JavaScript, for the page without a server. They give the same
facts and sentences (`tests/site/test_coach.py`): change both together.
"""

from fourfall.coach.evaluation import ColumnScore
from fourfall.coach.explanation import Budget, Explanation, explain
from fourfall.coach.facts import Cell, Fact, FactKind, Line, Stone
from fourfall.coach.sentences import LANGUAGES, Language

__all__ = [
    "LANGUAGES",
    "Budget",
    "Cell",
    "ColumnScore",
    "Explanation",
    "Fact",
    "FactKind",
    "Language",
    "Line",
    "Stone",
    "explain",
]
