// Masks: the constant cell sets of a geometry in a layout.
#pragma once

#include <array>
#include <cassert>

#include "game/bits.hpp"
#include "game/geometry.hpp"

namespace fourfall {

template <class Layout>
struct Masks {
    using Bits = typename Layout::Bits;

    int rows;
    int cols;
    bool is_symmetric;
    Bits board;   // all cells, including the hole
    Bits bottom;  // the lowest cell of every column, even if it is the hole; input of Layout::landing_cells()
    Bits hole;    // one cell, or empty
    std::array<Bits, kMaxSide> column{};

    explicit Masks(const Geometry& geometry)
        : rows(geometry.rows()), cols(geometry.cols()), is_symmetric(geometry.is_symmetric()) {
        assert(Layout::fits(rows, cols));
        for (int col = 0; col < cols; ++col) {
            column[col] = Layout::column(rows, col);
            board |= column[col];
            bottom |= Layout::cell(0, col);
        }
        if (const auto cell = geometry.hole()) hole = Layout::cell(rows - 1 - cell->row, cell->col);
    }
};

}  // namespace fourfall
