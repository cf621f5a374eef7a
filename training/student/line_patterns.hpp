// Patterns of the six cells around a free cell in one direction, numbered so that equivalent patterns share a number.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace fourfall::student {

enum CellState : std::uint8_t { kFree, kOwn, kOpposing, kClosed };  // closed: the hole, or off the board

inline constexpr int kPatternCells = 6;         // three on each side of the cell
inline constexpr std::size_t kPatterns = 4096;  // 2 bits for each cell, the first cell in the lowest bits

using Pattern = std::array<std::uint8_t, kPatternCells>;

constexpr Pattern unpack(std::size_t code) {
    Pattern cells{};
    for (std::uint8_t& cell : cells) cell = code & 3U, code >>= 2U;
    return cells;
}
constexpr std::size_t pack(const Pattern& cells) {
    std::size_t code = 0;
    for (int i = kPatternCells - 1; i >= 0; --i) code = 4 * code + cells[static_cast<std::size_t>(i)];
    return code;
}

// Closes all cells that cannot be in a line of four through the centre, for either side. A side whose stones and the
// free cells next to the centre are fewer than four cells in all can never make a line there.
constexpr std::size_t close_irrelevant_cells(std::size_t code) {
    constexpr std::array<std::array<std::size_t, 3>, 2> kWays{{{2, 1, 0}, {3, 4, 5}}};
    const Pattern cells = unpack(code);
    Pattern out{kClosed, kClosed, kClosed, kClosed, kClosed, kClosed};
    for (const std::uint8_t side : {kOwn, kOpposing}) {
        Pattern seen = out;
        int length = 1;
        for (const auto& way : kWays)
            for (const std::size_t at : way) {
                if (cells[at] != kFree && cells[at] != side) break;
                seen[at] = cells[at];
                ++length;
            }
        if (length >= 4) out = seen;
    }
    return pack(out);
}

constexpr std::size_t reverse(std::size_t code) {
    Pattern cells = unpack(code);
    std::ranges::reverse(cells);
    return pack(cells);
}

// The number of a pattern, 0..count-1.
struct PatternNumbers {
    std::array<std::uint16_t, kPatterns> number{};
    std::size_t count = 0;

    // With `is_symmetric`, a pattern and its reverse have the same number.
    explicit constexpr PatternNumbers(bool is_symmetric) {
        std::array<int, kPatterns> found{};
        found.fill(-1);
        for (std::size_t code = 0; code < kPatterns; ++code) {
            std::size_t canonical = close_irrelevant_cells(code);
            if (is_symmetric) canonical = std::min(canonical, reverse(canonical));
            if (found[canonical] < 0) found[canonical] = static_cast<int>(count++);
            number[code] = static_cast<std::uint16_t>(found[canonical]);
        }
    }
};

// Rows are symmetric because the student evaluates a position and its mirror image equally. Diagonals are read from
// the bottom, so that mirror images of diagonals have the same pattern.
inline constexpr PatternNumbers kRowPatterns(true), kOtherPatterns(false);

}  // namespace fourfall::student
