// Features of a position for the student: for each free cell the numbers of the table rows that are added up.
//
// Stones have no features of their own: what they mean is in the patterns of the free cells. Each feature depends on
// the lines and the column of its cell only, for one side, so that a stone changes those of the lines through it. In
// particular the side that gets a cell if all other columns are filled first is the same during the whole game.
#pragma once

#include <array>
#include <bit>
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

    std::size_t count = 0;  // of the cells added so far, at the end of all free cells
    int free_cells = 0;
    std::array<FreeCell, kMaxCells> cells;  // column by column from the left, from the bottom
    std::size_t cols = 0;
    std::array<std::uint8_t, kMaxSide + 1> column_begin;  // number of the first free cell of each column, and the end
    std::array<std::uint8_t, kMaxSide> landing;           // by column: number of the cell, or kNone
    std::array<std::uint8_t, kMaxSide> above;             // the free cell above it, or kNone
    std::array<bool, kMaxSide> is_safe;
    std::array<float, kGlobals> globals;

    template <class L>
    Features(const Position<L>& position, const Masks<L>& masks);

private:
    // The board with a border of three cells, column by column.
    static constexpr int kWidth = kMaxSide + 6;
    using Grid = std::array<std::uint8_t, kWidth * kWidth>;

    static std::size_t place(int height, int col) { return static_cast<std::size_t>((col + 3) * kWidth + height + 3); }
    void add_cell(std::size_t col, int free_above, unsigned wins, unsigned& winning_below);
    void set_patterns(FreeCell& cell, const Grid& states, std::size_t here) const;
};

// The cells of a column, the lowest in the lowest bit.
template <class L>
unsigned get_column(const typename L::Bits& cells, int col) {
    const int from = col * L::kStride;
    std::uint64_t bits = cells.word[static_cast<std::size_t>(from / 64)] >> (from % 64);
    if constexpr (L::kWords > 1 && 64 % L::kStride != 0)
        if (from % 64 + L::kStride > 64)
            bits |= cells.word[static_cast<std::size_t>(from / 64 + 1)] << (64 - from % 64);
    return static_cast<unsigned>(bits & ((std::uint64_t{1} << L::kStride) - 1));
}

// Adds the next free cell of a column. Bit 0 of `wins` is set if the side to move would win on it, bit 1 for the other
// side; `winning_below` has these bits of the cells below, first for those that the opponent gets.
inline void Features::add_cell(std::size_t col, int free_above, unsigned wins, unsigned& winning_below) {
    FreeCell& cell = cells[count];
    const unsigned below = static_cast<unsigned>(count) - column_begin[col];
    cell.is_mine = (free_cells - 1 - free_above) % 2 == 0;
    const unsigned kind = 4 * (cell.is_mine ? 1U : 0U) + wins;
    cell.rows[4] = static_cast<std::uint16_t>(kParts.height + 8 * below + kind);
    cell.rows[5] = static_cast<std::uint16_t>(kParts.below + 8 * winning_below + kind);
    winning_below |= cell.is_mine ? wins << 2U : wins;
    if (below == 0) landing[col] = static_cast<std::uint8_t>(count);
    if (below == 1) above[col] = static_cast<std::uint8_t>(count);
    ++count;
}

inline void Features::set_patterns(FreeCell& cell, const Grid& states, std::size_t here) const {
    const auto set = [&](std::size_t lookup, std::size_t part, const PatternNumbers& numbers, int step) {
        const auto state = [&](int distance) {
            return static_cast<unsigned>(states[static_cast<std::size_t>(static_cast<int>(here) + distance * step)]);
        };
        const unsigned code =
            state(-3) | state(-2) << 2U | state(-1) << 4U | state(1) << 6U | state(2) << 8U | state(3) << 10U;
        cell.rows[lookup] = static_cast<std::uint16_t>(part + numbers.number[code]);
    };
    set(0, kParts.row, kRowPatterns, kWidth);
    set(1, kParts.column, kOtherPatterns, 1);
    // Both diagonals begin at the bottom.
    set(2, kParts.diagonal, kOtherPatterns, kWidth + 1);
    set(3, kParts.diagonal, kOtherPatterns, 1 - kWidth);
}

template <class L>
Features::Features(const Position<L>& position, const Masks<L>& masks) : cols(static_cast<std::size_t>(masks.cols)) {
    Grid states, numbers;
    states.fill(kClosed);
    landing.fill(kNone), above.fill(kNone), is_safe.fill(false);
    const auto free = position.free_cells(masks);
    const auto my_wins = L::completing_cells(position.mine) & free;
    const auto their_wins = L::completing_cells(position.theirs) & free;
    const auto safe = position.safe_drops(masks);
    free_cells = free.count();
    for (int col = 0; col < masks.cols; ++col) {
        const auto at = static_cast<std::size_t>(col);
        const unsigned empty = get_column<L>(free, col), own = get_column<L>(position.mine, col);
        const unsigned opposing = get_column<L>(position.theirs, col);
        const unsigned mine = get_column<L>(my_wins, col), theirs = get_column<L>(their_wins, col);
        int free_above = std::popcount(empty);
        unsigned winning_below = 0;
        column_begin[at] = static_cast<std::uint8_t>(count);
        for (int height = 0; height < masks.rows; ++height) {
            const auto has = [&](unsigned cells_of_column) { return (cells_of_column >> height & 1U) != 0; };
            states[place(height, col)] = has(empty) ? kFree : has(own) ? kOwn : has(opposing) ? kOpposing : kClosed;
            if (has(empty)) add_cell(at, --free_above, (has(mine) ? 1U : 0U) | (has(theirs) ? 2U : 0U), winning_below);
        }
        is_safe[at] = get_column<L>(safe, col) != 0;
    }
    column_begin[cols] = static_cast<std::uint8_t>(count);
    numbers.fill(static_cast<std::uint8_t>(count));
    const auto for_each_cell = [&](auto&& use) {
        std::size_t number = 0;
        for (int col = 0; col < masks.cols; ++col)
            for (unsigned left = get_column<L>(free, col); left != 0; left &= left - 1)
                use(number++, place(std::countr_zero(left), col));
    };
    for_each_cell([&](std::size_t number, std::size_t here) { numbers[here] = static_cast<std::uint8_t>(number); });
    for_each_cell([&](std::size_t number, std::size_t here) {
        set_patterns(cells[number], states, here);
        std::size_t neighbour = 0;
        for (const int height : {-1, 0, 1})
            for (const int side : {-1, 0, 1})
                cells[number].neighbours[neighbour++] =
                    numbers[static_cast<std::size_t>(static_cast<int>(here) + side * kWidth + height)];
    });
    const auto share = [](int number, int whole) { return static_cast<float>(number) / static_cast<float>(whole); };
    globals = {share(free_cells, kMaxCells),    share(free_cells % 2, 1),
               share(position.stones() % 2, 1), share(masks.rows - 10, 2),
               share(masks.cols - 10, 2),       share(position.drops(masks).count(), kMaxSide),
               share(safe.count(), kMaxSide),   1};
}

}  // namespace fourfall::student
