// Owns games played by chance, for statistics and as the yardstick of the core's speed.
#pragma once

#include <cstdint>

#include "game/board.hpp"
#include "game/poll.hpp"

namespace fourfall {

struct RolloutCounts {
    std::uint64_t first = 0;  // games won by player 0
    std::uint64_t draws = 0;
    std::uint64_t second = 0;  // games won by player 1
    std::uint64_t plies = 0;   // stones dropped in all games together
};

// Plays `games` games to their end from the board, every legal column equally likely.
RolloutCounts rollouts(const Board& board, std::uint64_t games, std::uint64_t seed, const Poll& poll);

}  // namespace fourfall
