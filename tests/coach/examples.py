"""One example of every kind of fact, with what the coach says about it."""

from typing import NamedTuple

from fourfall import Board, Score
from fourfall.coach import ColumnScore, Explanation, FactKind, explain


class Example(NamedTuple):
    """A position, the name of a column, scores of columns if the kind needs them, and words of its sentence."""

    kind: FactKind
    position: str
    column: str
    words: str
    scores: tuple[ColumnScore, ...] = ()

    def explain(self) -> Explanation:
        """Return the explanation of the move."""
        return explain(Board.parse(self.position), int(self.column) - 1, analysis=self.scores)


def _compare(column: int, better: int, reply: int) -> tuple[ColumnScore, ...]:
    """Return scores that call one column better than another, with the expected reply to the other; all from 1."""
    return (
        ColumnScore(column - 1, Score.estimate(-0.6), [column - 1, reply - 1]),
        ColumnScore(better - 1, Score.estimate(0.2), [better - 1]),
    )


K = FactKind
EXAMPLES = [
    Example(K.WINS, "6x7:445731", "6", "Blue wins at once"),
    Example(K.MISSES_WIN, "6x7:7332643", "7", "Orange could win at once in columns 1 or 5"),
    Example(K.BLOCKS, "6x7:74757", "7", "Orange must play here"),
    Example(K.CANNOT_BLOCK, "6x7:47375", "3", "Blue can complete four in columns 2 and 6"),
    Example(K.MISSES_BLOCK, "6x7:22113", "1", "Blue now completes four in column 4"),
    Example(K.OPENS_WIN, "6x7:6313166535", "4", "The stone opens the cell above it"),
    Example(K.DOUBLE_THREAT, "6x7:3646", "2", "Blue now threatens four in columns 1 and 5"),
    Example(K.STACKED_THREAT, "6x7:1275661775116", "3", "if Blue blocks column 4 in row 1"),
    Example(K.NO_SAFE_REPLY, "5x6@3,2:5326662466552233311551214", "1", "Whatever Blue plays"),
    Example(K.FORCED_SEQUENCE, "6x7:7653424353331367", "5", "Blue wins by force in 4 moves: 5-5-4-4-6-7-7"),
    Example(K.ALLOWS_SEQUENCE, "6x7:335", "5", "Blue answers in column 4 and wins with the stone after that"),
    Example(K.MISSES_SEQUENCE, "6x7:4426", "5", "Blue could win by force in 2 moves with column 3"),
    Example(K.NO_DEFENCE, "6x7@4,1:252215243", "4", "Every reply of Blue loses"),
    Example(K.ALLOWS_ATTACK, "6x7:41374", "6", "Blue answers in column 3, and every move of Orange then loses"),
    Example(K.MISSES_ATTACK, "6x7:1467155325", "4", "After column 3, every reply of Orange would lose"),
    Example(K.ONLY_MOVE, "5x6@3,3:64513515335", "4", "Every other column loses"),
    Example(K.FEW_REPLIES, "6x6@4,1:55", "3", "Orange must answer in columns 2, 4 or 6"),
    Example(K.ALLOWS_FEW_REPLIES, "6x7:2", "6", "every move of Orange except columns 1, 3 and 5", _compare(6, 3, 4)),
    Example(K.GIVES_UP_CELL, "6x6@1,0:431326543122", "4", "below Blue's own winning cell in column 4, row 4"),
    Example(K.PARITY, "6x6@4,1:25241462622", "1", "Blue must play below Orange's winning cell (column 3, row 3)"),
    Example(K.ALLOWS_PARITY, "6x7:543445", "5", "Orange answers in column 3; when the other cells are full, Blue"),
    Example(K.MISSES_PARITY, "6x6@0,3:454224", "4", "After column 5, Orange would have to play below Blue's"),
    Example(K.HOLE_PARITY, "6x6@0,1:2564461245442552", "2", "The blocked cell decides it"),
    Example(K.HOLE_LINE, "6x6@4,4:46456423", "3", "The blocked cell breaks the line of Blue's three stones"),
    Example(K.THREAT, "6x6@3,1:3544", "1", "Blue threatens four in column 2"),
    Example(K.WINNING_CELL, "6x6@1,5:1134631", "1", "Orange gets a winning cell in column 2, row 3"),
    Example(K.PREVENTS_DOUBLE_THREAT, "6x7:516", "4", "A stone of Blue here would threaten four in columns 3 and 7"),
    Example(K.TAKES_CELL, "6x7:364", "1", "A stone of Blue here would make a winning cell in column 2, row 1"),
    Example(K.ALLOWS_CELL, "6x7:364", "1", "get a winning cell in column 5, row 1; after column 2", _compare(1, 2, 2)),
    Example(K.MISSES_CELL, "6x7:5451", "2", "Column 5 would make a winning cell in column 5, row 4", _compare(2, 5, 1)),
    Example(
        K.EXPECTED_CELL,
        "7x8:647",
        "2",
        "The engine expects 2-5, after which Blue has a winning cell in column 8, row 1",
        (ColumnScore(1, Score.estimate(-0.2), [1, 4, 7]), ColumnScore(3, Score.estimate(0.3), [3, 3])),
    ),
    Example(
        K.MISSES_EXPECTED_CELL,
        "6x7:2331",
        "2",
        "With column 3 the engine expects 3-6-3, after which Blue has a winning cell in column 3, row 5",
        (ColumnScore(1, Score.estimate(0.4), [1, 2]), ColumnScore(2, Score.estimate(0.9), [2, 5, 2])),
    ),
    Example(K.LEAVES_CELL, "5x6@4,5:5", "5", "Blue can now take the cell in column 2", _compare(5, 2, 2)),
    Example(
        K.FEWER_LINES, "6x7:2", "1", "through the cell in column 3, but only 2 through this one", _compare(1, 3, 1)
    ),
    Example(K.OPEN_LINES, "6x7:3", "3", "7 possible fours of Orange go through this cell"),
    Example(K.RESULT, "6x7:7174557756353347243553124666421", "6", "the game is a draw with best play (proven)"),
    Example(K.COMPARISON, "6x7:4", "7", "The engine prefers column 6", _compare(7, 6, 1)),
]
