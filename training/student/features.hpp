// Features of a position for the student: for each free cell the numbers of the table rows that are added up.
//
// Stones have no features of their own: what they mean is in the patterns of the free cells. Each feature depends on
// the lines and the column of its cell only, for one side, so that a stone changes those of the lines through it. In
// particular the side that gets a cell if all other columns are filled first is the same during the whole game.
#pragma once

#include <array>
#include <cstdint>

#include "game/position.hpp"
#include "training/student/line_patterns.hpp"

namespace fourfall::student {

inline constexpr std::size_t kLookups = 6;     // row, column, two diagonals, height, threats below
inline constexpr std::size_t kNeighbours = 9;  // 3x3, by height and column
inline constexpr std::size_t kGlobals = 16;    // the last ones are zero

// The first row of each part of the table.
struct TableParts {
    std::size_t row = 0;
    std::size_t column = row + kRowPatterns.count;
    std::size_t diagonal = column + kOtherPatterns.count;
    std::size_t height = diagonal + kOtherPatterns.count;  // free cells below, who gets the cell, who wins there
    std::size_t below = height + kMaxSide * 8;             // winning cells below by side and by who gets them
    std::size_t rows = below + 16 * 8;
};
inline constexpr TableParts kParts;

struct FreeCell {
    std::array<std::uint16_t, kLookups> rows;
    std::array<std::uint8_t, kNeighbours> neighbours;  // numbers of free cells; `Features::count` for the others
    bool is_mine;                                      // the side to move gets it if other columns are filled first
};

struct Features {
    static constexpr std::uint8_t kNone = 255;

    std::size_t count = 0;  // free cells, column by column from the left, from the bottom
    std::array<FreeCell, kMaxCells> cells;
    std::size_t cols = 0;
    std::array<std::uint8_t, kMaxSide + 1> column_begin;  // number of the first free cell of each column, and the end
    std::array<std::uint8_t, kMaxSide> landing;           // by column: number of the cell, or kNone
    std::array<std::uint8_t, kMaxSide> above;             // the free cell above it, or kNone
    std::array<bool, kMaxSide> is_safe;
    std::array<float, kGlobals> globals;

    template <class L>
    Features(const Position<L>& position, const Masks<L>& masks);
};

template <class L>
Features::Features(const Position<L>& position, const Masks<L>& masks) : cols(static_cast<std::size_t>(masks.cols)) {
    // States and numbers with a border of three cells, column by column.
    constexpr int kWidth = kMaxSide + 6;
    std::array<std::uint8_t, kWidth * kWidth> states, numbers;
    std::array<std::uint8_t, kMaxCells> at;
    const auto place = [](int height, int col) { return static_cast<std::size_t>((col + 3) * kWidth + height + 3); };
    const auto column_bits = [](const typename L::Bits& cells, int col) {
        const int from = col * L::kStride;
        std::uint64_t bits = cells.word[static_cast<std::size_t>(from / 64)] >> (from % 64);
        if constexpr (L::kWords > 1 && 64 % L::kStride != 0)
            if (from % 64 + L::kStride > 64)
                bits |= cells.word[static_cast<std::size_t>(from / 64 + 1)] << (64 - from % 64);
        return static_cast<unsigned>(bits & ((std::uint64_t{1} << L::kStride) - 1));
    };
    states.fill(kClosed);
    const auto free = position.free_cells(masks);
    const auto my_threats = L::completing_cells(position.mine) & free;
    const auto their_threats = L::completing_cells(position.theirs) & free;
    const auto safe = position.safe_drops(masks);
    const int free_count = free.count(), stones = position.stones();
    int drops = 0, safe_count = 0;
    landing.fill(kNone), above.fill(kNone), is_safe.fill(false);
    for (int col = 0; col < masks.cols; ++col) {
        const unsigned empty = column_bits(free, col), own = column_bits(position.mine, col);
        const unsigned opposing = column_bits(position.theirs, col);
        const unsigned my_wins = column_bits(my_threats, col), their_wins = column_bits(their_threats, col);
        const std::size_t c = static_cast<std::size_t>(col);
        int free_above = std::popcount(empty);
        unsigned below = 0, threats_below = 0;
        column_begin[c] = static_cast<std::uint8_t>(count);
        for (int height = 0; height < masks.rows; ++height) {
            const unsigned bit = 1U << height;
            const std::size_t here = place(height, col);
            if ((empty & bit) == 0) {
                states[here] = (own & bit) != 0 ? kOwn : (opposing & bit) != 0 ? kOpposing : kClosed;
                continue;
            }
            states[here] = kFree;
            --free_above;
            FreeCell& cell = cells[count];
            cell.is_mine = (free_count - 1 - free_above) % 2 == 0;
            const unsigned wins = ((my_wins & bit) != 0 ? 1U : 0U) | ((their_wins & bit) != 0 ? 2U : 0U);
            const unsigned kind = 4 * (cell.is_mine ? 1U : 0U) + wins;
            cell.rows[4] = static_cast<std::uint16_t>(kParts.height + 8 * below + kind);
            cell.rows[5] = static_cast<std::uint16_t>(kParts.below + 8 * threats_below + kind);
            threats_below |= cell.is_mine ? wins << 2U : wins;
            if (below == 0) landing[c] = static_cast<std::uint8_t>(count);
            if (below == 1) above[c] = static_cast<std::uint8_t>(count);
            ++below;
            at[count] = static_cast<std::uint8_t>(height);
            ++count;
        }
        drops += below > 0 ? 1 : 0;
        is_safe[c] = column_bits(safe, col) != 0;
        safe_count += is_safe[c] ? 1 : 0;
    }
    column_begin[cols] = static_cast<std::uint8_t>(count);
    numbers.fill(static_cast<std::uint8_t>(count));
    std::size_t number = 0;
    for (int col = 0; col < masks.cols; ++col)
        for (unsigned left = column_bits(free, col); left != 0; left &= left - 1)
            numbers[place(std::countr_zero(left), col)] = static_cast<std::uint8_t>(number++);
    number = 0;
    for (int col = 0; col < masks.cols; ++col)
        for (unsigned left = column_bits(free, col); left != 0; left &= left - 1, ++number) {
            const std::size_t here = place(std::countr_zero(left), col);
            FreeCell& cell = cells[number];
            const auto pattern = [&](std::size_t step) {
                return states[here - 3 * step] | states[here - 2 * step] << 2U | states[here - step] << 4U |
                       states[here + step] << 6U | states[here + 2 * step] << 8U | states[here + 3 * step] << 10U;
            };
            const auto set = [&](std::size_t lookup, std::size_t part, const PatternNumbers& numbers_of, int code) {
                cell.rows[lookup] =
                    static_cast<std::uint16_t>(part + numbers_of.number[static_cast<std::size_t>(code)]);
            };
            set(0, kParts.row, kRowPatterns, pattern(kWidth));
            set(1, kParts.column, kOtherPatterns, pattern(1));
            set(2, kParts.diagonal, kOtherPatterns, pattern(kWidth + 1));
            // Downwards to the right; reversed, it begins at the bottom.
            const auto falling = [&](int distance) {
                return states[here - static_cast<std::size_t>(distance * (kWidth - 1))];
            };
            set(3, kParts.diagonal, kOtherPatterns,
                falling(-3) | falling(-2) << 2U | falling(-1) << 4U | falling(1) << 6U | falling(2) << 8U |
                    falling(3) << 10U);
            std::size_t neighbour = 0;
            for (const int height : {-1, 0, 1})
                for (const int side : {-1, 0, 1})
                    cell.neighbours[neighbour++] =
                        numbers[static_cast<std::size_t>(static_cast<int>(here) + side * kWidth + height)];
        }
    globals = {static_cast<float>(free_count) / 144,    static_cast<float>(free_count % 2),
               static_cast<float>(stones % 2),          static_cast<float>(masks.rows - 10) / 2,
               static_cast<float>(masks.cols - 10) / 2, static_cast<float>(drops) / 12,
               static_cast<float>(safe_count) / 12,     1};
}

}  // namespace fourfall::student
