// Owns exact answers: the value of a position and of its columns, perfect play, and bounds where time runs out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "game/board.hpp"
#include "search/limits.hpp"
#include "search/score.hpp"

namespace fourfall::solver {

// The true score lies between the two, ends included; equal ends are the truth.
struct Range {
    Score lower, upper;
    bool is_exact() const { return lower == upper; }
};

struct ColumnSolution {
    int column;
    Range range;  // from the side to move before the column is played
};

// The solver stops at whichever limit it reaches first.
struct Budget {
    std::optional<double> time_s;
    std::optional<std::uint64_t> positions;
};

struct Solution {
    Range range{Score::exact(Proof::kLoss, 2), Score::exact(Proof::kWin, 1)};
    std::vector<int> pv;                  // perfect play by both sides; empty unless solved
    std::vector<ColumnSolution> columns;  // every legal column, if they were asked for
    std::uint64_t positions = 0;          // searched
    double seconds = 0;
};

// A solver for boards of one geometry; what it has learned stays for the next question.
class Solver {
public:
    virtual ~Solver() = default;
    // Solves a game that is not over, or stops at the limit or on control.stop with the bounds it has.
    virtual Solution solve(const Board& board, bool columns, const Budget& budget, Clock::Time asked,
                           Control& control) = 0;
    // What the running call knows so far; to be asked from control.poll.
    virtual const Solution& progress() = 0;
};

std::unique_ptr<Solver> make_solver(const Geometry& geometry, std::uint64_t memory_bytes);

}  // namespace fourfall::solver
