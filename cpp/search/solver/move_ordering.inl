// Move ordering of the alpha-beta search, and the tests that refute a position before its moves are searched. Part of
// alpha_beta.hpp.
#include "search/solver/alpha_beta.hpp"

namespace fourfall::solver {

// Orders the moves: the table's move first, then by the number of winning cells that a move makes, then from the centre
// outwards. A winning cell above one of the opponent does not count, because the column is rarely filled that far.
template <class L>
template <class Lines>
FOURFALL_FLATTENED int AlphaBeta<L>::order_moves(const Position<L>& position, const Bits& moves,
                                                 const Bits& their_threats, int table_move, Moves& out) const {
    const Bits free = position.free_cells(masks_), counted = free & ~pairing_.cells_above(their_threats);
    int count = 0;
    for (int i = 0; i < masks_.cols; ++i) {
        const int column = column_order_[i];
        const Bits drop = moves & masks_.column[column];
        if (drop.none()) continue;
        const Bits threats = Lines::completing_cells(position.mine | drop) & free & ~drop;
        const int priority = column == table_move ? kMaxCells : (threats & counted).count();
        int at = count++;
        for (; at > 0 && out[at - 1].priority < priority; --at) out[at] = out[at - 1];
        out[at] = {drop, threats, column, priority, kMaxCells, {}};
    }
    return count;
}

// Whether follow-up play after some move proves a value of at least beta.
template <class L>
template <class Lines>
FOURFALL_FLATTENED bool AlphaBeta<L>::follow_up_refutes(const Position<L>& position, const Moves& moves, int count,
                                                        int beta, int& value) const {
    for (int i = 0; i < count; ++i) {
        value = -pairing_.template upper_bound<Lines>(position.play(moves[i].drop), moves[i].threats);
        if (value >= beta) return true;
    }
    return false;
}

// Prefetches the table entries of the replies. The fetch takes about as long as follow_up_refutes().
template <class L>
FOURFALL_FLATTENED void AlphaBeta<L>::prefetch_replies(const Position<L>& position, int n, Moves& moves,
                                                       int count) const {
    for (int i = 0; i < count; ++i) moves[i].reply_key = position.play(moves[i].drop).key(masks_);
    if (has_mirrored_keys(n + 1)) {
        const Position<L> image = position.mirror(masks_);
        const Bits drops = image.drops(masks_);
        for (int i = 0; i < count; ++i) {
            const Bits drop = drops & masks_.column[mirror_column(moves[i].column, true)];
            moves[i].reply_key = std::min(moves[i].reply_key, image.play(drop).key(masks_));
        }
    }
    for (int i = 0; i < count; ++i) table_.prefetch(moves[i].reply_key);
}

// Whether the table entry after some move proves a value of at least beta. Sets the upper bound of each move.
template <class L>
FOURFALL_FLATTENED bool AlphaBeta<L>::table_refutes(Moves& moves, int count, int beta, int& value) const {
    for (int i = 0; i < count; ++i) {
        TableBounds reply;
        if (!table_.find(moves[i].reply_key, reply)) continue;
        moves[i].upper = -reply.lower;
        value = -reply.upper;
        if (value >= beta) return true;
    }
    return false;
}

}  // namespace fourfall::solver
