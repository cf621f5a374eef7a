// Owns the docstrings of the native names; the examples in them run as tests.
#pragma once

namespace fourfall::docs {

inline constexpr const char* kInvalidBoard =
    "Rows, columns or a hole that make no board, or stones to which no legal game leads.";
inline constexpr const char* kIllegalMove = "A move off the board, into a full column, or after the end of the game.";
inline constexpr const char* kNotationError = "Text that is not a position; the message names the character or ply.";

inline constexpr const char* kBoard = R"(A game in progress: the board, its moves so far, and how it ended.

Columns count from 0 in Python and from 1 in text; cells are ``(row, col)`` from the top-left. The hole is a cell
that nobody may occupy: stones pass it and no line runs through it. Boards compare and hash by position, whatever
the order of the moves; they are mutable, so put a ``copy()`` into a set, not a board you go on playing.

>>> board = Board(6, 7)
>>> board.push(3)
>>> board.push(3)
>>> print(board)
    1 2 3 4 5 6 7
 0  . . . . . . .
 1  . . . . . . .
 2  . . . . . . .
 3  . . . . . . .
 4  . . .>O . . .
 5  . . . X . . .
>>> board
Board.parse('6x7:44')
)";
inline constexpr const char* kRandom =
    R"(An empty board of the official distribution: 9 to 12 rows and columns and a hole, each uniform.

>>> Board.random(seed=7)
Board.parse('10x9@9,0')
)";
inline constexpr const char* kParse = R"(The board that a position in text names, ``ROWSxCOLS[@row,col][:moves]``.

Raises NotationError, a ValueError that names the offending character or ply.

>>> Board.parse('10x11@4,7:6655').moves
[5, 5, 4, 4]
>>> Board.parse('6x7:4x')
Traceback (most recent call last):
fourfall._core.NotationError: character 6 'x': not a column; this board has 1..7
)";
inline constexpr const char* kFromGeometry = R"(Return an empty board of this geometry.

>>> Board.from_geometry(Geometry(9, 10, hole=(4, 7)))
Board.parse('9x10@4,7')
)";
inline constexpr const char* kFromStones = R"(Return a board with the given stones, reconstructing an order of moves.

``first`` and ``second`` are the cells ``(row, col)`` of the first and the second player; ``last`` is the cell of the
last stone if it is known. If several orders of moves are possible, which one the board has is not specified. The last
stone may end the game.

Raises InvalidBoard, which says what is wrong, if no legal game leads to these stones. The search for an order is
bounded; InvalidBoard then says that no order was found.

>>> Board.from_stones(Geometry(6, 7), first=[(5, 3), (5, 2)], second=[(4, 3)], last=(5, 2))
Board.parse('6x7:443')
>>> Board.from_stones(Geometry(6, 7), first=[(4, 3)], second=[])
Traceback (most recent call last):
fourfall._core.InvalidBoard: stone (4, 3) is above a free cell
)";
inline constexpr const char* kPush = R"(Drops a stone of the side to move into a column.

Raises IllegalMove, a ValueError, and leaves the board as it was if the column is full or off the board or the game
is over.

>>> board = Board(6, 7)
>>> board.push(7)
Traceback (most recent call last):
fourfall._core.IllegalMove: column 7 is off the board: columns count 0..6
)";
inline constexpr const char* kPop = R"(Takes the last move back and returns its column; IndexError if there is none.

>>> board = Board.parse('6x7:45')
>>> board.pop(), board
(4, Board.parse('6x7:4'))
)";
inline constexpr const char* kPeek = R"(The column of the last move; IndexError if there is none.

>>> Board.parse('6x7:45').peek()
4
)";
inline constexpr const char* kIsLegal = R"(Whether a stone may be dropped into this column now.

>>> Board.parse('6x7:444444').is_legal(3)
False
)";
inline constexpr const char* kLandingRow =
    R"(Return the row, counted from the top, on which the next stone in this column lands; None if the column is full.

The end of the game makes no difference. Raises IndexError if the column is off the board.

>>> board = Board.parse('6x7@4,3:4')
>>> board.landing_row(3), board.landing_row(0)
(3, 5)
)";
inline constexpr const char* kOutcome = R"(How the game ended, or None while it goes on.

>>> Board.parse('6x7:1212121').outcome()
<Outcome: the first player won>
>>> Board(6, 7).outcome() is None
True
)";
inline constexpr const char* kCopy = R"(An independent board with the same history.

>>> board = Board(6, 7)
>>> other = board.copy()
>>> other.push(0)
>>> board.ply, other.ply
(0, 1)
)";
inline constexpr const char* kMirror = R"(The same game reflected left and right, hole included.

Only where ``geometry.is_symmetric`` is the reflection a game on the same board.

>>> Board.parse('9x9@2,0:12').mirror()
Board.parse('9x9@2,8:98')
)";
inline constexpr const char* kThreats =
    R"(The free cells that would complete four for a player (default: the side to move).

They count whether or not a stone can land there yet.

>>> Board.parse('6x7:112233').threats(0)
[(5, 3)]
)";
inline constexpr const char* kStoneAt = R"(The player whose stone lies on a cell; None on a free cell and on the hole.

>>> Board.parse('6x7:4').stone_at(5, 3)
0
)";
inline constexpr const char* kPlanes =
    R"(A new float32 array of shape (4, rows, cols), row 0 on top, ones where the plane's answer is yes.

Plane 0: stones of the side to move. 1: stones of the opponent. 2: cells on which a stone can land. 3: the hole.

>>> Board.parse('6x7:44').planes()[0, 5, 3]
np.float32(1.0)
)";
inline constexpr const char* kBoardGeometry = R"(The shape of the board.

>>> Board(9, 10, hole=(0, 4)).geometry
Geometry(9, 10, hole=(0, 4))
)";
inline constexpr const char* kRows = "Number of rows, 4 to 12.";
inline constexpr const char* kCols = "Number of columns, 4 to 12.";
inline constexpr const char* kHole = "The hole as (row, col) from the top-left, or None.";
inline constexpr const char* kTurn = "The player to move: 0 or 1.";
inline constexpr const char* kPly = "Number of stones on the board.";
inline constexpr const char* kMoves = "The columns played so far, a new list.";
inline constexpr const char* kIsOver = "Whether somebody has won or the board is full.";
inline constexpr const char* kLegalMoves =
    R"(The columns that take a stone now, left to right; empty once the game is over.

>>> Board.parse('4x4:1111').legal_moves
[1, 2, 3]
)";
inline constexpr const char* kWinningMoves = R"(The columns that win at once.

>>> Board.parse('6x7:112233').winning_moves
[3]
)";
inline constexpr const char* kSafeMoves = R"(The columns after which the opponent cannot win at once.

They block a threat and do not open one. A move that wins counts only if it would be safe without winning: ask
``winning_moves`` first.

>>> Board.parse('6x7:11223').safe_moves
[3]
)";
inline constexpr const char* kLastCell = R"(Where the last stone landed, as (row, col), or None.

>>> Board.parse('6x7:44').last_cell
(4, 3)
)";
inline constexpr const char* kNotation = R"(The position in text; ``Board.parse`` reads it back.

>>> Board(9, 12, hole=(8, 11)).notation
'9x12@8,11'
)";
inline constexpr const char* kKey = "A 64-bit hash of the stones and the side to move, the same in every process.";

inline constexpr const char* kGeometry = R"(The immutable shape of a board: rows, columns, hole.

>>> Geometry(10, 11, hole=(4, 7)).cells
109
)";
inline constexpr const char* kCells = "How many stones the board holds.";
inline constexpr const char* kIsSymmetric = R"(Whether reflecting left and right gives the same board.

>>> Geometry(9, 9, hole=(0, 4)).is_symmetric, Geometry(9, 9, hole=(0, 0)).is_symmetric
(True, False)
)";
inline constexpr const char* kGeometryMirror = R"(The board reflected left and right.

>>> Geometry(9, 9, hole=(2, 0)).mirror()
Geometry(9, 9, hole=(2, 8))
)";

inline constexpr const char* kOutcomeClass = R"(How a game ended.

>>> outcome = Board.parse('6x7:1212121').outcome()
>>> outcome.winner, outcome.cells
(0, [(2, 0), (3, 0), (4, 0), (5, 0)])
)";
inline constexpr const char* kWinner = "0 or 1, or None after a draw.";
inline constexpr const char* kWinningCells =
    "Every cell of every winning line, longer ones included; empty after a draw.";
inline constexpr const char* kIsDraw = "Whether the board filled up without a winner.";

inline constexpr const char* kRolloutCounts = "What came of a number of random games.";
inline constexpr const char* kRollouts = R"(Plays n random games from the board to their end and counts the results.

Every legal column is equally likely. The same seed gives the same games. Runs without the interpreter's lock and
can be interrupted.

>>> counts = rollouts(Board(6, 7), 10_000, seed=1)
>>> counts.first + counts.draws + counts.second
10000
>>> counts.first > counts.second
True
)";
inline constexpr const char* kPerft = R"(Counts the sequences of exactly ``depth`` legal moves from the board.

A game that ends earlier counts for nothing. Runs without the interpreter's lock and can be interrupted.

>>> [perft(Board(6, 7), depth) for depth in range(5)]
[1, 7, 49, 343, 2401]
)";

}  // namespace fourfall::docs
