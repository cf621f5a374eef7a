// Docstrings of BoardBatch and of functions of many boards; their examples run as tests.
#pragma once

namespace fourfall::docs {

inline constexpr const char* kBoardBatch = R"(Many games that are stepped at once, with their state in NumPy arrays.

All boards have `rows` rows, `cols` columns and perhaps a hole; `BoardBatch.random` makes official boards of several
sizes, and `BoardBatch.from_boards` copies any boards. Every step plays one column on each board and writes all arrays
anew, in the same memory: an array always shows the state after the last step. Copy what you keep. The arrays support
DLPack, so that PyTorch and JAX can use them without a copy.

`auto_reset`: a game that ends is replaced by a new one in the same step. Otherwise it stays as it is until `reset`.
`dtype`: type of `planes`, "float32" or "uint8".
`threads`: number of threads, 1 to 64. The result does not depend on it.
`buffers`: number of sets of arrays, which the steps use in turn. With 2, the arrays of the step before the last are still
valid.
`seed`: random seed of `random_actions` and `BoardBatch.random`.

>>> batch = BoardBatch(1024, 6, 7)
>>> batch.planes.shape, batch.masks.shape
((1024, 4, 6, 7), (1024, 7))
>>> games = 0
>>> for _ in range(100):
...     rewards, terminated = batch.step(batch.random_actions())
...     games += int(terminated.sum())
>>> games > 1024
True
)";
inline constexpr const char* kBatchRandom =
    R"(Make a batch of boards of the official distribution: 9 to 12 rows and columns and a hole.

Each new game has another board, drawn as by `Board.random`. The arrays have 12 rows and 12 columns. A smaller board is
in the top-left corner; plane 3 is 1 on the cells that do not belong to it.

>>> batch = BoardBatch.random(512, seed=1)
>>> batch.planes.shape, batch.geometry is None
((512, 4, 12, 12), True)
>>> batch[0].geometry != batch[1].geometry
True
)";
inline constexpr const char* kBatchFromBoards =
    R"(Make a batch of copies of boards, to which each later game of the same index returns.

If the boards have several geometries, the arrays are those of `BoardBatch.random`. Raises InvalidBoard if a game is over.

>>> batch = BoardBatch.from_boards([Board.parse('6x7:112233'), Board.parse('6x7:4')])
>>> rewards, terminated = batch.step([3, 3])
>>> rewards.tolist(), terminated.tolist()
([1.0, 0.0], [True, False])
>>> batch.boards
[Board.parse('6x7:112233'), Board.parse('6x7:44')]
)";
inline constexpr const char* kBatchStep =
    R"(Play one column on each board and return the arrays `rewards` and `terminated`.

`actions` are as many integers as there are boards: an array of NumPy or of another library, or a list. The columns of
games that are over are ignored. Raises IllegalMove, which names the board, if a column is full or off the board; then no
board has changed. The GIL is released.

>>> batch = BoardBatch(3, 6, 7)
>>> batch.step([0, 3, 7])
Traceback (most recent call last):
fourfall._core.IllegalMove: board 2: column 7 is off the board: columns are 0..6
>>> batch.step([0, 3])
Traceback (most recent call last):
ValueError: actions must be 3 integers, not int64 of shape (2,)
)";
inline constexpr const char* kBatchReset =
    R"(Start new games on all boards, or on those for which `mask` is True.

Without `auto_reset`, `batch.reset(batch.terminated)` replaces the games that are over.

>>> batch = BoardBatch(2, 6, 7)
>>> arrays = batch.step([3, 3])
>>> batch.reset([True, False])
>>> batch.plies.tolist()
[0, 1]
)";
inline constexpr const char* kBatchRandomActions =
    R"(Draw a legal column for each board, all equally likely; return a new int32 array. Games that are over get 0.

>>> actions = BoardBatch(5, 6, 7, seed=1).random_actions()
>>> actions.shape, actions.dtype.name
((5,), 'int32')
)";
inline constexpr const char* kBatchPlanes =
    R"(The boards as zeros and ones, of shape (boards, 4, rows, cols); row 0 is the top row.

Plane 0: stones of the side to move. 1: stones of the opponent. 2: cells on which the next stone can land. 3: the hole,
and cells that are not on the board. `planes[i]` equals `batch[i].planes()`.

>>> batch = BoardBatch(8, 9, 9, hole=(4, 4))
>>> np.array_equal(batch.planes[0], batch[0].planes())
True
)";
inline constexpr const char* kBatchMasks =
    "Legal columns as booleans, of shape (boards, cols); all False if a game is over.";
inline constexpr const char* kBatchRewards =
    "Rewards of the last step for the players who moved, float32: 1 for a win, otherwise 0. The opponent's reward is "
    "the "
    "negative.";
inline constexpr const char* kBatchTerminated =
    "Whether the last step ended a game, as booleans. Without `auto_reset`, whether the game is over.";
inline constexpr const char* kBatchWinners =
    R"(Winners of the games that ended in the last step, int8: 0 or 1; -1 for a draw and for a game that goes on.

>>> batch = BoardBatch.from_boards([Board.parse('6x7:121212'), Board.parse('6x7:1212123')])
>>> arrays = batch.step([0, 1])
>>> batch.winners.tolist()
[0, 1]
)";
inline constexpr const char* kBatchTurns = "Players to move, int8: 0 or 1.";
inline constexpr const char* kBatchPlies = "Numbers of stones on the boards, int32.";
inline constexpr const char* kBatchBoards =
    R"(Copies of all boards, with their moves; `batch[i]` is one of them, and `batch[i] = board` replaces one.

>>> batch = BoardBatch(2, 6, 7)
>>> batch[1] = Board.parse('6x7:44')
>>> batch.boards
[Board.parse('6x7'), Board.parse('6x7:44')]
)";
inline constexpr const char* kBatchGeometry = "The geometry of all boards, or None if they differ.";
inline constexpr const char* kBatchRows = "Rows of `planes`.";
inline constexpr const char* kBatchCols = "Columns of `planes` and `masks`.";

inline constexpr const char* kEngineEvaluate = R"(Evaluate many positions with the network of the engine, on all cores.

`boards` is a BoardBatch or an iterable of boards. The result is two float32 arrays: the values for the side to move, -1
to 1, of shape (boards,), and the policy logits of shape (boards, cols), -inf for columns that are full or off the board.
`cols` is that of the BoardBatch, or that of the widest board. A finished game has its result as its value and no finite
logit. Each evaluation equals `Network.evaluate`; the search is not used. `threads` is the number of threads; the default
is the number of cores. Raises EngineError if the engine has no network. The GIL is released; Ctrl-C ends the call.

>>> values, logits = Engine('fourfall').evaluate(BoardBatch(16, 6, 7))
>>> values.shape, logits.shape
((16,), (16, 7))
>>> Engine('seed-002').evaluate([Board(6, 7)])
Traceback (most recent call last):
fourfall._core.EngineError: this engine has no network; evaluate() needs one, for example Engine('fourfall')
)";
inline constexpr const char* kNetworkEvaluateMany =
    "Evaluate many positions in several threads; see `Engine.evaluate`.";
inline constexpr const char* kSolveMany = R"(Solve many positions exactly, on all cores; return the solutions in order.

`boards` is a BoardBatch or an iterable of boards. Each solution equals that of `solve` with the same options: the limits
`time` in seconds and `positions` are for each board, `memory_mb` is for each thread. `threads` is the number of threads;
the default is the number of cores. `progress(index, solution)`, if given, is called in the calling thread after each
board. The GIL is released. Ctrl-C and an exception of `progress` end the call; keep the solutions in `progress` if you
need them then. Raises EngineError, which names the board, if a game is over.

>>> solutions = solve_many([Board.parse('4x5:11223'), Board.parse('4x5:112233')])
>>> [str(solution.score) for solution in solutions]
['draws', 'wins in 1']
>>> solve_many([Board(4, 4), Board.parse('6x7:1212121')])
Traceback (most recent call last):
fourfall._core.EngineError: board 1: the game is over: there is nothing to solve
)";

}  // namespace fourfall::docs
