// Bounds from follow-up play: a player who always answers directly above the opponent's stone decides in advance which
// side gets which cell.
#pragma once

#include <array>
#include <bit>

#include "game/lines.hpp"
#include "game/position.hpp"

namespace fourfall::solver {

// Bounds on the result for the side to move: loss (-1), draw (0) or win (1). They say nothing about the distance: a
// proven win may take until the last cell of the board.
struct ResultBounds {
    int lower = -1;
    int upper = 1;
};

// The side that moved last is the follower; the side to move is the opponent. A cell directly below a cell where the
// follower could complete four is taboo: the opponent must not play there. The follower does not play there either, so
// the column ends below the taboo cell. The free cells of every column are paired from its end downwards. In a column
// with an even number of cells the follower answers every stone directly above it and gets the upper cells. In two
// columns with an odd number, the two landing cells form a pair, one for each side. The opponent gets the lower cells,
// one of each two odd landing cells, and at most one taboo cell as the last stone of the game. If these cells contain
// no four, the opponent cannot win; and if there is a taboo cell, it runs out of other moves and loses. (Allis 1988
// calls the parts claimeven, baseinverse and zugzwang. The hole changes which rows are upper cells in its column; the
// pairs take this into account.)
template <class L>
class Pairing {
public:
    using Bits = typename L::Bits;
    // Greater than any value: follow-up play proves no bound.
    static constexpr int kNoBound = kMaxCells;

    explicit Pairing(const Masks<L>& masks) : masks_(masks) {
        for (int col = 0; col < masks.cols; ++col) {
            int from_top = 0;
            for (int height = masks.rows - 1; height >= 0; --height) {
                const Bits cell = L::cell(height, col);
                for (int i = 0; i < kDoublings; ++i) {
                    if (height >= 1 << i) raised_[i] |= cell;
                    if (height < masks.rows - (1 << i)) lowered_[i] |= cell;
                }
                if ((cell & masks.hole).none() && from_top++ % 2 == 0) upper_ |= cell;
            }
        }
    }

    // Returns an upper bound on the value of the position (see alpha_beta.hpp) against follow-up play, or kNoBound.
    // Neither side must have won; `threats` are position.their_threats(). The follower may ignore a taboo cell. A taboo
    // cell that is a lower cell only takes cells from the opponent. One that is an upper cell swaps the pairs below it:
    // the bound is tried with and without it.
    template <class Lines>
    FOURFALL_FLATTENED int upper_bound(const Position<L>& position, const Bits& threats) const {
        const Bits taboo = taboo_cells(position, threats), optional = taboo & upper_;
        Bits ignored{};
        while (true) {
            const int bound = bound_with_taboo<Lines>(position, taboo & ~ignored);
            if (bound < kNoBound || ignored == optional) return bound;
            ignored = next_subset(optional, ignored);
        }
    }

    // A side that can no longer complete a line cannot win.
    template <class Lines>
    FOURFALL_FLATTENED ResultBounds bound_by_open_lines(const Position<L>& position) const {
        const Bits free = position.free_cells(masks_);
        return {Lines::has_four(position.theirs | free) ? -1 : 0, Lines::has_four(position.mine | free) ? 1 : 0};
    }

    // Returns the bounds that open lines and follow-up play prove without a search. Neither side must have won.
    ResultBounds bound_result(const Position<L>& position) const {
        ResultBounds bounds = bound_by_open_lines<ScalarLines<L>>(position);
        if (const int bound = bound_with_fixed_pairs(position); bound <= 0) bounds.upper = bound < 0 ? -1 : 0;
        // A stone in the only odd column may make the side to move the follower.
        if (const Bits odd = position.drops(masks_) & upper_; odd.any() && !odd.has_several())
            if (const int bound = bound_with_fixed_pairs(position.play(odd)); bound <= 0)
                bounds.lower = bound < 0 ? 1 : 0;
        return bounds;
    }

    // The cells above the given ones in their columns.
    FOURFALL_FLATTENED Bits cells_above(const Bits& cells) const { return fill_up((cells << 1) & raised_[0]); }

private:
    // Number of doubling steps from one end of a column to the other.
    static constexpr int kDoublings = std::bit_width(static_cast<unsigned>(L::kStride - 2));

    // The given cells and all cells above, or below, them.
    FOURFALL_FLATTENED Bits fill_up(Bits cells) const {
        for (int i = 0; i < kDoublings; ++i) cells |= (cells << (1 << i)) & raised_[i];
        return cells;
    }
    FOURFALL_FLATTENED Bits fill_down(Bits cells) const {
        for (int i = 0; i < kDoublings; ++i) cells |= (cells >> (1 << i)) & lowered_[i];
        return cells;
    }

    // The cells where a stone of the opponent lets the follower complete four.
    FOURFALL_FLATTENED Bits taboo_cells(const Position<L>& position, const Bits& threats) const {
        return Position<L>::drops_below(masks_, threats) & position.free_cells(masks_);
    }

    // The bound with pairs counted from the top of the board, which give the follower the last cell of the board.
    int bound_with_fixed_pairs(const Position<L>& position) const {
        const Bits taboo = taboo_cells(position, position.their_threats(masks_));
        return bound_with_taboo<ScalarLines<L>>(position, taboo & ~upper_);
    }

    // The subset that follows `subset` if all subsets of `cells` are counted as binary numbers whose last digit is the
    // highest cell.
    static Bits next_subset(const Bits& cells, Bits subset) {
        for (Bits left = cells; left.any();) {
            const Bits cell = left.highest();
            subset ^= cell;
            if ((subset & cell).any()) break;
            left ^= cell;
        }
        return subset;
    }

    // Without the attribute the compiler makes a call of it and the solver executes 5 % more instructions.
    template <class Lines>
    [[gnu::always_inline]] inline int bound_with_taboo(const Position<L>& position, const Bits& taboo) const {
        const Bits free = position.free_cells(masks_);
        Bits cut{}, ends{}, swapped{};
        if (taboo.any()) {
            cut = fill_up(taboo);
            ends = cut & ~(cut << 1);
            swapped = fill_down(ends & upper_);
        }
        const Bits played = free & ~cut;
        const Bits upper = played & (upper_ ^ swapped);
        const Bits odd = position.drops(masks_) & upper;
        if (!prevents_four<Lines>(position.mine | (played & ~upper) | ends, odd)) return kNoBound;
        // The loser plays a taboo cell when no other cell is left; the winner would get half of the cells still free.
        if (cut.any()) return -((cut & free).count() / 2);
        return Lines::has_four(position.theirs | (upper & ~odd)) ? -1 : 0;
    }

    // Whether the opponent cannot make four from `cells` and one of each two odd landing cells. Up to four landing
    // cells are paired in every way. With more this would be wrong: the pairs are fixed before the first is played, but
    // the recursion would choose new pairs for each outcome of the first.
    template <class Lines>
    FOURFALL_FLATTENED static bool prevents_four(const Bits& cells, const Bits& odd) {
        const int columns = odd.count();
        if (columns % 2 != 0) return false;
        if (!Lines::has_four(cells | odd)) return true;
        if (columns == 0 || columns > 4 || Lines::has_four(cells)) return false;
        return columns == 2 ? has_good_pairs<Lines, 2>(cells, odd) : has_good_pairs<Lines, 4>(cells, odd);
    }
    template <class Lines, int kColumns>
    FOURFALL_FLATTENED static bool has_good_pairs(const Bits& cells, const Bits& odd) {
        if constexpr (kColumns == 0) {
            return !Lines::has_four(cells);
        } else {
            const Bits first = odd.lowest(), others = odd & ~first;
            for (Bits left = others; left.any(); left &= ~left.lowest()) {
                const Bits second = left.lowest(), rest = others & ~second;
                if (has_good_pairs<Lines, kColumns - 2>(cells | first, rest) &&
                    has_good_pairs<Lines, kColumns - 2>(cells | second, rest))
                    return true;
            }
            return false;
        }
    }

    Masks<L> masks_;
    Bits upper_{};  // the upper cells of the pairs if no column is cut
    // The cells that are reachable by a step of 1, 2, 4, ... rows up, or down.
    std::array<Bits, kDoublings> raised_{}, lowered_{};
};

}  // namespace fourfall::solver
