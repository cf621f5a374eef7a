// Owns finding a game that leads to given stones, for those who are shown a board without its history.
#pragma once

#include <optional>
#include <span>

#include "game/board.hpp"

namespace fourfall {

// A cell's owner, player 0 or 1; none on a free cell and on the hole.
using Owner = std::optional<int>;

// A board with these stones, cell after cell along the rows from the top-left; the order of its moves is one of those
// that are possible. Throws InvalidBoard where there is none, and where four in a row have ended the game.
Board retrace(const Geometry& geometry, std::span<const Owner> owners);

}  // namespace fourfall
