// Owns what follow-up play proves: a player who always answers on top of the opponent's stone fixes who gets which
// cell.
#pragma once

#include <algorithm>

#include "game/position.hpp"

namespace fourfall::solver {

// What a position promises its side to move: at least and at most a loss (-1), a draw (0) or a win (1).
struct Promise {
    int lower = -1;
    int upper = 1;
};

// Number the cells of each column in the order in which stones reach them and pair them off from the top. While the
// number of free cells is even in every column, the side that moved last can answer every stone in its own column,
// directly above it. Then the side to move only ever gets the lower cells of the pairs and the other side the upper
// ones, which settles what the side to move can still hope for. (Allis 1988 calls it claimeven; the hole changes who
// gets which row in its column, and the pairs know.)
template <class L>
class Pairing {
public:
    using Bits = typename L::Bits;

    explicit Pairing(const Masks<L>& masks) : masks_(masks) {
        for (int col = 0; col < masks.cols; ++col) {
            int from_top = 0;
            for (int height = masks.rows - 1; height >= 0; --height) {
                const Bits cell = L::cell(height, col);
                if ((cell & masks.hole).any()) continue;
                (from_top++ % 2 == 0 ? upper_ : lower_) |= cell;
            }
        }
    }

    // What the board shows without a search: follow-up play, and sides that cannot complete any line any more. Nobody
    // must have won.
    Promise promise(const Position<L>& position) const {
        Promise out;
        const Bits free = position.free(masks_);
        const Bits odd = this->odd(position.drops(masks_));
        if (odd.none() && holds(position, free))
            out.upper = wins(position, free) ? -1 : 0;
        else if (!L::has_four(position.mine | free))
            out.upper = 0;
        if (!L::has_four(position.theirs | free)) out.lower = 0;
        // One stone in the only odd column makes the side to move the one that follows up.
        if (odd.any() && !odd.several()) {
            const Position<L> next = position.play(odd);
            if (const Bits left = free & ~odd; holds(next, left))
                out.lower = std::max(out.lower, wins(next, left) ? 1 : 0);
        }
        return out;
    }

private:
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

    Masks<L> masks_;
    Bits lower_{}, upper_{};
};

}  // namespace fourfall::solver
