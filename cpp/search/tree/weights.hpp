// Owns columns drawn by chance, uniform or weighted towards the centre.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "game/bits.hpp"
#include "game/random.hpp"
#include "search/tree/config.hpp"

namespace fourfall::tree {

// Weights rise by one from each edge to the centre, which weighs twice the edge: 4 5 6 7 8 7 6 5 4 on nine columns.
constexpr int centre_weight(int col, int cols) { return std::max(1, (cols - 1) / 2) + std::min(col, cols - 1 - col); }

// A ticket for every unit of weight; drawing is picking a ticket.
class ColumnLottery {
public:
    ColumnLottery(Weights weights, int cols) {
        for (int col = 0; col < cols; ++col)
            for (int i = weights == Weights::kCentre ? centre_weight(col, cols) : 1; i > 0; --i)
                tickets_[size_++] = static_cast<std::uint8_t>(col);
    }
    int draw(Random& random) const { return tickets_[random.below(size_)]; }

private:
    std::array<std::uint8_t, kMaxSide * kMaxSide> tickets_{};
    std::uint32_t size_ = 0;
};

}  // namespace fourfall::tree
