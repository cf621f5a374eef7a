#include "programs/retrace.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "game/errors.hpp"

namespace fourfall {
namespace {

// The stones of every column from the bottom up.
using Columns = std::array<std::vector<int>, kMaxSide>;

std::string at(int row, int col) { return "row " + std::to_string(row) + ", column " + std::to_string(col); }

Columns columns_of(const Geometry& geometry, std::span<const Owner> owners) {
    const int rows = geometry.rows(), cols = geometry.cols();
    if (owners.size() != static_cast<std::size_t>(rows * cols))
        throw InvalidBoard("a " + geometry.notation() + " board has " + std::to_string(rows * cols) + " cells, not " +
                           std::to_string(owners.size()));
    Columns columns;
    for (int col = 0; col < cols; ++col) {
        bool is_open = false;
        for (int row = rows - 1; row >= 0; --row) {
            const Owner owner = owners[static_cast<std::size_t>(row * cols + col)];
            if (geometry.hole() == Cell{row, col}) {
                if (owner) throw InvalidBoard("there is a stone on the hole: " + at(row, col));
                continue;
            }
            if (!owner) {
                is_open = true;
                continue;
            }
            if (*owner != 0 && *owner != 1)
                throw InvalidBoard("players are 0 and 1, not " + std::to_string(*owner) + ": " + at(row, col));
            if (is_open) throw InvalidBoard("a stone lies above a free cell: " + at(row, col));
            columns[static_cast<std::size_t>(col)].push_back(*owner);
        }
    }
    return columns;
}

// Walks through the heights that the columns can have one after another when the players take turns, and remembers
// those from which there was no way on. To lower the longest column first nearly always works at once.
class Walk {
public:
    explicit Walk(const Columns& columns) : columns_(columns) {
        for (const auto& column : columns) stones_ += column.size();
    }

    // The columns of the moves; shorter than the number of stones where there is no way or none was found.
    const std::vector<int>& moves() {
        go_on();
        return moves_;
    }
    std::size_t stones() const { return stones_; }

private:
    static constexpr std::size_t kMostDeadEnds = std::size_t{1} << 20;

    std::size_t left(int col) const {
        return columns_[static_cast<std::size_t>(col)].size() - heights_[static_cast<std::size_t>(col)];
    }
    bool fits(int col) const {
        const auto& column = columns_[static_cast<std::size_t>(col)];
        return left(col) > 0 && column[heights_[static_cast<std::size_t>(col)]] == static_cast<int>(moves_.size() % 2);
    }
    std::uint64_t key() const {
        std::uint64_t key = 0;
        for (const std::size_t height : heights_) key = key << 4 | height;
        return key;
    }

    bool go_on() {
        if (moves_.size() == stones_) return true;
        if (dead_ends_.size() >= kMostDeadEnds || dead_ends_.contains(key())) return false;
        std::array<int, kMaxSide> order;
        auto end = order.begin();
        for (int col = 0; col < kMaxSide; ++col)
            if (fits(col)) *end++ = col;
        std::stable_sort(order.begin(), end, [&](int a, int b) { return left(a) > left(b); });
        for (auto col = order.begin(); col != end; ++col) {
            moves_.push_back(*col);
            ++heights_[static_cast<std::size_t>(*col)];
            if (go_on()) return true;
            --heights_[static_cast<std::size_t>(*col)];
            moves_.pop_back();
        }
        dead_ends_.insert(key());
        return false;
    }

    const Columns& columns_;
    std::size_t stones_ = 0;
    std::array<std::size_t, kMaxSide> heights_{};
    std::vector<int> moves_;
    std::unordered_set<std::uint64_t> dead_ends_;
};

}  // namespace

Board retrace(const Geometry& geometry, std::span<const Owner> owners) {
    const Columns columns = columns_of(geometry, owners);
    Walk walk(columns);
    const std::vector<int>& moves = walk.moves();
    if (moves.size() != walk.stones()) throw InvalidBoard("no game of alternating moves leads to these stones");
    Board board(geometry);
    for (const int col : moves) {
        if (board.is_over()) break;
        board.push(col);
    }
    if (const auto outcome = board.outcome(); outcome && outcome->winner)
        throw InvalidBoard("there are four in a row already");
    return board;
}

}  // namespace fourfall
