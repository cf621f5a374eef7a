// Input planes of the network: sixteen feature planes of a position, for the side to move.
//
//  0 own stones, 1 opposing stones, 2 ones on the whole board, 3 the hole, 4 drops, 5 free cells that complete four for
//  the side to move, 6 for the opponent, 7 free cells that make three in an open window of four for the side to move,
//  8 for the opponent, 9 whether the number of playable cells below is odd, 10 whether the number of free cells is odd,
//  11 safe drops, 12 whether the number of stones is odd, 13 the cell above each drop, 14 the number of free cells /
//  144, 15 zeros.
//
// Planes 2, 10, 12, 14 and 15 have the same value on the whole board. InputPlanes lists the cells with value 1 of the
// nine planes that depend on the stones; the other planes follow from the geometry and the number of stones
// (constant_plane_value).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "game/geometry.hpp"
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
    kNextDrops,
    kFreeShare
};

// One cell with the value 1.
struct PlaneCell {
    std::uint8_t plane, height, col;
};

// Value of plane 14.
constexpr float free_share(int free_cells) { return static_cast<float>(free_cells) / static_cast<float>(kMaxCells); }

// Value at a cell of a plane that depends only on the geometry and the number of stones; 0 for the other planes. Rows
// count from the bottom.
float constant_plane_value(const Geometry& geometry, int plane, int row, int col, int stones);

class InputPlanes {
public:
    template <class L>
    InputPlanes(const Position<L>& position, const Masks<L>& masks) : stones_(position.stones()) {
        const auto free = position.free_cells(masks), drops = position.drops(masks);
        free_cells_ = free.count();
        landing_height_.fill(-1);
        for (auto left = drops; left.any(); left &= ~left.lowest()) {
            const int index = left.lowest_index();
            landing_height_[static_cast<std::size_t>(L::col_of(index))] = static_cast<std::int8_t>(L::height_of(index));
        }
        add<L>(kMine, position.mine);
        add<L>(kTheirs, position.theirs);
        add<L>(kDrops, drops);
        add<L>(kMyFours, L::completing_cells(position.mine) & free);
        add<L>(kTheirFours, L::completing_cells(position.theirs) & free);
        add<L>(kMyThrees, threes<L>(position.mine, free));
        add<L>(kTheirThrees, threes<L>(position.theirs, free));
        add<L>(kSafe, position.safe_drops(masks));
        add<L>(kNextDrops, position.next_drops(masks) & ~drops);
    }

    std::span<const PlaneCell> cells() const { return {cells_.data(), count_}; }
    int stones() const { return stones_; }
    int free_cells() const { return free_cells_; }
    // Height at which a stone lands in a column; -1 if the column is full.
    int landing_height(int col) const { return landing_height_[static_cast<std::size_t>(col)]; }

private:
    template <class L>
    void add(Plane plane, typename L::Bits cells) {
        for (; cells.any(); cells &= ~cells.lowest()) {
            const int index = cells.lowest_index();
            cells_[count_++] = {plane, static_cast<std::uint8_t>(L::height_of(index)),
                                static_cast<std::uint8_t>(L::col_of(index))};
        }
    }

    // The free cells of windows of four that contain two of these stones and two free cells.
    template <class L>
    static typename L::Bits threes(const typename L::Bits& stones, const typename L::Bits& free) {
        const auto open = stones | free;
        typename L::Bits found{};
        for (const int step : L::kLines) {
            const auto ends = open & (open >> step);
            const auto windows = ends & (ends >> (2 * step));
            const auto b = stones >> step, c = stones >> (2 * step), d = stones >> (3 * step);
            // Two of four: one in each half, or both in one half.
            const auto low_one = stones ^ b, low_two = stones & b, high_one = c ^ d, high_two = c & d;
            const auto low_none = ~(stones | b), high_none = ~(c | d);
            const auto two = windows & ((low_one & high_one) | (low_two & high_none) | (low_none & high_two));
            found |= two | (two << step) | (two << (2 * step)) | (two << (3 * step));
        }
        return found & free;
    }

    static constexpr std::size_t kListedPlanes = 9;

    int stones_, free_cells_ = 0;
    std::array<std::int8_t, kMaxSide> landing_height_{};
    std::size_t count_ = 0;
    std::array<PlaneCell, kListedPlanes * kMaxCells> cells_;
};

}  // namespace fourfall::network
