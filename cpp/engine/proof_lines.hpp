// Completes the lines of proven moves: play to the end of the game in which the winner keeps the proof.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "game/board.hpp"
#include "search/limits.hpp"
#include "search/score.hpp"
#include "search/solver/solver.hpp"

namespace fourfall {

// Score of a move for the side that plays it, and the moves that follow from it, beginning with the move.
struct ScoredLine {
    Score score = Score::estimate(0);
    std::vector<int> moves;
};

class ProofLines {
public:
    explicit ProofLines(const Geometry& geometry) : geometry_(geometry) {}

    // Whether the moves end the game in exactly the distance of a proven win or loss.
    static bool is_complete(const Board& board, const ScoredLine& line);

    // Continues the line of a proven win or loss to the end of the game. First extends the moves that the search
    // found; if they do not fit the distance, solves the position after the move, which may shorten the distance. If
    // the solver needs more than `max_positions` for either, returns the line unchanged.
    ScoredLine complete(const Board& board, const ScoredLine& line, std::uint64_t max_positions, Control& control);

    std::uint64_t memory_bytes() const { return solver_ ? kMemoryBytes : 0; }

private:
    static constexpr std::uint64_t kMemoryBytes = std::uint64_t{4} << 20;

    solver::Solution solve(const Board& board, const Score& claim, std::uint64_t max_positions, Control& control);

    Geometry geometry_;
    std::unique_ptr<solver::Solver> solver_;  // made when it is first needed
};

// The score `plies` plies earlier: for the other side if the number is odd.
Score score_before(const Score& score, int plies);

}  // namespace fourfall
