// Position: the stones of both sides, seen from the side to move, and the rules as operations on them.
#pragma once

#include <algorithm>

#include "game/bits.hpp"
#include "game/masks.hpp"

namespace fourfall {

// A value type of two cell sets. A position does not know its board: the size and the hole are in the masks, which most
// functions take. The hole counts as occupied but belongs to no player.
template <class L>
struct Position {
    using Bits = typename L::Bits;

    Bits mine{};    // stones of the side to move
    Bits theirs{};  // stones of the opponent

    Bits occupied(const Masks<L>& masks) const { return mine | theirs | masks.hole; }
    Bits free_cells(const Masks<L>& masks) const { return masks.board & ~occupied(masks); }
    int stones() const { return mine.count() + theirs.count(); }

    // The cells on which the next stone can land, one in every column that is not full.
    Bits drops(const Masks<L>& masks) const { return L::landing_cells(occupied(masks), masks.bottom) & masks.board; }
    // The landing cells after a stone on each of the drops, above the hole if that comes next.
    Bits next_drops(const Masks<L>& masks) const {
        const Bits filled = occupied(masks);
        return L::landing_cells(filled | (L::landing_cells(filled, masks.bottom) & masks.board), masks.bottom) &
               masks.board;
    }
    // The drops whose occupation makes the given cells, a subset of next_drops(), available.
    static Bits drops_below(const Masks<L>& masks, const Bits& cells) {
        const Bits below = cells >> 1;
        return (below & ~masks.hole) | ((below & masks.hole) >> 1);
    }

    // The position after a stone on the given drop, seen from the other side.
    Position play(const Bits& drop) const { return {theirs, mine | drop}; }

    // Whether the opponent, who moved last, has four in a row.
    bool is_lost() const { return L::has_four(theirs); }

    // The opponent's threats: free cells that would complete four, including cells that are not available yet.
    Bits their_threats(const Masks<L>& masks) const { return L::completing_cells(theirs) & free_cells(masks); }

    // The drops that win immediately.
    Bits winning_drops(const Masks<L>& masks) const { return L::completing_cells(mine) & drops(masks); }

    // The drops after which the opponent cannot win immediately: none if two replies win, only the block if one does,
    // and never directly below a winning cell of the opponent. Own wins are not preferred; check winning_drops() first.
    Bits safe_drops(const Masks<L>& masks) const { return safe_drops(masks, their_threats(masks)); }
    // The same for a caller that knows their_threats().
    FOURFALL_FLATTENED Bits safe_drops(const Masks<L>& masks, const Bits& threats) const {
        const Bits now = drops(masks);
        const Bits forced = threats & now;
        if (forced.has_several()) return {};
        return (forced.any() ? forced : now) & ~drops_below(masks, next_drops(masks) & threats);
    }

    // Unique among the positions of one geometry: the stones of the side to move plus a marker on the lowest free cell
    // of each column. The other cells below the markers are the opponent's stones.
    Bits key(const Masks<L>& masks) const { return mine | L::landing_cells(occupied(masks), masks.bottom); }

    // The position reflected left to right. Requires a symmetric board.
    Position mirror(const Masks<L>& masks) const {
        assert(masks.is_symmetric);
        return {L::mirror(mine, masks.cols), L::mirror(theirs, masks.cols)};
    }

    friend bool operator==(const Position&, const Position&) = default;
};

// Converts cells of a board that fits both layouts from one to the other.
template <class To, class From>
typename To::Bits convert_layout(const typename From::Bits& cells) {
    typename To::Bits out{};
    for (int col = 0; col < std::min(To::kMaxCols, From::kMaxCols); ++col)
        To::add_column(out, col, From::get_column(cells, col));
    return out;
}
template <class To, class From>
Position<To> convert_layout(const Position<From>& position) {
    return {convert_layout<To, From>(position.mine), convert_layout<To, From>(position.theirs)};
}

}  // namespace fourfall
