// Interface of the exact solver: bounds on the score of a position and its columns, and perfect play.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "game/board.hpp"
#include "search/limits.hpp"
#include "search/score.hpp"
#include "search/solver/table_memory.hpp"

namespace fourfall::solver {

// The exact score is at least `lower` and at most `upper`; if they are equal, it is known.
struct ScoreBounds {
    Score lower, upper;
    bool is_exact() const { return lower == upper; }
};

struct ColumnSolution {
    int column;
    ScoreBounds bounds;  // for the side that plays the column
};

// The solver stops at whichever limit it reaches first.
struct Budget {
    std::optional<double> time_s;
    std::optional<std::uint64_t> positions;
};

struct Solution {
    ScoreBounds bounds{Score::exact(Proof::kLoss, 2), Score::exact(Proof::kWin, 1)};
    std::vector<int> pv;                  // perfect play by both sides; empty if the position is not solved
    std::vector<ColumnSolution> columns;  // every legal column, if requested
    std::uint64_t positions = 0;          // searched
    double seconds = 0;
    std::optional<Board> board{};  // the position; set by the engine
};

// A solver for boards of one geometry. Its transposition table is kept between calls.
class Solver {
public:
    virtual ~Solver() = default;
    // Solves a game that is not over. At the limit, or on control.stop, returns the bounds found so far.
    virtual Solution solve(const Board& board, bool columns, const Budget& budget, Clock::Time requested,
                           Control& control) = 0;
    // Solves a game whose winner is known: `claim` is a win or a loss of the side to move, with a distance at which the
    // search begins. That saves the search for the result, which is the long part on a large board. At the limit, or on
    // control.stop, the bounds are those of `claim` and the principal variation is empty.
    virtual Solution solve_proven(const Board& board, const Score& claim, const Budget& budget, Clock::Time requested,
                                  Control& control) = 0;
    // Returns the current bounds of the running call. Call it from control.poll only.
    virtual const Solution& progress() = 0;
    // Empties the transposition table, so that the next call does not depend on the previous ones.
    virtual void clear() = 0;
};

// `threads` is the number of threads that search one position.
std::unique_ptr<Solver> make_solver(const Geometry& geometry, std::uint64_t memory_bytes, int threads = 1);
// With the memory of another solver, which must not be used any more; the memory must be empty.
std::unique_ptr<Solver> make_solver(const Geometry& geometry, std::shared_ptr<TableMemory> memory, int threads = 1);

}  // namespace fourfall::solver
