// Counts move sequences in the fastest layout that holds the board.
#include "game/perft.hpp"

namespace fourfall {
namespace {

// Counting to this depth takes far less than 0.1 s and is not interrupted.
constexpr int kPollDepth = 7;

template <class L>
std::uint64_t count(const Position<L>& position, const Masks<L>& masks, int depth) {
    const auto drops = position.drops(masks);
    if (depth == 1) return static_cast<std::uint64_t>(drops.count());
    std::uint64_t total = 0;
    for (int col = 0; col < masks.cols; ++col) {
        const auto drop = drops & masks.column[col];
        if (drop.none()) continue;
        const Position<L> next = position.play(drop);
        if (!next.is_lost()) total += count(next, masks, depth - 1);
    }
    return total;
}

template <class L>
std::uint64_t count_interruptibly(const Position<L>& position, const Masks<L>& masks, int depth, const Poll& poll) {
    if (depth <= kPollDepth) {
        poll();
        return count(position, masks, depth);
    }
    std::uint64_t total = 0;
    for (int col = 0; col < masks.cols; ++col) {
        const auto drop = position.drops(masks) & masks.column[col];
        if (drop.none()) continue;
        const Position<L> next = position.play(drop);
        if (!next.is_lost()) total += count_interruptibly(next, masks, depth - 1, poll);
    }
    return total;
}

}  // namespace

std::uint64_t perft(const Board& board, int depth, const Poll& poll) {
    if (depth == 0) return 1;
    if (board.is_over()) return 0;
    return with_layout(board.geometry().rows(), board.geometry().cols(), [&]<class L>(L) {
        return count_interruptibly(convert_layout<L, WideLayout>(board.position()), Masks<L>(board.geometry()), depth,
                                   poll);
    });
}

}  // namespace fourfall
