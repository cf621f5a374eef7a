// Owns the immutable shape of a board: rows, columns and at most one hole.
#pragma once

#include <compare>
#include <optional>
#include <string>

namespace fourfall {

// A cell as people and the strategy interface name it: row 0 is the top row, column 0 the leftmost.
struct Cell {
    int row;
    int col;
    friend constexpr auto operator<=>(const Cell&, const Cell&) = default;
};

class Geometry {
public:
    // Throws InvalidBoard unless both sides are 4..12 and the hole, if any, lies on the board.
    Geometry(int rows, int cols, std::optional<Cell> hole = std::nullopt);

    int rows() const { return rows_; }
    int cols() const { return cols_; }
    std::optional<Cell> hole() const { return hole_; }
    // How many stones the board holds.
    int cells() const { return rows_ * cols_ - (hole_ ? 1 : 0); }
    // Whether reflecting left and right gives the same board.
    bool is_symmetric() const { return !hole_ || 2 * hole_->col == cols_ - 1; }
    // The board reflected left and right, hole included.
    Geometry mirror() const;
    // "10x11@4,7", as positions are written.
    std::string notation() const;

    friend bool operator==(const Geometry&, const Geometry&) = default;

private:
    int rows_;
    int cols_;
    std::optional<Cell> hole_;
};

}  // namespace fourfall
