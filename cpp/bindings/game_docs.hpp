// Docstrings of the classes and functions of cpp/game; their examples run as tests.
#pragma once

namespace fourfall::docs {

inline constexpr const char* kInvalidBoard =
    "Rows, columns or a hole that make no board, or stones to which no legal game leads.";
inline constexpr const char* kIllegalMove = "A move off the board, into a full column, or after the end of the game.";
inline constexpr const char* kNotationError =
    "Text that does not follow the position notation; the message names the character or ply.";

inline constexpr const char* kBoard = R"(A game: the board, its moves and its outcome.

Columns are numbered from 0 in Python and from 1 in text; cells are ``(row, col)`` from the top-left. The hole is a
blocked cell: stones fall past it and no line of four contains it. Boards are compared and hashed by position; the order
of the moves is ignored. Boards are mutable: put a ``copy()`` into a set or a dictionary.

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
    R"(Return an empty board of the official distribution: 9 to 12 rows and columns and a hole, all uniform.

>>> Board.random(seed=7)
Board.parse('10x9@9,0')
)";
inline constexpr const char* kParse = R"(Return the board of a position in text, ``ROWSxCOLS[@row,col][:moves]``.

Raises NotationError, a ValueError that names the wrong character or ply.

>>> Board.parse('10x11@4,7:6655').moves
[5, 5, 4, 4]
>>> Board.parse('6x7:4x')
Traceback (most recent call last):
fourfall._core.NotationError: character 6 'x': not a column; the columns are 1..7
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
inline constexpr const char* kPush = R"(Drop a stone of the side to move into a column.

Raises IllegalMove, a ValueError, if the column is full or off the board or the game is over; the board is then
unchanged.

>>> board = Board(6, 7)
>>> board.push(7)
Traceback (most recent call last):
fourfall._core.IllegalMove: column 7 is off the board: columns are 0..6
)";
inline constexpr const char* kPop =
    R"(Take back the last move and return its column. Raises IndexError if there is none.

>>> board = Board.parse('6x7:45')
>>> board.pop(), board
(4, Board.parse('6x7:4'))
)";
inline constexpr const char* kPeek = R"(Return the column of the last move. Raises IndexError if there is none.

>>> Board.parse('6x7:45').peek()
4
)";
inline constexpr const char* kIsLegal = R"(Return whether a stone can be dropped into this column now.

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
inline constexpr const char* kOutcome = R"(Return the outcome of the game, or None if the game is not over.

>>> Board.parse('6x7:1212121').outcome()
<Outcome: the first player won>
>>> Board(6, 7).outcome() is None
True
)";
inline constexpr const char* kCopy = R"(Return an independent board with the same moves.

>>> board = Board(6, 7)
>>> other = board.copy()
>>> other.push(0)
>>> board.ply, other.ply
(0, 1)
)";
inline constexpr const char* kMirror = R"(Return the game reflected left to right, including the hole.

If ``geometry.is_symmetric``, the reflected game is on the same board.

>>> Board.parse('9x9@2,0:12').mirror()
Board.parse('9x9@2,8:98')
)";
inline constexpr const char* kThreats =
    R"(Return the free cells that would complete four for a player (default: the side to move).

Cells on which no stone can land yet are included.

>>> Board.parse('6x7:112233').threats(0)
[(5, 3)]
)";
inline constexpr const char* kStoneAt =
    R"(Return the player whose stone is on a cell; None for a free cell and for the hole.

>>> Board.parse('6x7:4').stone_at(5, 3)
0
)";
inline constexpr const char* kPlanes =
    R"(Return a new float32 array of shape (4, rows, cols) with zeros and ones; row 0 is the top row.

Plane 0: stones of the side to move. 1: stones of the opponent. 2: cells on which the next stone can land. 3: the hole.

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
inline constexpr const char* kMoves = "Columns of the moves so far, as a new list.";
inline constexpr const char* kIsOver = "Whether a player has won or the board is full.";
inline constexpr const char* kLegalMoves =
    R"(Columns that are not full, from left to right; empty if the game is over.

>>> Board.parse('4x4:1111').legal_moves
[1, 2, 3]
)";
inline constexpr const char* kWinningMoves = R"(Columns in which the side to move wins immediately.

>>> Board.parse('6x7:112233').winning_moves
[3]
)";
inline constexpr const char* kSafeMoves = R"(Columns after which the opponent cannot win immediately.

A winning move is included only if it would be safe without the win: check ``winning_moves`` first.

>>> Board.parse('6x7:11223').safe_moves
[3]
)";
inline constexpr const char* kLastCell = R"(Cell of the last stone as (row, col), or None.

>>> Board.parse('6x7:44').last_cell
(4, 3)
)";
inline constexpr const char* kNotation = R"(The position in text; ``Board.parse`` is the inverse.

>>> Board(9, 12, hole=(8, 11)).notation
'9x12@8,11'
)";
inline constexpr const char* kKey = "64-bit hash of the stones and the side to move, equal in every process.";

inline constexpr const char* kGeometry = R"(The immutable shape of a board: rows, columns, hole.

>>> Geometry(10, 11, hole=(4, 7)).cells
109
)";
inline constexpr const char* kCells = "Number of cells that stones can occupy.";
inline constexpr const char* kIsSymmetric = R"(Whether the board equals its left-right reflection.

>>> Geometry(9, 9, hole=(0, 4)).is_symmetric, Geometry(9, 9, hole=(0, 0)).is_symmetric
(True, False)
)";
inline constexpr const char* kGeometryMirror = R"(Return the board reflected left to right.

>>> Geometry(9, 9, hole=(2, 0)).mirror()
Geometry(9, 9, hole=(2, 8))
)";

inline constexpr const char* kOutcomeClass = R"(Result of a finished game.

>>> outcome = Board.parse('6x7:1212121').outcome()
>>> outcome.winner, outcome.cells
(0, [(2, 0), (3, 0), (4, 0), (5, 0)])
)";
inline constexpr const char* kWinner = "The winner, 0 or 1; None for a draw.";
inline constexpr const char* kWinningCells = "All cells of all winning lines of four or more; empty for a draw.";
inline constexpr const char* kIsDraw = "Whether the board is full without a winner.";

inline constexpr const char* kRolloutCounts = "Results of a number of random games.";
inline constexpr const char* kRollouts = R"(Play n random games from the board to the end and count the results.

All legal columns are equally likely. The same seed gives the same games. Releases the GIL; Ctrl-C interrupts it.

>>> counts = rollouts(Board(6, 7), 10_000, seed=1)
>>> counts.first + counts.draws + counts.second
10000
>>> counts.first > counts.second
True
)";
inline constexpr const char* kPerft = R"(Count the sequences of exactly ``depth`` legal moves from the board.

A game that ends earlier is not counted. Releases the GIL; Ctrl-C interrupts it.

>>> [perft(Board(6, 7), depth) for depth in range(5)]
[1, 7, 49, 343, 2401]
)";

}  // namespace fourfall::docs
