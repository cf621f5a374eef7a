// Owns what a network is shown of a position: sixteen planes, of which only the marks that change during a game are
// listed here; the rest follows from the board's shape and from two counts (ground.hpp).
//
//  0 my stones, 1 their stones, 2 the board, 3 the hole, 4 drops, 5 free cells that complete four for me, 6 for them,
//  7 free cells that make three of an open window of four for me, 8 for them, 9 whether an odd number of playable
//  cells lies below, 10 whether an odd number of cells is free, 11 safe drops, 12 whether there is an odd number of
//  stones, 13 the cell that opens above each drop, 14 the number of free cells / 144, 15 nothing.
//
// "I" am the side to move. 10, 12 and 14 are the same on the whole board.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "game/position.hpp"

namespace fourfall::network {

enum Plane : std::uint8_t {
    kMine,
    kTheirs,
    kBoard,
    kHole,
    kDrops,
    kMyFours,
    kTheirFours,
    kMyThrees,
    kTheirThrees,
    kOddBelow,
    kOddFree,
    kSafe,
    kOddStones,
    kSeconds,
    kFree
};

struct Mark {
    std::uint8_t plane, height, col;
};

class Picture {
public:
    template <class L>
    Picture(const Position<L>& position, const Masks<L>& masks) : stones_(position.stones()) {
        const auto free = position.free(masks), drops = position.drops(masks);
        free_ = free.count();
        landing_.fill(-1);
        for (auto left = drops; left.any(); left &= ~left.lowest()) {
            const int index = left.lowest_index();
            landing_[static_cast<std::size_t>(L::col_of(index))] = static_cast<std::int8_t>(L::height_of(index));
        }
        mark<L>(kMine, position.mine);
        mark<L>(kTheirs, position.theirs);
        mark<L>(kDrops, drops);
        mark<L>(kMyFours, L::completing(position.mine) & free);
        mark<L>(kTheirFours, L::completing(position.theirs) & free);
        mark<L>(kMyThrees, threes<L>(position.mine, free));
        mark<L>(kTheirThrees, threes<L>(position.theirs, free));
        mark<L>(kSafe, position.safe(masks));
        mark<L>(kSeconds, position.seconds(masks) & ~drops);
    }

    std::span<const Mark> marks() const { return {marks_.data(), count_}; }
    int stones() const { return stones_; }
    int free() const { return free_; }
    // The height at which a stone lands in a column, -1 where it is full.
    int landing(int col) const { return landing_[static_cast<std::size_t>(col)]; }

private:
    template <class L>
    void mark(Plane plane, typename L::Bits cells) {
        for (; cells.any(); cells &= ~cells.lowest()) {
            const int index = cells.lowest_index();
            marks_[count_++] = {plane, static_cast<std::uint8_t>(L::height_of(index)),
                                static_cast<std::uint8_t>(L::col_of(index))};
        }
    }

    // The free cells of windows of four that hold two of these stones and two free cells.
    template <class L>
    static typename L::Bits threes(const typename L::Bits& stones, const typename L::Bits& free) {
        const auto open = stones | free;
        typename L::Bits found{};
        for (const int step : L::kLines) {
            const auto ends = open & (open >> step);
            const auto windows = ends & (ends >> (2 * step));
            const auto b = stones >> step, c = stones >> (2 * step), d = stones >> (3 * step);
            // Two of four: one in each half, or both in one of them.
            const auto low_one = stones ^ b, low_two = stones & b, high_one = c ^ d, high_two = c & d;
            const auto low_none = ~(stones | b), high_none = ~(c | d);
            const auto two = windows & ((low_one & high_one) | (low_two & high_none) | (low_none & high_two));
            found |= two | (two << step) | (two << (2 * step)) | (two << (3 * step));
        }
        return found & free;
    }

    static constexpr std::size_t kMarkedPlanes = 9;

    int stones_, free_ = 0;
    std::array<std::int8_t, kMaxSide> landing_{};
    std::size_t count_ = 0;
    std::array<Mark, kMarkedPlanes * kMaxCells> marks_;
};

}  // namespace fourfall::network
