// The rollouts of rollout.cpp on an array of cells: what most seed systems began with, kept to measure what bits are
// worth and to check one against the other.
#include <algorithm>
#include <array>

#include "search/tree/rollout.hpp"

namespace fourfall::tree {
namespace {

class ArrayBoard {
public:
    template <class L>
    ArrayBoard(const Position<L>& position, const Masks<L>& masks) : rows_(masks.rows), cols_(masks.cols) {
        const auto drops = position.drops(masks);
        for (int col = 0; col < cols_; ++col) {
            height_[col] = rows_;
            for (int height = 0; height < rows_; ++height) {
                const auto cell = L::cell(height, col);
                at(height, col) = (position.mine & cell).any()     ? 1
                                  : (position.theirs & cell).any() ? -1
                                  : (masks.hole & cell).any()      ? kHole
                                                                   : kFree;
                if ((drops & cell).any()) height_[col] = height;
            }
        }
    }

    bool is_open(int col) const { return height_[col] < rows_; }
    // Whether a stone of that side on the column's lowest free cell makes four.
    bool wins(int col, int side) const { return is_open(col) && makes_four(height_[col], col, side); }
    // Whether it does so on the cell above, once the lowest is filled.
    bool wins_above(int col, int side) const {
        const int above = next_free(height_[col] + 1, col);
        return above < rows_ && makes_four(above, col, side);
    }
    void drop(int col, int side) {
        at(height_[col], col) = static_cast<signed char>(side);
        height_[col] = next_free(height_[col] + 1, col);
    }

private:
    static constexpr signed char kFree = 0;
    static constexpr signed char kHole = 2;

    signed char& at(int height, int col) { return cells_[height * kMaxSide + col]; }
    signed char at(int height, int col) const { return cells_[height * kMaxSide + col]; }
    int next_free(int height, int col) const {
        return height < rows_ && at(height, col) == kHole ? height + 1 : height;
    }
    int run(int height, int col, int up, int right, int side) const {
        int length = 0;
        for (int h = height + up, c = col + right; h >= 0 && h < rows_ && c >= 0 && c < cols_ && at(h, c) == side;
             h += up, c += right)
            ++length;
        return length;
    }
    bool makes_four(int height, int col, int side) const {
        constexpr std::array<std::array<int, 2>, 4> kDirections{{{1, 0}, {0, 1}, {1, 1}, {1, -1}}};
        return std::ranges::any_of(kDirections, [&](const auto& d) {
            return run(height, col, d[0], d[1], side) + run(height, col, -d[0], -d[1], side) >= 3;
        });
    }

    int rows_, cols_;
    std::array<int, kMaxSide> height_{};
    std::array<signed char, kMaxCells> cells_{};
};

constexpr int kFull = -1;

int draw(const ArrayBoard& board, int cols, const ColumnLottery& lottery, Random& random) {
    bool any_open = false;
    for (int col = 0; col < cols && !any_open; ++col) any_open = board.is_open(col);
    if (!any_open) return kFull;
    int col;
    do col = lottery.draw(random);
    while (!board.is_open(col));
    return col;
}

}  // namespace

template <class L>
int array_rollout(Rollout policy, const Position<L>& position, const Masks<L>& masks, const ColumnLottery& lottery,
                  Random& random) {
    ArrayBoard board(position, masks);
    const int cols = masks.cols;
    // A game that is played on after its end (TerminalTest::kRevisit) is won by whoever has the four, on his move.
    const bool plain = policy == Rollout::kUniform || policy == Rollout::kCentre;
    const bool over = plain && L::has_four(position.theirs);
    for (int side = 1;; side = -side) {
        int forced = kFull;
        if (policy == Rollout::kWinBlock || policy == Rollout::kLookahead) {
            int blocks = 0;
            for (int col = 0; col < cols; ++col)
                if (board.wins(col, side)) return side;
            for (int col = 0; col < cols; ++col)
                if (board.wins(col, -side) && blocks++ == 0) forced = col;
            if (policy == Rollout::kLookahead && blocks > 1) return -side;
        }
        const int col = forced != kFull ? forced : draw(board, cols, lottery, random);
        if (col == kFull) return 0;
        if (policy == Rollout::kLookahead && board.wins_above(col, -side)) return -side;
        if (board.wins(col, side) || (over && side == -1)) return side;
        board.drop(col, side);
    }
}

#define FOURFALL_INSTANTIATE(L) \
    template int array_rollout(Rollout, const Position<L>&, const Masks<L>&, const ColumnLottery&, Random&);
FOURFALL_FOR_EACH_LAYOUT(FOURFALL_INSTANTIATE)
#undef FOURFALL_INSTANTIATE

}  // namespace fourfall::tree
