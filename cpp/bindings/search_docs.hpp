// Owns the docstrings of the native search and engine; the examples in them run as tests.
#pragma once

namespace fourfall::docs {

inline constexpr const char* kScore = R"(What a position or move is worth to the side to move.

An estimate between -1 (lost) and 1 (won), or a proven result with its distance in plies. Scores negate, and compare
by what one would rather have: wins soonest, losses latest, estimates in between. The distance is exact when the
solver says it; an engine proves that the game ends within it.

>>> Score.win(3) > Score.win(5) > Score.estimate(0.9) > Score.draw(12) > Score.loss(8) > Score.loss(2)
True
>>> print(Score.win(17), '|', Score.estimate(0.08), '|', -Score.win(4))
wins in 17 | 54.0 % | loses in 4
)";
inline constexpr const char* kScoreWin = "Won in `distance` plies: 1 wins with the next stone.";
inline constexpr const char* kScoreDraw = "Drawn in `distance` plies.";
inline constexpr const char* kScoreLoss = "Lost in `distance` plies.";
inline constexpr const char* kScoreEstimate = "An expected result between -1 and 1.";
inline constexpr const char* kIsExact = "Whether the result is proven.";
inline constexpr const char* kIsWin = "Whether a win is proven.";
inline constexpr const char* kScoreIsDraw = "Whether a draw is proven.";
inline constexpr const char* kIsLoss = "Whether a loss is proven.";
inline constexpr const char* kDistance = "Plies to the end of the game, or None for an estimate.";
inline constexpr const char* kValue = "The expected result, -1 to 1.";
inline constexpr const char* kWinChance = "The expected result as a chance to win, 0 to 1, a draw counting half.";

inline constexpr const char* kLimit =
    R"(When a search stops: after `time` seconds or `simulations`, whichever comes first.

A limit of 0 seconds still gives a legal move.

>>> Limit(time=2.0)
Limit(time=2.0, simulations=None)
>>> Limit(time=-1)
Traceback (most recent call last):
ValueError: a time limit is a finite number of seconds, not negative
)";
inline constexpr const char* kStopEarly =
    "Whether a search with a time limit may end as soon as the time that is left could not change its move; a tree "
    "search always takes its time.";
inline constexpr const char* kColumnAnalysis = "What a search thinks of one column.";
inline constexpr const char* kAnalysis = R"(What a search has to say about a position.

>>> analysis = Engine('seed-004-v12', seed=1).analyse(Board.parse('6x7:112233'), Limit(simulations=500))
>>> analysis.move, str(analysis.score)
(3, 'wins in 1')
)";
inline constexpr const char* kStoppedBy =
    "Why the search ended: 'time', 'simulations', 'proof', 'stop', 'early stop' (see Limit), or the rule that answered "
    "before "
    "it began ('win', 'block', 'double threat').";
inline constexpr const char* kProfile =
    "Share of the time that selection, expansion, rollout and backup took, measured on every 64th simulation.";
inline constexpr const char* kTreeNode = "A part of the search tree.";
inline constexpr const char* kTreeConfig =
    "Every choice that makes one tree search different from another; see presets.";
inline constexpr const char* kGraphConfig = "The choices of the graph search that a preset may set; see presets.";

inline constexpr const char* kWeightsError =
    "A weights file that is none, is damaged, or was made for another program; the message names the file.";
inline constexpr const char* kNetwork = R"(A trained network that says what positions are worth.

>>> Network.load('/nowhere.f4w')
Traceback (most recent call last):
fourfall._core.WeightsError: /nowhere.f4w: No such file or directory
)";
inline constexpr const char* kNetworkLoad =
    "Reads a weights file, for the fastest path through this processor or for the one that is named.";
inline constexpr const char* kNetworkPaths = R"(The paths that this processor has, the fastest last.

>>> Network.paths()[0]
'portable'
)";
inline constexpr const char* kNetworkPlanes =
    R"(What a network is shown of a position: sixteen planes, each with its bottom row first.

>>> planes = Network.planes(Board.parse('4x5:33'))
>>> planes[0][0], planes[4][2]
([0.0, 0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0])
)";
inline constexpr const char* kNetworkEvaluate =
    "The value of a position to the side to move, -1 to 1, and for each column what it says of a move there before the "
    "softmax; None where a column is full. It knows nothing of wins at hand, which the search sees by itself.";
inline constexpr const char* kNetworkSpeed = "Evaluations of a position in a second of processor time.";

inline constexpr const char* kEngineError =
    "A request that the engine cannot fulfil, such as searching a finished game.";
inline constexpr const char* kAnalyse = R"(Searches a position and says what it thinks of every column.

Without a limit the engine takes its preset's own. Runs without the interpreter's lock; Ctrl-C and stop() end it.

>>> from fourfall import Board, Engine, Limit
>>> analysis = Engine('seed-002', seed=1).analyse(Board(6, 7), Limit(simulations=2000))
>>> analysis.simulations, len(analysis.columns)
(2000, 7)
)";
inline constexpr const char* kPlay = R"(Searches a position and returns the column to play.

>>> from fourfall import Board, Engine, Limit
>>> Engine('seed-002', seed=1).play(Board.parse('6x7:112233'), Limit(simulations=500))
3
)";
inline constexpr const char* kStop =
    "Ends the running search, from any thread; it answers with what it has. A search that begins later is not stopped.";
inline constexpr const char* kSnapshot =
    "What the running search thinks now, from any thread; the last analysis when none is running, None before the "
    "first.";
inline constexpr const char* kClear = "Drops all that was kept from earlier searches, as before a new game.";
inline constexpr const char* kTree = R"(The tree of the last search down to a depth.

>>> from fourfall import Board, Engine, Limit
>>> engine = Engine('seed-001', seed=1)
>>> move = engine.play(Board(6, 7), Limit(simulations=100))
>>> tree = engine.tree(1)
>>> tree.visits, sum(child.visits for child in tree.children)
(100, 100)
)";

inline constexpr const char* kColumnSolution = "The exact worth of one column to the side to move.";
inline constexpr const char* kSolution = R"(What the solver knows of a position.

>>> solution = solve(Board.parse('4x5:11223'), columns=True)
>>> print(solution.score)
draws in 15
>>> [str(column.score) for column in solution.columns]
['loses in 2', 'loses in 2', 'loses in 2', 'draws in 15', 'loses in 2']
)";
inline constexpr const char* kSolvedScore = "The exact score, or None where only bounds are known.";
inline constexpr const char* kLower = "The score is at least this.";
inline constexpr const char* kUpper = "The score is at most this.";
inline constexpr const char* kSolver = R"(Solves one position after another and remembers what it has learned.

>>> solver = Solver(memory_mb=16)
>>> print(solver.solve(Board(4, 5)).score)
draws in 20
)";
inline constexpr const char* kSolverSolve = R"(Solves a position, or stops at the limit with the bounds it has.

Runs without the interpreter's lock; Ctrl-C and stop() end it.)";
inline constexpr const char* kSolverSnapshot =
    "The bounds of the running or the last call, from any thread; None before the first.";
inline constexpr const char* kSolve = R"(Finds the exact worth of a position under perfect play, with its distance.

With `columns` every legal column is solved too. Without a limit it takes as long as it takes: seconds for late
positions, minutes for the empty 6x7 board, for ever on large empty ones. At the limit the answer is the bounds so far.

>>> print(solve(Board(4, 4)).score)
draws in 16
)";

}  // namespace fourfall::docs
