// Result of a search: chosen move, score of every column, principal variation, and costs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "game/board.hpp"
#include "search/profile.hpp"
#include "search/score.hpp"

namespace fourfall {

struct ColumnAnalysis {
    int column;
    std::uint64_t visits;
    Score score;          // for the side to move at the root
    std::vector<int> pv;  // expected moves, beginning with the column; after a proven loss, the refutation

    // Without a visit and without a proof, the score is a guess.
    bool has_score() const { return visits > 0 || score.is_exact(); }
};

struct Analysis {
    int move = -1;
    Score score = Score::estimate(0);     // of the move, for the side to move at the root
    std::vector<ColumnAnalysis> columns;  // every legal column, from left to right
    std::vector<int> pv;                  // principal variation, including the move
    std::uint64_t simulations = 0;        // in this search
    std::uint64_t evaluations = 0;        // positions evaluated in this search
    int depth = 0;                        // length of the longest simulation in plies
    std::uint64_t reused_visits = 0;      // visits of the root that previous searches made
    std::uint64_t nodes = 0;              // stored positions
    std::uint64_t memory_bytes = 0;       // memory in use
    double seconds = 0;
    // "time", "simulations", "proof", "stop", "early stop", or the root rule that chose the move.
    std::string stopped_by;
    Profile profile;
    std::optional<Board> board{};  // the position that was searched; set by the engine
};

}  // namespace fourfall
