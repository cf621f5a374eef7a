// Docstrings of the native search and engine. The examples in them run as tests.
#pragma once

namespace fourfall::docs {

inline constexpr const char* kScore = R"(Score of a position or move for the side to move.

A score is an estimate between -1 (loss) and 1 (win), or a proven result with its distance in plies. `-score` is the
score of the other side. Better scores are greater: proven wins are above all estimates and proven losses below; a
shorter win and a longer loss are better. The distances of the solver are exact; an engine's proof guarantees that the
game ends within the distance. As text, "wins in 3" and "loses in 3" count the moves of the winner, not plies.

>>> Score.win(3) > Score.win(5) > Score.estimate(0.9) > Score.draw(12) > Score.loss(8) > Score.loss(2)
True
>>> print(Score.win(17), '|', Score.estimate(0.08), '|', -Score.win(4))
wins in 9 | 54.0 % | loses in 2
)";
inline constexpr const char* kScoreWin = "Proven win in `distance` plies; 1 wins with the next stone.";
inline constexpr const char* kScoreDraw = "Proven draw in `distance` plies.";
inline constexpr const char* kScoreLoss = "Proven loss in `distance` plies.";
inline constexpr const char* kScoreEstimate = "Expected result between -1 and 1.";
inline constexpr const char* kIsExact = "Whether the result is proven.";
inline constexpr const char* kIsWin = "Whether a win is proven.";
inline constexpr const char* kScoreIsDraw = "Whether a draw is proven.";
inline constexpr const char* kIsLoss = "Whether a loss is proven.";
inline constexpr const char* kProof = "'win', 'draw' or 'loss' if the result is proven, otherwise None.";
inline constexpr const char* kDistance = "Plies to the end of the game, or None for an estimate.";
inline constexpr const char* kValue = "Expected result, -1 to 1.";
inline constexpr const char* kWinChance = "Expected result as a probability of winning, 0 to 1; a draw counts as half.";

inline constexpr const char* kLimit =
    R"(Limit of a search: `time` in seconds, `simulations`, or both; the search stops at the first one reached.

A limit of 0 seconds still gives a legal move.

>>> Limit(time=2.0)
Limit(time=2.0, simulations=None)
>>> Limit(time=-1)
Traceback (most recent call last):
ValueError: time must be a finite number of seconds, at least 0
)";
inline constexpr const char* kStopEarly =
    "Whether a search with a time limit may stop as soon as the remaining time cannot change its move. Tree searches "
    "and `Engine.analyse` ignore it.";
inline constexpr const char* kColumnAnalysis = "Analysis of one column.";
inline constexpr const char* kHasScore =
    "Whether the column was visited or its result is proven; otherwise its score is a guess.";
inline constexpr const char* kColumnPv =
    "The expected moves if this column is played, beginning with the column. After a proven loss they are the "
    "refutation.";
inline constexpr const char* kAnalysis = R"(Result of a search.

>>> analysis = Engine('seed-004-v12', seed=1).analyse(Board.parse('6x7:112233'), Limit(simulations=500))
>>> analysis.move, str(analysis.score)
(3, 'wins in 1')

As text it is a table with name, visits, score and line of every column. The constructor makes an analysis of known results,
without a search; ``columns`` are those of all legal columns, from left to right.
)";
inline constexpr const char* kSearchedBoard = "The position that was analysed, as a new board.";
inline constexpr const char* kStoppedBy =
    "Why the search stopped: 'time', 'simulations', 'proof', 'stop', 'early stop' (see Limit.stop_early), or the rule "
    "that chose the move without a search ('win', 'block', 'double threat'). 'census': the result of the board was "
    "known "
    "(see fourfall.census).";
inline constexpr const char* kProfile =
    "Shares of the search time by phase: selection, expansion, evaluation, solver and backup. Every 64th simulation is "
    "timed, and every call of the solver.";
inline constexpr const char* kTreeNode = "Copy of a node of the search tree.";
inline constexpr const char* kTreeConfig = "Configuration of a tree search; see presets.";
inline constexpr const char* kGraphConfig = "Configuration of a graph search; see presets.";

inline constexpr const char* kWeightsError =
    "The file is not a weights file, is damaged, or has an unsupported version or shape. The message names the file.";
inline constexpr const char* kNetwork = R"(A neural network that evaluates positions.

>>> Network.load('/nowhere.f4w')
Traceback (most recent call last):
fourfall._core.WeightsError: /nowhere.f4w: No such file or directory
)";
inline constexpr const char* kNetworkLoad =
    "Load a weights file. `instruction_set` is one of `instruction_sets()`, or \"float32\": the fastest with single "
    "precision, which computes the same on all processors with AVX2 and FMA. The default is the fastest.";
inline constexpr const char* kInstructionSets = R"(List the instruction sets that this processor has, the fastest last.

>>> Network.instruction_sets()[0]
'portable'
)";
inline constexpr const char* kNetworkPlanes =
    R"(Return the sixteen input planes of a position as [plane][row][column], with the bottom row first.

>>> planes = Network.planes(Board.parse('4x5:33'))
>>> planes[0][0], planes[4][2]
([0.0, 0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0])
)";
inline constexpr const char* kNetworkEvaluate =
    "Return the value of a position for the side to move, -1 to 1, and the policy logit of each column, None for full "
    "columns. The network does not detect immediate wins; the search does.";
inline constexpr const char* kNetworkSpeed =
    "Measure evaluations of a position per second of processor time, for about `seconds` seconds.";

inline constexpr const char* kEngineError =
    "A request that the engine cannot fulfil, such as to search a finished game.";
inline constexpr const char* kAnalyse = R"(Analyse a position: the best move, and a score with a line for every column.

Columns that the search for the best move neglects get a minimum of simulations. Every column has a score, even if the
limit is shorter than the first simulation of each. Proven losses come with their refutation. To choose a move to play,
`play` and `search` are stronger, because they spend no time on other columns.

Without a limit, the preset's default limit applies. The GIL is released during the search; Ctrl-C and stop() end it.

>>> from fourfall import Board, Engine, Limit
>>> analysis = Engine('seed-002', seed=1).analyse(Board.parse('6x7:11223'), Limit(simulations=2000))
>>> [str(column.score) for column in analysis.columns[:3]], analysis.columns[0].pv
(['loses in 1', 'loses in 1', 'loses in 1'], [0, 3])
)";
inline constexpr const char* kSearch = R"(Search for the best move, as `play` does, and return the result of the search.

Only the columns that the search visited or proved have a score (`ColumnAnalysis.has_score`). Limits, GIL and stop() are
as in `analyse`.

>>> from fourfall import Board, Engine, Limit
>>> analysis = Engine('seed-002', seed=1).search(Board(6, 7), Limit(simulations=2000))
>>> analysis.simulations, sum(column.visits for column in analysis.columns)
(2000, 2000)
)";
inline constexpr const char* kPlay = R"(Search for the best move and return its column.

>>> from fourfall import Board, Engine, Limit
>>> Engine('seed-002', seed=1).play(Board.parse('6x7:112233'), Limit(simulations=500))
3
)";
inline constexpr const char* kStop =
    "End the running search, which returns its result so far. May be called from any thread. Later searches are not "
    "affected; a StopToken also ends a search that has not begun.";
inline constexpr const char* kStopToken = R"(Request to end one search, made before or while it runs.

Pass a new token to each `Engine.search` or `Engine.analyse`. Unlike `Engine.stop`, the request is not lost if it comes
before the search begins, for example while the search waits for a thread.

>>> from fourfall import Board, Engine, Limit, StopToken
>>> token = StopToken()
>>> token.stop()
>>> Engine('fourfall-classic').analyse(Board(9, 9), Limit(time=60), stop_token=token).stopped_by
'stop'
)";
inline constexpr const char* kStopTokenStop =
    "End the search that has this token, or that gets it later; it returns its result so far. May be called from any "
    "thread.";
inline constexpr const char* kSnapshot =
    "Return the current analysis of the running search, or the last analysis if none is running; None before the first "
    "search. May be called from any thread.";
inline constexpr const char* kClear = "Delete everything kept from earlier searches, for example before a new game.";
inline constexpr const char* kTree = R"(Return a copy of the tree of the last search, down to `depth` plies.

>>> from fourfall import Board, Engine, Limit
>>> engine = Engine('seed-001', seed=1)
>>> move = engine.play(Board(6, 7), Limit(simulations=100))
>>> tree = engine.tree(1)
>>> tree.visits, sum(child.visits for child in tree.children)
(100, 100)
)";

inline constexpr const char* kColumnSolution = "Exact score of one column for the side to move, or bounds on it.";
inline constexpr const char* kSolution = R"(Result of the solver.

>>> solution = solve(Board.parse('4x5:11223'), columns=True)
>>> print(solution.score, solution.score.distance)
draws 15
>>> [str(column.score) for column in solution.columns]
['loses in 1', 'loses in 1', 'loses in 1', 'draws', 'loses in 1']

The constructor makes a solution of known results; ``columns`` may be empty.
)";
inline constexpr const char* kSolvedScore = "Exact score, or None if only bounds are known.";
inline constexpr const char* kLower = "Proven lower bound of the score.";
inline constexpr const char* kUpper = "Proven upper bound of the score.";
inline constexpr const char* kSolver = R"(Exact solver that keeps its transposition table between calls.

`threads` is the number of threads that search one position; the score does not depend on it.

>>> solver = Solver(memory_mb=16)
>>> print(solver.solve(Board(4, 5)).score)
draws
)";
inline constexpr const char* kSolverSolve = R"(Solve a position exactly; at the limit, return the bounds found so far.

`time` is in seconds, `positions` is the number of positions to search. With `columns`, every legal column is solved,
too. The GIL is released; Ctrl-C and stop() end the call.)";
inline constexpr const char* kSolverSnapshot =
    "Return the current bounds of the running call, or those of the last call; None before the first. May be called "
    "from any thread.";
inline constexpr const char* kSolve = R"(Solve a position exactly: result and distance under perfect play.

`time` is in seconds, `positions` is the number of positions to search; at the limit, the result has the bounds found so
far. With `columns`, every legal column is solved, too. Without a limit, late positions take seconds and the empty 6x7
board 10 seconds; large empty boards cannot be solved in practice.

`threads` is the number of threads that search the position together. The score does not depend on it, but the number of
positions does, and so may the principal variation where several moves are best. `memory_mb` limits the transposition
table, which takes only as much of it as it needs.

>>> print(solve(Board(4, 4)).score)
draws
>>> print(solve(Board(4, 6), threads=2).score)
loses in 12
)";

}  // namespace fourfall::docs
