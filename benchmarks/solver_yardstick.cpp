// Yardstick for the solver: a plain alpha-beta solver for the 6x7 board without a hole.
//
// This is our own implementation of the method that Pascal Pons explains in his tutorial on solving Connect Four
// (bitboards, moves that do not lose at once, ordering by winning cells, a table of one bound per position, bisection
// of the value from its far end). It is not his program: its times say how our solver compares with the method.
//
// Reads one game per line as digits of columns (1 to 7) and prints for each: value, positions searched, nanoseconds of
// processor time. A positive value wins with value - 1 own stones left, as in cpp/search/solver/alpha_beta.hpp.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr int kRows = 6, kCols = 7, kStride = kRows + 1, kCells = kRows * kCols;
using Cells = std::uint64_t;

constexpr Cells make_row(int row) {
    Cells out = 0;
    for (int col = 0; col < kCols; ++col) out |= Cells{1} << (col * kStride + row);
    return out;
}
constexpr Cells kBottom = make_row(0);
constexpr Cells kBoard = kBottom * ((Cells{1} << kRows) - 1);
constexpr Cells column_of(int col) { return ((Cells{1} << kRows) - 1) << (col * kStride); }

// The free cells that complete four in a row with `stones`.
Cells find_winning_cells(Cells stones, Cells occupied) {
    Cells found = (stones << 1) & (stones << 2) & (stones << 3);
    for (const int step : {kStride - 1, kStride, kStride + 1}) {
        const Cells two_below = (stones << step) & (stones << 2 * step);
        const Cells two_above = (stones >> step) & (stones >> 2 * step);
        found |= two_below & ((stones << 3 * step) | (stones >> step));
        found |= two_above & ((stones >> 3 * step) | (stones << step));
    }
    return found & (kBoard ^ occupied);
}

struct Position {
    Cells mine = 0;      // stones of the side to move
    Cells occupied = 0;  // stones of both sides
    int stones = 0;

    Cells key() const { return mine + occupied; }
    Cells drops() const { return (occupied + kBottom) & kBoard; }
    Cells winning_drops() const { return find_winning_cells(mine, occupied) & drops(); }
    Cells safe_drops() const {
        Cells moves = drops();
        const Cells threats = find_winning_cells(mine ^ occupied, occupied);
        if (const Cells forced = moves & threats; forced != 0) {
            if ((forced & (forced - 1)) != 0) return 0;
            moves = forced;
        }
        return moves & ~(threats >> 1);
    }
    Position play(Cells drop) const { return {mine ^ occupied, occupied | drop, stones + 1}; }
};

// One bound per entry, the newer one replaces the older. A new number of the search makes all entries invalid.
class Table {
public:
    void clear() {
        if (++search_ < kSearches) return;
        search_ = 1;
        std::fill(entries_.begin(), entries_.end(), 0);
    }
    // Returns 0 if there is no entry.
    int find(Cells key) const {
        const Cells entry = entries_[key % kSize];
        return entry >> 15 == key && (entry >> 7 & (kSearches - 1)) == search_ ? static_cast<int>(entry & 127) : 0;
    }
    void store(Cells key, int bound) { entries_[key % kSize] = key << 15 | search_ << 7 | static_cast<Cells>(bound); }

private:
    static constexpr std::size_t kSize = (1 << 23) + 9;  // 64 MB; odd, so that all bits of a key count
    static constexpr Cells kSearches = 256;
    std::vector<Cells> entries_ = std::vector<Cells>(kSize);
    Cells search_ = 1;
};

class Solver {
public:
    std::uint64_t positions = 0;

    // Forgets the last position. Not part of the time that is measured: it fills the table with zeros every 255 calls.
    void reset() {
        table_.clear();
        positions = 0;
    }

    int solve(const Position& position) {
        if (position.winning_drops() != 0) return (kCells + 1 - position.stones) / 2;
        int low = -(kCells - position.stones) / 2, high = (kCells + 1 - position.stones) / 2;
        while (low < high) {
            // The middle, but the far half first: a search for a near win or loss is short.
            int middle = low + (high - low) / 2;
            if (middle <= 0 && low / 2 < middle)
                middle = low / 2;
            else if (middle >= 0 && high / 2 > middle)
                middle = high / 2;
            const int value = search(position, middle, middle + 1);
            (value <= middle ? high : low) = value;
        }
        return low;
    }

private:
    static constexpr int kLowest = -kCells / 2, kHighest = kCells / 2;

    int search(const Position& position, int alpha, int beta) {
        ++positions;
        const Cells moves = position.safe_drops();
        if (moves == 0) return -(kCells - position.stones) / 2;
        if (position.stones >= kCells - 2) return 0;
        alpha = std::max(alpha, -(kCells - 2 - position.stones) / 2);
        if (alpha >= beta) return alpha;
        int upper = (kCells - 1 - position.stones) / 2;
        // Entries up to kHighest - kLowest + 1 are upper bounds, the others lower bounds.
        const Cells key = position.key();
        if (const int entry = table_.find(key); entry > kHighest - kLowest + 1) {
            alpha = std::max(alpha, entry + 2 * kLowest - kHighest - 2);
            if (alpha >= beta) return alpha;
        } else if (entry > 0) {
            upper = std::min(upper, entry + kLowest - 1);
        }
        beta = std::min(beta, upper);
        if (alpha >= beta) return beta;

        struct Move {
            Cells drop;
            int priority;
        };
        std::array<Move, kCols> list;
        int count = 0;
        for (const int col : {3, 2, 4, 1, 5, 0, 6}) {
            const Cells drop = moves & column_of(col);
            if (drop == 0) continue;
            const int priority = std::popcount(find_winning_cells(position.mine | drop, position.occupied));
            int at = count++;
            for (; at > 0 && list[at - 1].priority < priority; --at) list[at] = list[at - 1];
            list[at] = {drop, priority};
        }
        for (int i = 0; i < count; ++i) {
            const int value = -search(position.play(list[i].drop), -beta, -alpha);
            if (value >= beta) {
                table_.store(key, value + kHighest - 2 * kLowest + 2);
                return value;
            }
            alpha = std::max(alpha, value);
        }
        table_.store(key, alpha - kLowest + 1);
        return alpha;
    }

    Table table_;
};

std::int64_t processor_time_ns() {
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

int main() {
    Solver solver;
    for (std::string moves; std::getline(std::cin, moves);) {
        Position position;
        for (const char digit : moves) {
            const int col = digit - '1';
            if (col < 0 || col >= kCols || (position.drops() & column_of(col)) == 0) {
                std::cerr << "illegal move '" << digit << "' in '" << moves << "'\n";
                return 2;
            }
            position = position.play(position.drops() & column_of(col));
        }
        solver.reset();
        const std::int64_t begin = processor_time_ns();
        const int value = solver.solve(position);
        std::cout << value << ' ' << solver.positions << ' ' << processor_time_ns() - begin << '\n' << std::flush;
    }
}
