// Describes positions, analyses and solutions as the messages of the page do.
#pragma once

#include <string>

#include "game/board.hpp"
#include "search/analysis.hpp"
#include "search/network/network.hpp"
#include "search/solver/solver.hpp"

namespace fourfall {

// The position with its legal moves, threats and outcome.
std::string describe_position(const Board& board);
std::string describe_analysis(const Analysis& analysis);
std::string describe_solution(const solver::Solution& solution);
// Value and policy logits of a position; null for full columns.
std::string describe_evaluation(const Board& board, const network::NetworkOutput& output);

}  // namespace fourfall
