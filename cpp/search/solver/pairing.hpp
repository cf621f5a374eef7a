// Owns what follow-up play proves: a player who always answers on top of the opponent's stone fixes who gets which
// cell.
#pragma once

#include "game/position.hpp"

namespace fourfall::solver {

// Number the cells of each column in the order in which stones reach them and pair them off from the top. While the
// number of free cells is even in every column, the side that moved last can answer every stone in its own column,
// directly above it. Then the side to move only ever gets the lower cells of the pairs and the other side the upper
// ones, which settles what the side to move can still hope for. (Allis 1988 calls it claimeven; the hole changes who
// gets which row in its column, and the pairs know.)
template <class L>
class Pairing {
public:
    using Bits = typename L::Bits;

    explicit Pairing(const Masks<L>& masks) {
        for (int col = 0; col < masks.cols; ++col) {
            int from_top = 0;
            for (int height = masks.rows - 1; height >= 0; --height) {
                const Bits cell = L::cell(height, col);
                if ((cell & masks.hole).any()) continue;
                (from_top++ % 2 == 0 ? upper_ : lower_) |= cell;
            }
        }
    }

    // The drops in columns with an odd number of free cells; the pairing applies where there are none.
    Bits odd(const Bits& drops) const { return drops & upper_; }

    // Whether, where it applies, the side to move cannot win against follow-up play.
    bool holds(const Position<L>& position, const Bits& free) const {
        return !L::has_four(position.mine | (free & lower_));
    }
    // Whether, where it holds, follow-up play even wins.
    bool wins(const Position<L>& position, const Bits& free) const {
        return L::has_four(position.theirs | (free & upper_));
    }

private:
    Bits lower_{}, upper_{};
};

}  // namespace fourfall::solver
