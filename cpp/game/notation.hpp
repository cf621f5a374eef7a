// Owns how positions are written: "10x11@4,7:6655", and the drawing of a board in text.
#pragma once

#include <string>
#include <string_view>

#include "game/board.hpp"

namespace fourfall {

inline constexpr std::string_view kColumnNames = "123456789abc";

// Throws NotationError, which names the character or the ply that is wrong.
Board parse_board(std::string_view text);
std::string notation(const Board& board);

// A picture: X the first player, O the second, # the hole; before a cell > marks the last move and * a winning stone.
// The columns' names stand above, the rows' numbers beside; every cell is two characters wide.
std::string drawing(const Board& board);

}  // namespace fourfall
