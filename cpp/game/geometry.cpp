// Geometry: checks the size and the hole of a board.
#include "game/geometry.hpp"

#include "game/bits.hpp"
#include "game/errors.hpp"
#include "game/random.hpp"

namespace fourfall {
namespace {

void require_side(const char* what, int value) {
    if (value >= kMinSide && value <= kMaxSide) return;
    throw InvalidBoard("a board has " + std::to_string(kMinSide) + " to " + std::to_string(kMaxSide) + " " + what +
                       ", not " + std::to_string(value));
}

}  // namespace

Geometry Geometry::random(Random& random) {
    const int rows = 9 + static_cast<int>(random.below(4));
    const int cols = 9 + static_cast<int>(random.below(4));
    const int hole = static_cast<int>(random.below(rows * cols));
    return Geometry(rows, cols, Cell{hole / cols, hole % cols});
}

Geometry::Geometry(int rows, int cols, std::optional<Cell> hole) : rows_(rows), cols_(cols), hole_(hole) {
    require_side("rows", rows);
    require_side("columns", cols);
    if (!hole || (hole->row >= 0 && hole->row < rows && hole->col >= 0 && hole->col < cols)) return;
    throw InvalidBoard("hole (" + std::to_string(hole->row) + ", " + std::to_string(hole->col) + ") is off the " +
                       std::to_string(rows) + "x" + std::to_string(cols) + " board: rows are 0.." +
                       std::to_string(rows - 1) + " and columns 0.." + std::to_string(cols - 1) + " from the top-left");
}

Geometry Geometry::mirror() const {
    if (!hole_) return *this;
    return Geometry(rows_, cols_, Cell{hole_->row, cols_ - 1 - hole_->col});
}

std::string Geometry::notation() const {
    std::string text = std::to_string(rows_) + "x" + std::to_string(cols_);
    if (hole_) text += "@" + std::to_string(hole_->row) + "," + std::to_string(hole_->col);
    return text;
}

}  // namespace fourfall
