// Memory layout of the activations of a layer.
#pragma once

#include <cstddef>

namespace fourfall::network {

// Cell by cell, in rows from the bottom, `channels` values per cell. The convolution with tiles of 2x2 cells
// reads one cell beyond them, so the board has a border of zeros that is never written: one cell wide, and one cell
// more at the top or right if that side is odd. That is enough for the larger tiles, too.
struct ActivationLayout {
    int rows, cols;
    std::size_t channels;

    int tile_rows() const { return (rows + 1) / 2; }
    int tile_cols() const { return (cols + 1) / 2; }
    int tiles() const { return tile_rows() * tile_cols(); }
    int width() const { return 2 * tile_cols() + 2; }
    int height() const { return 2 * tile_rows() + 2; }
    std::size_t size() const { return static_cast<std::size_t>(width() * height()) * channels; }
    // Index of the first value of a cell.
    std::size_t at(int row, int col) const {
        return static_cast<std::size_t>((row + 1) * width() + col + 1) * channels;
    }
};

}  // namespace fourfall::network
