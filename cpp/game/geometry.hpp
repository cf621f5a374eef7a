// Geometry: the immutable shape of a board, with rows, columns and at most one hole.
#pragma once

#include <compare>
#include <optional>
#include <string>

namespace fourfall {

// Row 0 is the top row, column 0 the leftmost column.
struct Cell {
    int row;
    int col;
    friend constexpr auto operator<=>(const Cell&, const Cell&) = default;
};

class Random;

class Geometry {
public:
    // Draws from the official distribution: rows and columns uniform in 9..12, the hole uniform on the board.
    static Geometry random(Random& random);
    // Throws InvalidBoard unless rows and columns are 4..12 and the hole, if any, is on the board.
    Geometry(int rows, int cols, std::optional<Cell> hole = std::nullopt);

    int rows() const { return rows_; }
    int cols() const { return cols_; }
    std::optional<Cell> hole() const { return hole_; }
    // The number of cells that stones can occupy.
    int cells() const { return rows_ * cols_ - (hole_ ? 1 : 0); }
    // Whether the board equals its left-right reflection.
    bool is_symmetric() const { return !hole_ || 2 * hole_->col == cols_ - 1; }
    // The board reflected left to right, including the hole.
    Geometry mirror() const;
    // The geometry as positions in text begin: "10x11@4,7".
    std::string notation() const;

    friend bool operator==(const Geometry&, const Geometry&) = default;

private:
    int rows_;
    int cols_;
    std::optional<Cell> hole_;
};

}  // namespace fourfall
