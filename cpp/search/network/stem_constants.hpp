// The part of the first layer (the stem) that depends only on the geometry, computed once per board.
//
// Most input planes are ones and zeros, so the first convolution only adds rows of weights. The sums over the constant
// planes are the same in all positions with an even number of stones, and in all with an odd number; the sum over the
// plane of the free cells is proportional to their number.
#pragma once

#include <array>

#include "game/aligned.hpp"
#include "game/geometry.hpp"
#include "search/network/activation_layout.hpp"
#include "search/network/weights_file.hpp"

namespace fourfall::network {

class StemConstants {
public:
    StemConstants(const WeightsFile& weights, const Geometry& geometry);

    const ActivationLayout& layout() const { return layout_; }
    // Bias and constant planes, for a number of stones.
    const Floats& base(int stones) const { return base_[static_cast<std::size_t>(stones % 2)]; }
    // The plane of the free cells, for the value 1 on the whole board.
    const Floats& free_slope() const { return free_slope_; }

private:
    void add_cell(const WeightsFile& weights, const Geometry& geometry, int row, int col);

    ActivationLayout layout_;
    std::array<Floats, 2> base_;
    Floats free_slope_;
};

}  // namespace fourfall::network
