"""Themes of puzzles: the kinds of facts that the coach states about the solution, with names in both languages."""

from collections.abc import Iterator

from fourfall._core import Board
from fourfall.coach.explanation import Explanation, explain
from fourfall.coach.facts import FactKind
from fourfall.coach.puzzles.puzzle import MAX_THEMES
from fourfall.coach.sentences import Language

THEMES: dict[FactKind, tuple[str, str]] = {
    FactKind.WINS: ("win at once", "一步取胜"),
    FactKind.BLOCKS: ("block", "堵截"),
    FactKind.DOUBLE_THREAT: ("double threat", "双重威胁"),
    FactKind.STACKED_THREAT: ("stacked threat", "叠层威胁"),
    FactKind.NO_SAFE_REPLY: ("no safe reply", "对手无安全着法"),
    FactKind.FORCED_SEQUENCE: ("forced sequence", "连续逼着"),
    FactKind.NO_DEFENCE: ("no defence", "无法防守"),
    FactKind.ONLY_MOVE: ("only move", "唯一着法"),
    FactKind.PARITY: ("parity", "奇偶"),
    FactKind.HOLE_PARITY: ("blocked cell and parity", "禁点与奇偶"),
    FactKind.PREVENTS_DOUBLE_THREAT: ("prevents a double threat", "阻止双重威胁"),
    FactKind.FEW_REPLIES: ("few replies", "应手很少"),
    FactKind.THREAT: ("threat", "威胁"),
    FactKind.WINNING_CELL: ("winning cell", "制胜点"),
    FactKind.TAKES_CELL: ("takes a winning cell", "抢占制胜点"),
    FactKind.RESULT: ("calculation", "计算"),
}
"""Names of the themes in English and in Chinese. Kinds of facts that are not here are not themes."""


def list_themes(board: Board, move: int) -> tuple[FactKind, ...]:
    """Return the themes of a puzzle, the most important first: one to three.

    >>> [theme.value for theme in list_themes(Board.parse("6x7:4455"), 2)]
    ['double_threat']
    """
    kinds = list(dict.fromkeys(_collect_kinds(explain(board, move))))
    if len(kinds) > 1 and FactKind.RESULT in kinds:
        kinds.remove(FactKind.RESULT)
    return tuple(kinds[:MAX_THEMES]) or (FactKind.RESULT,)


def _collect_kinds(explanation: Explanation) -> Iterator[FactKind]:
    for fact in explanation.facts:
        if fact.kind in THEMES:
            yield fact.kind
        if fact.kind == FactKind.FORCED_SEQUENCE and fact.ending is not None and fact.ending in THEMES:
            yield fact.ending


def describe_theme(kind: FactKind, language: Language = "en") -> str:
    """Return the name of a theme.

    >>> describe_theme(FactKind.DOUBLE_THREAT), describe_theme(FactKind.DOUBLE_THREAT, "zh")
    ('double threat', '双重威胁')
    """
    return THEMES[kind][language == "zh"]
