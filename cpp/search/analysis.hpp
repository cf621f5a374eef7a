// Owns what a search has to say: its move, what it thinks of every column, and what that cost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "search/profile.hpp"
#include "search/score.hpp"

namespace fourfall {

struct ColumnAnalysis {
    int column;
    std::uint64_t visits;
    Score score;  // from the side to move at the root
};

struct Analysis {
    int move = -1;
    Score score = Score::estimate(0);     // of the move, from the side to move at the root
    std::vector<ColumnAnalysis> columns;  // every legal column, left to right
    std::vector<int> pv;                  // the principal variation, including the move
    std::uint64_t simulations = 0;        // of this search
    std::uint64_t evaluations = 0;        // positions evaluated in this search
    int depth = 0;                        // plies of the longest simulation
    std::uint64_t reused_visits = 0;      // visits of the root that were kept from the previous search
    std::uint64_t nodes = 0;              // positions in memory
    std::uint64_t memory_bytes = 0;       // what those take up
    double seconds = 0;
    std::string
        stopped_by;  // "time", "simulations", "proof", "stop", "early stop", or the root rule that chose the move
    Profile profile;
};

}  // namespace fourfall
