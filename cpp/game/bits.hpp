// Bitboards: sets of cells in machine words, and the layouts that map cells to bits.
//
// A layout is column-major: every column takes kStride bits, lowest cell first. The bits above the top row are always
// zero, so that a shifted set does not reach the neighbouring column. Bit numbers for a stride of 7 and six rows:
//
//      6 13 20 27 34 41 48     always zero
//    +---------------------+
//    | 5 12 19 26 33 40 47 |   top row
//    | 4 11 18 25 32 39 46 |
//    | 3 10 17 24 31 38 45 |
//    | 2  9 16 23 30 37 44 |
//    | 1  8 15 22 29 36 43 |
//    | 0  7 14 21 28 35 42 |   bottom row
//    +---------------------+
//
// The stride is part of the type because the scalar code is a quarter faster with constant shifts. The layouts were
// chosen by measurement (docs/architecture.md).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstdint>

// Marks functions that the loops of dispatch() call (game/dispatch.hpp). The attribute `flatten` of GCC inlines all
// calls below a function, that of clang only the calls in the function itself: what is not inlined is compiled without
// AVX2.
#if defined(__clang__) && defined(__x86_64__)
#define FOURFALL_FLATTENED [[gnu::always_inline]]
#else
#define FOURFALL_FLATTENED
#endif

namespace fourfall {

inline constexpr int kMinSide = 4;
inline constexpr int kMaxSide = 12;
inline constexpr int kMaxCells = kMaxSide * kMaxSide;

// A set of cells in kWords machine words; word 0 has the lowest bits.
template <int kWords>
struct Bits {
    std::array<std::uint64_t, kWords> word{};

    friend constexpr Bits operator&(Bits a, const Bits& b) {
        for (int i = 0; i < kWords; ++i) a.word[i] &= b.word[i];
        return a;
    }
    friend constexpr Bits operator|(Bits a, const Bits& b) {
        for (int i = 0; i < kWords; ++i) a.word[i] |= b.word[i];
        return a;
    }
    friend constexpr Bits operator^(Bits a, const Bits& b) {
        for (int i = 0; i < kWords; ++i) a.word[i] ^= b.word[i];
        return a;
    }
    friend constexpr Bits operator~(Bits a) {
        for (int i = 0; i < kWords; ++i) a.word[i] = ~a.word[i];
        return a;
    }
    constexpr Bits& operator&=(const Bits& b) { return *this = *this & b; }
    constexpr Bits& operator|=(const Bits& b) { return *this = *this | b; }
    constexpr Bits& operator^=(const Bits& b) { return *this = *this ^ b; }

    // Shift distances are 1..63; every line offset of every layout is in that range.
    friend constexpr Bits operator<<(const Bits& a, int by) {
        Bits out;
        for (int i = kWords - 1; i > 0; --i) out.word[i] = (a.word[i] << by) | (a.word[i - 1] >> (64 - by));
        out.word[0] = a.word[0] << by;
        return out;
    }
    friend constexpr Bits operator>>(const Bits& a, int by) {
        Bits out;
        for (int i = 0; i + 1 < kWords; ++i) out.word[i] = (a.word[i] >> by) | (a.word[i + 1] << (64 - by));
        out.word[kWords - 1] = a.word[kWords - 1] >> by;
        return out;
    }

    constexpr bool any() const {
        std::uint64_t all = 0;
        for (std::uint64_t w : word) all |= w;
        return all != 0;
    }
    constexpr bool none() const { return !any(); }
    constexpr int count() const {
        int total = 0;
        for (std::uint64_t w : word) total += std::popcount(w);
        return total;
    }
    // Whether the set has more than one cell; faster than count() > 1.
    constexpr bool has_several() const {
        std::uint64_t seen = 0;
        for (std::uint64_t w : word) {
            if ((w & (w - 1)) != 0 || (w != 0 && seen != 0)) return true;
            seen |= w;
        }
        return false;
    }
    // Index of the lowest cell; the set must not be empty.
    constexpr int lowest_index() const {
        for (int i = 0; i + 1 < kWords; ++i)
            if (word[i] != 0) return 64 * i + std::countr_zero(word[i]);
        return 64 * (kWords - 1) + std::countr_zero(word[kWords - 1]);
    }
    constexpr Bits lowest() const {
        Bits out;
        for (int i = 0; i < kWords; ++i) {
            if (word[i] == 0) continue;
            out.word[i] = word[i] & (~word[i] + 1);
            break;
        }
        return out;
    }
    constexpr Bits highest() const {
        Bits out;
        for (int i = kWords - 1; i >= 0; --i) {
            if (word[i] == 0) continue;
            out.word[i] = std::bit_floor(word[i]);
            break;
        }
        return out;
    }
    static constexpr Bits at(int index) {
        Bits out;
        out.word[index / 64] = std::uint64_t{1} << (index % 64);
        return out;
    }

    friend constexpr bool operator==(const Bits&, const Bits&) = default;
    friend constexpr auto operator<=>(const Bits&, const Bits&) = default;
};

template <int kWords_, int kStride_>
struct Layout {
    static constexpr int kWords = kWords_;
    static constexpr int kStride = kStride_;
    using Bits = fourfall::Bits<kWords>;
    static constexpr int kMaxCols = std::min(kMaxSide, 64 * kWords / kStride);

    // Index differences of neighbouring cells in the four directions: up, right-down, right, right-up.
    static constexpr std::array<int, 4> kLines{1, kStride - 1, kStride, kStride + 1};

    static constexpr bool fits(int rows, int cols) { return rows < kStride && cols * kStride <= 64 * kWords; }
    static constexpr Bits cell(int height, int col) { return Bits::at(col * kStride + height); }
    static constexpr int col_of(int index) { return index / kStride; }
    static constexpr int height_of(int index) { return index % kStride; }

    // The lowest free cell of every column. Adding a one at the bottom of a column carries through its occupied cells.
    // An occupied cell further up (the hole) is unchanged until the carry reaches it and passes through. The result for
    // a full column is the bit above its top row.
    static constexpr Bits landing_cells(const Bits& occupied, const Bits& bottom) {
        Bits sum;
        std::uint64_t carry = 0;
        for (int i = 0; i < kWords; ++i) {
            const std::uint64_t partial = occupied.word[i] + bottom.word[i];
            sum.word[i] = partial + carry;
            // If no column spans two words, there is no carry from one word to the next.
            if constexpr (64 % kStride != 0)
                carry = static_cast<std::uint64_t>(partial < occupied.word[i] || sum.word[i] < partial);
        }
        return sum & ~occupied;
    }

    // The bits of a column, the lowest cell first, including those above the top row.
    static constexpr std::uint64_t get_column(const Bits& cells, int col) {
        const int from = col * kStride;
        std::uint64_t column = cells.word[from / 64] >> (from % 64);
        if constexpr (kWords > 1 && 64 % kStride != 0)
            if (from % 64 + kStride > 64) column |= cells.word[from / 64 + 1] << (64 - from % 64);
        return column & ((std::uint64_t{1} << kStride) - 1);
    }
    // Adds the bits of a column, as get_column() returns them.
    static constexpr void add_column(Bits& cells, int col, std::uint64_t column) {
        const int to = col * kStride;
        cells.word[to / 64] |= column << (to % 64);
        if constexpr (kWords > 1 && 64 % kStride != 0)
            if (to % 64 + kStride > 64) cells.word[to / 64 + 1] |= column >> (64 - to % 64);
    }

    // The lowest `rows` cells of a column.
    static constexpr Bits column(int rows, int col) {
        Bits out;
        add_column(out, col, (std::uint64_t{1} << rows) - 1);
        return out;
    }

    // The cells of `cols` columns reflected left to right, including the bits above the top row.
    static constexpr Bits mirror(const Bits& cells, int cols) {
        Bits out;
        for (int col = 0; col < cols; ++col) add_column(out, cols - 1 - col, get_column(cells, col));
        return out;
    }

    static constexpr bool has_four(const Bits& stones) {
        Bits found;
        for (int step : kLines) {
            const Bits pairs = stones & (stones >> step);
            found |= pairs & (pairs >> (2 * step));
        }
        return found.any();
    }

    // The cells that would complete four in a row with these stones. The result contains occupied cells and bits off
    // the board, too; callers mask it.
    static constexpr Bits completing_cells(const Bits& stones) {
        Bits found = (stones << 1) & (stones << 2) & (stones << 3);
        for (int step : {kStride - 1, kStride, kStride + 1}) {
            const Bits left = stones << step, right = stones >> step;
            const Bits left_pair = left & (stones << (2 * step)), right_pair = right & (stones >> (2 * step));
            found |= left_pair & ((stones << (3 * step)) | right);
            found |= right_pair & ((stones >> (3 * step)) | left);
        }
        return found;
    }
};

// The layouts in use, named by words and stride. with_layout() takes the first one that is large enough.
using Layout1x7 = Layout<1, 7>;
using Layout2x10 = Layout<2, 10>;
using Layout2x11 = Layout<2, 11>;
using Layout2x12 = Layout<2, 12>;
using Layout2x13 = Layout<2, 13>;
// Large enough for every board. Board and the Python bindings use only this one.
using WideLayout = Layout<3, 16>;

#define FOURFALL_FOR_EACH_LAYOUT(use) \
    use(Layout1x7) use(Layout2x10) use(Layout2x11) use(Layout2x12) use(Layout2x13) use(WideLayout)

// Calls f with the fastest layout that is large enough for a board of rows x cols cells.
template <class F>
decltype(auto) with_layout(int rows, int cols, F&& f) {
    if (Layout1x7::fits(rows, cols)) return f(Layout1x7{});
    if (Layout2x10::fits(rows, cols)) return f(Layout2x10{});
    if (Layout2x11::fits(rows, cols)) return f(Layout2x11{});
    if (Layout2x12::fits(rows, cols)) return f(Layout2x12{});
    if (Layout2x13::fits(rows, cols)) return f(Layout2x13{});
    return f(WideLayout{});
}

}  // namespace fourfall
