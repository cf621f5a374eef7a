"""Hints for a puzzle in steps: what to look for, where, and the column."""

from fourfall._core import Board
from fourfall.coach.explanation import explain
from fourfall.coach.facts import FactKind
from fourfall.coach.puzzles.puzzle import Puzzle
from fourfall.coach.puzzles.themes import describe_theme
from fourfall.coach.sentences import Language
from fourfall.render import COLUMN_NAMES

SEARCH_HINTS: dict[FactKind, tuple[str, str]] = {
    FactKind.WINS: ("One stone completes four.", "有一步可以直接连成四子。"),
    FactKind.BLOCKS: ("The opponent threatens to complete four.", "对手威胁要连成四子。"),
    FactKind.DOUBLE_THREAT: ("Make two threats with one stone.", "用一枚棋子做出两个威胁。"),
    FactKind.STACKED_THREAT: (
        "Make two winning cells in one column, so that the block of one opens the other.",
        "在同一列做出一上一下两个制胜点：对手挡住下面的，就打开了上面的。",
    ),
    FactKind.NO_SAFE_REPLY: (
        "Find a move after which every reply lets you complete four.",
        "找一步棋，让对手无论怎样应对你都能连成四子。",
    ),
    FactKind.FORCED_SEQUENCE: (
        "Force each reply of the opponent until you have two threats.",
        "步步紧逼，直到做出两个威胁。",
    ),
    FactKind.NO_DEFENCE: (
        "Find a move after which you win by force against every reply.",
        "找一步棋，让对手怎么应都守不住。",
    ),
    FactKind.FEW_REPLIES: (
        "Find a move after which almost every reply loses by force.",
        "找一步棋，让对手几乎怎么应都必败。",
    ),
    FactKind.ONLY_MOVE: (
        "Look at what the opponent threatens after each other move.",
        "看看走别的列之后对手有什么威胁。",
    ),
    FactKind.PARITY: (
        "Count the free cells: who must play below the winning cell?",
        "数一数空格：谁会被迫在制胜点下面落子？",
    ),
    FactKind.HOLE_PARITY: (
        "The blocked cell changes who must play below the winning cell.",
        "禁点会改变谁被迫在制胜点下面落子。",
    ),
    FactKind.PREVENTS_DOUBLE_THREAT: ("The opponent is about to make two threats.", "对手正要做出两个威胁。"),
    FactKind.THREAT: ("Make a threat that must be answered.", "做出一个对手必须应对的威胁。"),
    FactKind.WINNING_CELL: (
        "Make a cell that completes four when you reach it later.",
        "做出一个以后能连成四子的制胜点。",
    ),
    FactKind.TAKES_CELL: (
        "Take a cell that would help the opponent complete four.",
        "抢占对手连成四子所需要的一格。",
    ),
}
"""The first hint of each theme in English and in Chinese; other themes have the hint to calculate."""


def list_hints(puzzle: Puzzle, language: Language = "en", *, text_board: bool = False) -> list[str]:
    """Return three hints: the theme, a few columns of which one is right, and the column with the coach's reasons.

    >>> for hint in list_hints(Puzzle.parse("6x7:4455 326 win 3 level-20 700 double_threat")):
    ...     print(hint)
    Double threat: Make two threats with one stone.
    The move is in column 2, 3 or 4.
    The move is column 3. Blue now threatens four in columns 2 and 6; Orange can block only one.
    """
    board = puzzle.board
    names = [COLUMN_NAMES[column] for column in _choose_columns(board, puzzle)]
    reasons = explain(board, puzzle.move).write(language, text_board=text_board)
    theme = puzzle.themes[0]
    english, chinese = SEARCH_HINTS.get(theme, ("", ""))
    move = COLUMN_NAMES[puzzle.move]
    if language == "zh":
        return [
            f"{describe_theme(theme, 'zh')}：{chinese or '仔细计算每一步之后的变化。'}",
            f"正确的一步在第 {'、'.join(names[:-1])} 或 {names[-1]} 列。",
            f"正确的一步是第 {move} 列。" + "".join(reasons),
        ]
    return [
        f"{describe_theme(theme).capitalize()}: {english or 'Calculate what follows each move.'}",
        f"The move is in column {', '.join(names[:-1])} or {names[-1]}.",
        " ".join([f"The move is column {move}.", *reasons]),
    ]


def _choose_columns(board: Board, puzzle: Puzzle) -> list[int]:
    """Return the solution and two other columns, safe ones if there are any; the choice depends on the puzzle alone."""
    others = [column for column in board.legal_moves if column != puzzle.move]
    safe = [column for column in others if column in board.safe_moves]
    start = int(puzzle.id, 16)
    ranked = [*_rotate(safe, start), *_rotate([column for column in others if column not in safe], start)]
    return sorted([puzzle.move, *ranked[:2]])


def _rotate(columns: list[int], start: int) -> list[int]:
    middle = start % len(columns) if columns else 0
    return columns[middle:] + columns[:middle]
