// Computes the part of the first layer that depends only on the geometry.
#include "search/network/stem_constants.hpp"

#include "search/network/input_planes.hpp"

namespace fourfall::network {

StemConstants::StemConstants(const WeightsFile& weights, const Geometry& geometry)
    : layout_{geometry.rows(), geometry.cols(), static_cast<std::size_t>(weights.channels)},
      base_{Floats(layout_.size()), Floats(layout_.size())},
      free_slope_(layout_.size()) {
    for (int row = 0; row < layout_.rows; ++row)
        for (int col = 0; col < layout_.cols; ++col) add_cell(weights, geometry, row, col);
}

void StemConstants::add_cell(const WeightsFile& weights, const Geometry& geometry, int row, int col) {
    const std::size_t channels = layout_.channels, start = layout_.at(row, col);
    for (std::size_t i = 0; i < channels; ++i)
        for (Floats& base : base_) base[start + i] = weights.stem.bias[i];
    for (int tap = 0; tap < kTaps; ++tap) {
        const int from_row = row + tap / 3 - 1, from_col = col + tap % 3 - 1;
        if (from_row < 0 || from_row >= layout_.rows || from_col < 0 || from_col >= layout_.cols) continue;
        const auto add = [&](int plane, float value, Floats& to) {
            const float* taps = &weights.stem.weights[static_cast<std::size_t>(tap * kPlanes + plane) * channels];
            for (std::size_t i = 0; i < channels; ++i) to[start + i] += value * taps[i];
        };
        for (int stones = 0; stones < 2; ++stones)
            for (const int plane : {kBoard, kHole, kOddBelow, kOddFree, kOddStones})
                add(plane, constant_plane_value(geometry, plane, from_row, from_col, stones),
                    base_[static_cast<std::size_t>(stones)]);
        add(kFreeShare, 1, free_slope_);
    }
}

}  // namespace fourfall::network
