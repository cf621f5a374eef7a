// Owns the count of move sequences, the usual check of a game's rules.
#pragma once

#include <cstdint>

#include "game/board.hpp"
#include "game/poll.hpp"

namespace fourfall {

// How many sequences of `depth` legal moves start here; a game that ends earlier counts for nothing.
std::uint64_t perft(const Board& board, int depth, const Poll& poll);

}  // namespace fourfall
