// Owns what the first layer makes of a board's shape alone: everything that no stone changes, computed once a board.
//
// The planes are marks of ones, so the first layer only adds rows of weights. Those of the board, the hole and the
// parities are the same in every position with an even number of stones, and with an odd one; that of the free cells
// grows with their number.
#pragma once

#include <array>
#include <optional>

#include "game/geometry.hpp"
#include "search/network/picture.hpp"
#include "search/network/weights.hpp"
#include "search/network/winograd.hpp"

namespace fourfall::network {

// What the plane of the free cells says.
constexpr float share_of(int free) { return static_cast<float>(free) / static_cast<float>(kMaxCells); }

// A plane that carries no marks, at a cell, with so many stones on the board.
inline float ground_at(const Geometry& geometry, int plane, int row, int col, int stones) {
    const auto hole = geometry.hole();
    const bool below_or_at = hole && hole->col == col && geometry.rows() - 1 - hole->row <= row;
    const bool is_hole = below_or_at && geometry.rows() - 1 - hole->row == row;
    switch (plane) {
        case kBoard:
            return 1;
        case kHole:
            return is_hole ? 1 : 0;
        case kOddBelow:
            return static_cast<float>((row - (below_or_at && !is_hole ? 1 : 0)) % 2);
        case kOddFree:
            return static_cast<float>((geometry.cells() - stones) % 2);
        case kOddStones:
            return static_cast<float>(stones % 2);
        case kFree:
            return share_of(geometry.cells() - stones);
        default:
            return 0;
    }
}

class Ground {
public:
    Ground(const Weights& weights, const Geometry& geometry)
        : geometry_(geometry),
          image_{geometry.rows(), geometry.cols(), static_cast<std::size_t>(weights.channels)},
          base_{Floats(image_.size()), Floats(image_.size())},
          slope_(image_.size()) {
        for (int row = 0; row < image_.rows; ++row)
            for (int col = 0; col < image_.cols; ++col) lay(weights, row, col);
    }

    const Geometry& geometry() const { return geometry_; }
    const Image& image() const { return image_; }
    // Sums at every cell of the image, before the marks are added.
    const Floats& base(int stones) const { return base_[static_cast<std::size_t>(stones % 2)]; }
    // What is added for a plane of ones in place of the number of free cells.
    const Floats& slope() const { return slope_; }

private:
    void lay(const Weights& weights, int row, int col) {
        const std::size_t channels = image_.channels, place = image_.at(row, col);
        for (std::size_t i = 0; i < channels; ++i)
            for (Floats& base : base_) base[place + i] = weights.stem.bias[i];
        for (int tap = 0; tap < kTaps; ++tap) {
            const int from_row = row + tap / 3 - 1, from_col = col + tap % 3 - 1;
            if (from_row < 0 || from_row >= image_.rows || from_col < 0 || from_col >= image_.cols) continue;
            const auto add = [&](int plane, float value, Floats& to) {
                const float* line = &weights.stem.weights[static_cast<std::size_t>(tap * kPlanes + plane) * channels];
                for (std::size_t i = 0; i < channels; ++i) to[place + i] += value * line[i];
            };
            for (int stones = 0; stones < 2; ++stones)
                for (const int plane : {kBoard, kHole, kOddBelow, kOddFree, kOddStones})
                    add(plane, ground_at(geometry_, plane, from_row, from_col, stones),
                        base_[static_cast<std::size_t>(stones)]);
            add(kFree, 1, slope_);
        }
    }

    Geometry geometry_;
    Image image_;
    std::array<Floats, 2> base_;
    Floats slope_;
};

}  // namespace fourfall::network
