// Text formats: the position notation ("10x11@4,7:6655") and the text drawing of a board.
#pragma once

#include <string>
#include <string_view>

#include "game/board.hpp"

namespace fourfall {

inline constexpr std::string_view kColumnNames = "123456789abc";

// Throws NotationError with the number of the wrong character or ply.
Board parse_board(std::string_view text);
std::string notation(const Board& board);

// Draws the board with column names above and row numbers on the left: X first player, O second player, # hole. In
// front of a cell, > marks the last move and * a winning stone. Every cell is two characters wide.
std::string draw(const Board& board);

}  // namespace fourfall
