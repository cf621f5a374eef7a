// Owns the stones of one moment and every question the rules answer about them; always from the side to move.
#pragma once

#include "game/bits.hpp"
#include "game/masks.hpp"

namespace fourfall {

// A value of two cell sets. The hole is nobody's stone: it is occupied from the start and lives in the masks, which
// every question takes because a position alone does not know where the board ends.
template <class L>
struct Position {
    using Bits = typename L::Bits;

    Bits mine{};    // the side to move
    Bits theirs{};  // the side that moved last

    Bits occupied(const Masks<L>& masks) const { return mine | theirs | masks.hole; }
    Bits free(const Masks<L>& masks) const { return masks.board & ~occupied(masks); }
    int stones() const { return mine.count() + theirs.count(); }

    // The cells on which a stone could land now, one in every column that is not full.
    Bits drops(const Masks<L>& masks) const { return L::landing(occupied(masks), masks.bottom) & masks.board; }
    // The cells that open up when every drop is filled, past the hole where it lies between.
    Bits seconds(const Masks<L>& masks) const {
        const Bits filled = occupied(masks);
        return L::landing(filled | (L::landing(filled, masks.bottom) & masks.board), masks.bottom) & masks.board;
    }
    // The drops on which a stone opens one of the given cells (a subset of seconds()).
    static Bits under(const Masks<L>& masks, const Bits& cells) {
        const Bits below = cells >> 1;
        return (below & ~masks.hole) | ((below & masks.hole) >> 1);
    }

    // The position after a stone on one of the drops, seen by the other side.
    Position play(const Bits& drop) const { return {theirs, mine | drop}; }

    // Whether the side that moved last has four in line: the only way a position can be won.
    bool is_lost() const { return L::has_four(theirs); }

    // The opponent's threats: free cells that would complete four, whether or not a stone can land there yet.
    Bits their_threats(const Masks<L>& masks) const { return L::completing(theirs) & free(masks); }

    // The drops that win at once.
    Bits wins(const Masks<L>& masks) const { return L::completing(mine) & drops(masks); }

    // The drops after which the opponent cannot win at once: none where two replies win, only the block where one
    // does, and never directly under a winning cell. Own wins are not preferred; ask wins() first.
    Bits safe(const Masks<L>& masks) const {
        const Bits now = drops(masks);
        const Bits threats = their_threats(masks);
        const Bits forced = threats & now;
        if (forced.several()) return {};
        return (forced.any() ? forced : now) & ~under(masks, seconds(masks) & threats);
    }

    // Distinct for every position of one geometry: the stones of the side to move below a marker on each column's
    // lowest free cell. The opponent's stones are what else lies below the markers.
    Bits key(const Masks<L>& masks) const { return mine | L::landing(occupied(masks), masks.bottom); }

    // The position reflected left and right; the same game only on a symmetric board.
    Position mirror(const Masks<L>& masks) const {
        assert(masks.symmetric);
        return {mirrored(mine, masks), mirrored(theirs, masks)};
    }

    friend bool operator==(const Position&, const Position&) = default;

private:
    static Bits mirrored(Bits cells, const Masks<L>& masks) {
        Bits out{};
        for (; cells.any(); cells &= ~cells.lowest()) {
            const int index = cells.lowest_index();
            out |= L::cell(L::height_of(index), masks.cols - 1 - L::col_of(index));
        }
        return out;
    }
};

// The same stones in another layout.
template <class To, class From>
typename To::Bits relaid(typename From::Bits cells) {
    typename To::Bits out{};
    for (; cells.any(); cells &= ~cells.lowest()) {
        const int index = cells.lowest_index();
        out |= To::cell(From::height_of(index), From::col_of(index));
    }
    return out;
}
template <class To, class From>
Position<To> relaid(const Position<From>& position) {
    return {relaid<To, From>(position.mine), relaid<To, From>(position.theirs)};
}

}  // namespace fourfall
