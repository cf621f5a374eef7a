// Random choice of a column, uniform or weighted towards the centre.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "game/bits.hpp"
#include "game/random.hpp"
#include "search/tree/config.hpp"

namespace fourfall::tree {

// Weights rise by one from each edge to the centre, which has twice the weight of an edge: 4 5 6 7 8 7 6 5 4 on nine
// columns.
constexpr int centre_weight(int col, int cols) { return std::max(1, (cols - 1) / 2) + std::min(col, cols - 1 - col); }

// Lists each column as often as its weight and samples uniformly from the list. Full columns are not excluded.
class ColumnSampler {
public:
    ColumnSampler(ColumnWeights weights, int cols) {
        for (int col = 0; col < cols; ++col)
            for (int i = weights == ColumnWeights::kCentre ? centre_weight(col, cols) : 1; i > 0; --i)
                columns_[size_++] = static_cast<std::uint8_t>(col);
    }
    int sample(Random& random) const { return columns_[random.below(size_)]; }

private:
    std::array<std::uint8_t, kMaxSide * kMaxSide> columns_{};
    std::uint32_t size_ = 0;
};

}  // namespace fourfall::tree
