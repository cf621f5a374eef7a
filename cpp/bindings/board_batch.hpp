// Lists of boards as arguments of Python functions.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "game/board.hpp"

namespace fourfall {

struct BoardList {
    std::vector<Board> boards;
    int cols;  // of a BoardBatch, otherwise of the widest board
};

// Copies the boards of a BoardBatch or of an iterable of boards. Raises TypeError for anything else.
BoardList read_boards(nanobind::handle boards);

}  // namespace fourfall
