// Board::from_stones: finds an order of legal moves that leads to a given set of stones.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "game/board.hpp"
#include "game/errors.hpp"

namespace fourfall {
namespace {

// The owners of the stones of every column, from the bottom up.
using StoneColumns = std::array<std::vector<int>, kMaxSide>;

std::string describe_stone(Cell cell) {
    return "stone (" + std::to_string(cell.row) + ", " + std::to_string(cell.col) + ")";
}

std::string describe_player(int player) { return player == 0 ? "the first player" : "the second player"; }

// The given stones as cell sets and as columns. The constructor checks everything except the order of the moves.
class StoneSet {
public:
    using Cells = WideLayout::Bits;

    StoneSet(const Geometry& geometry, std::span<const Cell> first, std::span<const Cell> second)
        : geometry_(geometry) {
        for (const Cell cell : first) add(cell, 0);
        for (const Cell cell : second) add(cell, 1);
        if (first.size() != second.size() && first.size() != second.size() + 1)
            throw InvalidBoard("the first player has " + std::to_string(first.size()) + " stones and the second " +
                               std::to_string(second.size()) +
                               "; the first player must have as many as the second or one more");
        for (int col = 0; col < geometry.cols(); ++col) fill_column(col);
    }

    int stones() const { return stones_[0].count() + stones_[1].count(); }
    // The player of the last move; there must be a stone.
    int last_player() const { return (stones() - 1) % 2; }
    const StoneColumns& columns() const { return columns_; }
    bool has_four(int player) const { return WideLayout::has_four(stones_[static_cast<std::size_t>(player)]); }

    bool has_on_top(int col, int player) const {
        const auto& column = columns_[static_cast<std::size_t>(col)];
        return !column.empty() && column.back() == player;
    }
    // Whether the owner of a column's top stone has four in a row even without it.
    bool has_four_without_top(int col) const {
        const auto player = static_cast<std::size_t>(columns_[static_cast<std::size_t>(col)].back());
        return WideLayout::has_four(stones_[player] & ~bit(top_stone(col)));
    }
    // The highest stone of a column that is not empty.
    Cell top_stone(int col) const {
        for (int row = 0;; ++row)
            if (owner({row, col})) return {row, col};
    }
    std::optional<int> owner(Cell cell) const {
        for (const int player : {0, 1})
            if ((stones_[static_cast<std::size_t>(player)] & bit(cell)).any()) return player;
        return std::nullopt;
    }
    bool is_on_board(Cell cell) const {
        return cell.row >= 0 && cell.row < geometry_.rows() && cell.col >= 0 && cell.col < geometry_.cols();
    }

private:
    Cells bit(Cell cell) const { return WideLayout::cell(geometry_.rows() - 1 - cell.row, cell.col); }

    void add(Cell cell, int player) {
        if (!is_on_board(cell))
            throw InvalidBoard(describe_stone(cell) + " is off the " + geometry_.notation() + " board: rows are 0.." +
                               std::to_string(geometry_.rows() - 1) + " and columns 0.." +
                               std::to_string(geometry_.cols() - 1) + " from the top-left");
        if (geometry_.hole() == cell) throw InvalidBoard(describe_stone(cell) + " is on the hole");
        if (owner(cell)) throw InvalidBoard(describe_stone(cell) + " is given twice");
        stones_[static_cast<std::size_t>(player)] |= bit(cell);
    }

    void fill_column(int col) {
        bool has_free_cell = false;
        for (int row = geometry_.rows() - 1; row >= 0; --row) {
            const Cell cell{row, col};
            if (geometry_.hole() == cell) continue;
            const std::optional<int> player = owner(cell);
            if (!player)
                has_free_cell = true;
            else if (has_free_cell)
                throw InvalidBoard(describe_stone(cell) + " is above a free cell");
            else
                columns_[static_cast<std::size_t>(col)].push_back(*player);
        }
    }

    const Geometry& geometry_;
    std::array<Cells, 2> stones_{};
    StoneColumns columns_;
};

// Depth-first search for an order in which alternating moves fill the columns. It takes stones back one by one, from
// the highest column first, which nearly always succeeds without a wrong step. Column heights from which the board
// cannot be emptied are remembered; their number bounds the time.
class MoveOrderSearch {
public:
    explicit MoveOrderSearch(const StoneColumns& columns) : columns_(columns) {
        for (std::size_t col = 0; col < heights_.size(); ++col) {
            heights_[col] = columns[col].size();
            stones_ += columns[col].size();
        }
    }

    // Returns the columns of the moves, the last one in one of `last_columns`; nothing if there is no such order or the
    // bound was reached.
    std::optional<std::vector<int>> run(std::vector<int> last_columns) {
        sort_by_height(last_columns);
        for (const int col : last_columns)
            if (try_take_back(col)) return std::vector<int>(taken_.rbegin(), taken_.rend());
        return std::nullopt;
    }
    bool reached_bound() const { return dead_ends_.size() >= kMaxDeadEnds; }

    static constexpr std::size_t kMaxDeadEnds = 200'000;

private:
    // Highest column first.
    void sort_by_height(std::span<int> columns) const {
        std::ranges::stable_sort(columns, std::greater{}, [&](int col) { return height_of(col); });
    }

    // Takes back the top stone of the column and then all others; undoes it and returns false if that fails.
    bool try_take_back(int col) {
        std::size_t& height = heights_[static_cast<std::size_t>(col)];
        taken_.push_back(col);
        --height;
        if (try_empty_board()) return true;
        ++height;
        taken_.pop_back();
        return false;
    }

    // Takes back all remaining stones if some order allows it.
    bool try_empty_board() {
        if (taken_.size() == stones_) return true;
        if (reached_bound() || dead_ends_.contains(pack_heights())) return false;
        const int player = static_cast<int>((stones_ - taken_.size() - 1) % 2);
        std::vector<int> choices;
        for (int col = 0; col < kMaxSide; ++col)
            if (has_on_top(col, player)) choices.push_back(col);
        sort_by_height(choices);
        for (const int col : choices)
            if (try_take_back(col)) return true;
        dead_ends_.insert(pack_heights());
        return false;
    }

    std::size_t height_of(int col) const { return heights_[static_cast<std::size_t>(col)]; }
    bool has_on_top(int col, int player) const {
        return height_of(col) > 0 && columns_[static_cast<std::size_t>(col)][height_of(col) - 1] == player;
    }
    std::uint64_t pack_heights() const {
        std::uint64_t key = 0;
        for (const std::size_t height : heights_) key = key << 4 | height;
        return key;
    }

    const StoneColumns& columns_;
    std::size_t stones_ = 0;
    std::array<std::size_t, kMaxSide> heights_{};
    std::vector<int> taken_;
    std::unordered_set<std::uint64_t> dead_ends_;
};

void require_last_stone(const StoneSet& stones, Cell last) {
    const std::string what = "the last " + describe_stone(last);
    const std::optional<int> player = stones.is_on_board(last) ? stones.owner(last) : std::nullopt;
    if (!player) throw InvalidBoard(what + " is not one of the stones");
    if (stones.top_stone(last.col) != last) throw InvalidBoard(what + " is below another stone");
    if (*player != stones.last_player())
        throw InvalidBoard(what + " belongs to " + describe_player(*player) + ", but " +
                           describe_player(stones.last_player()) + " moved last");
}

// The columns that the last move may have had. There is at least one stone.
std::vector<int> list_last_columns(const StoneSet& stones, int cols, std::optional<Cell> last) {
    if (last) require_last_stone(stones, *last);
    const int player = stones.last_player();
    const std::string over = "the game was over before the last stone: ";
    if (stones.has_four(1 - player)) throw InvalidBoard(over + describe_player(1 - player) + " has four in a row");
    std::vector<int> columns;
    for (int col = 0; col < cols; ++col)
        if (last ? last->col == col : stones.has_on_top(col, player)) columns.push_back(col);
    if (columns.empty())
        throw InvalidBoard(describe_player(player) + " moved last, but has no stone on top of a column");
    std::erase_if(columns, [&](int col) { return stones.has_four_without_top(col); });
    if (columns.empty())
        throw InvalidBoard(over + describe_player(player) + " has four in a row without " +
                           (last ? "it" : "any stone on top of a column"));
    return columns;
}

}  // namespace

Board Board::from_stones(const Geometry& geometry, std::span<const Cell> first, std::span<const Cell> second,
                         std::optional<Cell> last) {
    const StoneSet stones(geometry, first, second);
    Board board(geometry);
    if (stones.stones() == 0) {
        if (last) throw InvalidBoard("the last " + describe_stone(*last) + " is not one of the stones");
        return board;
    }
    MoveOrderSearch search(stones.columns());
    const auto moves = search.run(list_last_columns(stones, geometry.cols(), last));
    if (!moves && search.reached_bound())
        throw InvalidBoard("found no legal order of moves for these stones in " +
                           std::to_string(MoveOrderSearch::kMaxDeadEnds) + " attempts");
    if (!moves) throw InvalidBoard("no legal order of moves leads to these stones");
    for (const int col : *moves) board.push(col);
    return board;
}

}  // namespace fourfall
