// perft: counts move sequences, the usual test of a move generator.
#pragma once

#include <cstdint>

#include "game/board.hpp"
#include "game/poll.hpp"

namespace fourfall {

// Returns the number of sequences of exactly `depth` legal moves. A game that ends earlier is not counted.
std::uint64_t perft(const Board& board, int depth, const Poll& poll);

}  // namespace fourfall
