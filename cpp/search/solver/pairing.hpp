// Owns what follow-up play proves: a player who always answers on top of the opponent's stone fixes who gets which
// cell.
#pragma once

#include <array>
#include <bit>

#include "game/position.hpp"

namespace fourfall::solver {

// What a position promises its side to move: at least and at most a loss (-1), a draw (0) or a win (1).
// Who is promised a win would also have the last cell of the board.
struct Promise {
    int lower = -1;
    int upper = 1;
};

// The side that moved last is the follower, the side to move its opponent. Where the follower could complete four, the
// opponent must not play the cell below: call it taboo. The follower leaves it alone too, so the column ends there.
// Pair off the free cells of every column from its end downwards. In an even column the follower answers every stone
// directly above it and gets the upper cells; two odd columns are a pair by their drops, one for each side. The
// opponent gets the lower cells, one of each two odd drops, and nothing else but a taboo cell to end the game with. If
// that holds no four it cannot win, and where there is a taboo cell it runs out of other moves and loses.
// (Allis 1988 calls the parts claimeven, baseinverse and zugzwang; the hole changes who gets which row in its column,
// and the pairs know.)
template <class L>
class Pairing {
public:
    using Bits = typename L::Bits;
    // More than any value: follow-up play shows nothing.
    static constexpr int kNothing = kMaxCells;

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

    // The most that the side to move can reach against follow-up play, in the values of alpha_beta.hpp. Nobody must
    // have won.
    int most(const Position<L>& position) const {
        const Bits taboo = this->taboo(position);
        return most(position, taboo, taboo & upper_);
    }

    // A side that cannot complete any line any more cannot win.
    Promise open_lines(const Position<L>& position) const {
        const Bits free = position.free(masks_);
        return {L::has_four(position.theirs | free) ? -1 : 0, L::has_four(position.mine | free) ? 1 : 0};
    }

    // What the board shows without a search. Nobody must have won.
    Promise promise(const Position<L>& position) const {
        Promise out = open_lines(position);
        if (const int bound = steady(position); bound <= 0) out.upper = bound < 0 ? -1 : 0;
        // A stone in the only odd column may make the side to move the one that follows up.
        if (const Bits odd = position.drops(masks_) & upper_; odd.any() && !odd.several())
            if (const int bound = steady(position.play(odd)); bound <= 0) out.lower = bound < 0 ? 1 : 0;
        return out;
    }

    // The cells above the given ones in their columns.
    Bits above(const Bits& cells) const { return up((cells << 1) & raised_[0]); }

private:
    // So many doubled steps lead from one end of a column to the other.
    static constexpr int kDoublings = std::bit_width(static_cast<unsigned>(L::kStride - 2));

    // The given cells and all above, or below, them.
    Bits up(Bits cells) const {
        for (int i = 0; i < kDoublings; ++i) cells |= (cells << (1 << i)) & raised_[i];
        return cells;
    }
    Bits down(Bits cells) const {
        for (int i = 0; i < kDoublings; ++i) cells |= (cells >> (1 << i)) & lowered_[i];
        return cells;
    }

    // Where the opponent must not play, or the follower answers with four.
    Bits taboo(const Position<L>& position) const {
        return Position<L>::under(masks_, position.their_threats(masks_)) & position.free(masks_);
    }

    // The bound with the pairs as they are counted from the top of the board, which give the follower its last cell.
    int steady(const Position<L>& position) const { return followed(position, taboo(position) & ~upper_); }

    // The follower need not respect a taboo cell. One that is the lower of a pair only takes cells from the opponent;
    // one that is the upper swaps the pairs below it, so it is `doubtful`, and leaving it out may show more.
    int most(const Position<L>& position, const Bits& taboo, const Bits& doubtful) const {
        if (doubtful.none()) return followed(position, taboo);
        const Bits one = doubtful.lowest(), others = doubtful & ~one;
        const int bound = most(position, taboo, others);
        return bound < kNothing ? bound : most(position, taboo & ~one, others);
    }

    int followed(const Position<L>& position, const Bits& taboo) const {
        const Bits free = position.free(masks_);
        Bits cut{}, ends{}, swapped{};
        if (taboo.any()) {
            cut = up(taboo);
            ends = cut & ~(cut << 1);
            swapped = down(ends & upper_);
        }
        const Bits played = free & ~cut;
        const Bits upper = played & (upper_ ^ swapped);
        const Bits odd = position.drops(masks_) & upper;
        if (!stops(position.mine | (played & ~upper) | ends, odd)) return kNothing;
        // The loser plays its taboo cell when nothing else is left; of the cells then free the winner had half.
        if (cut.any()) return -((cut & free).count() / 2);
        return L::has_four(position.theirs | (upper & ~odd)) ? -1 : 0;
    }

    // Whether the opponent, who gets these cells and one of each two odd drops, cannot make four. Up to four drops are
    // paired in every way. With more this would be wrong: the pairs are fixed before the first is played, and here
    // what is left would be paired anew for either outcome of the first.
    static bool stops(const Bits& cells, const Bits& odd) {
        const int columns = odd.count();
        if (columns % 2 != 0) return false;
        if (!L::has_four(cells | odd)) return true;
        if (columns == 0 || columns > 4 || L::has_four(cells)) return false;
        const Bits first = odd.lowest(), others = odd & ~first;
        for (Bits left = others; left.any(); left &= ~left.lowest()) {
            const Bits second = left.lowest(), rest = others & ~second;
            if (stops(cells | first, rest) && stops(cells | second, rest)) return true;
        }
        return false;
    }

    Masks<L> masks_;
    Bits upper_{};  // the upper cells of the pairs while no column is cut
    // The cells that a step of 1, 2, 4, ... rows up, or down, can lead to.
    std::array<Bits, kDoublings> raised_{}, lowered_{};
};

}  // namespace fourfall::solver
