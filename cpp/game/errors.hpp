// Owns the three ways in which a caller can be wrong about the game.
#pragma once

#include <stdexcept>

namespace fourfall {

// Rows, columns or a hole that make no board, or stones to which no legal game leads.
struct InvalidBoard : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// A column that is off the board or full, or a move after the end of the game.
struct IllegalMove : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// Text that is not a position.
struct NotationError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

}  // namespace fourfall
