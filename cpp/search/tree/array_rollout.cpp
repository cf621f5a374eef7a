// Rollouts on an array of cells, as in the first version of most seed systems. They measure how much faster bitboards
// are, and the tests compare both.
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
    // Whether a stone of `side` on the lowest free cell of the column makes four.
    bool wins(int col, int side) const { return is_open(col) && makes_four(height_[col], col, side); }
    // Whether a stone of `side` makes four on the cell above the lowest free cell.
    bool wins_above(int col, int side) const {
        const int above = skip_hole(height_[col] + 1, col);
        return above < rows_ && makes_four(above, col, side);
    }
    void drop(int col, int side) {
        at(height_[col], col) = static_cast<signed char>(side);
        height_[col] = skip_hole(height_[col] + 1, col);
    }

private:
    static constexpr signed char kFree = 0;
    static constexpr signed char kHole = 2;

    signed char& at(int height, int col) { return cells_[height * kMaxSide + col]; }
    signed char at(int height, int col) const { return cells_[height * kMaxSide + col]; }
    int skip_hole(int height, int col) const {
        return height < rows_ && at(height, col) == kHole ? height + 1 : height;
    }
    int count_run(int height, int col, int up, int right, int side) const {
        int length = 0;
        for (int h = height + up, c = col + right; h >= 0 && h < rows_ && c >= 0 && c < cols_ && at(h, c) == side;
             h += up, c += right)
            ++length;
        return length;
    }
    bool makes_four(int height, int col, int side) const {
        constexpr std::array<std::array<int, 2>, 4> kDirections{{{1, 0}, {0, 1}, {1, 1}, {1, -1}}};
        return std::ranges::any_of(kDirections, [&](const auto& d) {
            return count_run(height, col, d[0], d[1], side) + count_run(height, col, -d[0], -d[1], side) >= 3;
        });
    }

    int rows_, cols_;
    std::array<int, kMaxSide> height_{};
    std::array<signed char, kMaxCells> cells_{};
};

constexpr int kNoColumn = -1;

int sample_open_column(const ArrayBoard& board, int cols, const ColumnSampler& sampler, Random& random) {
    bool any_open = false;
    for (int col = 0; col < cols && !any_open; ++col) any_open = board.is_open(col);
    if (!any_open) return kNoColumn;
    int col;
    do col = sampler.sample(random);
    while (!board.is_open(col));
    return col;
}

}  // namespace

template <class L>
int array_rollout(Rollout policy, const Position<L>& position, const Masks<L>& masks, const ColumnSampler& sampler,
                  Random& random) {
    ArrayBoard board(position, masks);
    const int cols = masks.cols;
    // With TerminalTest::kRevisit and kInverted a rollout may start after the end of the game. A side that already has
    // four then wins on its first move.
    const bool ignores_threats = policy == Rollout::kUniform || policy == Rollout::kCentre;
    const bool has_four = ignores_threats && L::has_four(position.mine);
    const bool opponent_has_four = ignores_threats && L::has_four(position.theirs);
    for (int side = 1;; side = -side) {
        int forced = kNoColumn;
        if (policy == Rollout::kWinBlock || policy == Rollout::kLookahead) {
            int blocks = 0;
            for (int col = 0; col < cols; ++col)
                if (board.wins(col, side)) return side;
            for (int col = 0; col < cols; ++col)
                if (board.wins(col, -side) && blocks++ == 0) forced = col;
            if (policy == Rollout::kLookahead && blocks > 1) return -side;
        }
        const int col = forced != kNoColumn ? forced : sample_open_column(board, cols, sampler, random);
        if (col == kNoColumn) return 0;
        if (policy == Rollout::kLookahead && board.wins_above(col, -side)) return -side;
        if (board.wins(col, side) || (side == 1 ? has_four : opponent_has_four)) return side;
        board.drop(col, side);
    }
}

#define FOURFALL_INSTANTIATE(L) \
    template int array_rollout(Rollout, const Position<L>&, const Masks<L>&, const ColumnSampler&, Random&);
FOURFALL_FOR_EACH_LAYOUT(FOURFALL_INSTANTIATE)
#undef FOURFALL_INSTANTIATE

}  // namespace fourfall::tree
