// 棋盘：棋子、下落规则，以及四子连线的判断。
#pragma once

#include <array>
#include <vector>

constexpr int kMaxSize = 12;  // 正式棋盘有 9 到 12 行、9 到 12 列

// 每个格子取下列值之一，与裁判数组中的值相同（以己方视角）。
enum Stone : signed char { kEmpty = 0, kOpponent = 1, kMine = 2 };

inline Stone other(Stone player) { return player == kMine ? kOpponent : kMine; }

class Board {
public:
    // top 和 cells 是裁判给出的数组：第 x 行第 y 列的格子是 cells[x * cols + y]，第 0 行在最上面；
    // top[y] 是第 y 列最高的已占格子所在的行。禁点（双方都不能落子的格子）是 (holeRow, holeCol)。
    Board(int rows, int cols, const int* top, const int* cells, int holeRow, int holeCol)
        : rows_(rows), cols_(cols), holeRow_(holeRow), holeCol_(holeCol) {
        for (int col = 0; col < cols; ++col) top_[col] = top[col];
        for (int row = 0; row < rows; ++row)
            for (int col = 0; col < cols; ++col) cells_[row][col] = static_cast<Stone>(cells[row * cols + col]);
    }

    int cols() const { return cols_; }

    // 一列最高的已占格子在第 0 行时，这一列就满了。
    bool isLegal(int col) const { return top_[col] > 0; }

    // 这一列的下一枚棋子会落到哪一行。
    int landingRow(int col) const { return top_[col] - 1; }

    std::vector<int> legalColumns() const {
        std::vector<int> columns;
        for (int col = 0; col < cols_; ++col)
            if (isLegal(col)) columns.push_back(col);
        return columns;
    }

    // 在未满的列中落子。如果连成四子，返回 true。
    bool drop(int col, Stone player) {
        const int row = landingRow(col);
        cells_[row][col] = player;
        top_[col] = row;
        // 棋子会越过禁点：如果它就在这枚棋子的正上方，下一枚棋子会落到它的上面。
        if (col == holeCol_ && row - 1 == holeRow_) --top_[col];
        return isWin(row, col, player);
    }

    // 该玩家在这一列落子能否立即获胜。
    bool wouldWin(int col, Stone player) const { return isLegal(col) && isWin(landingRow(col), col, player); }

private:
    // 该玩家在这个格子上的棋子是否属于四子或更长的连线。
    bool isWin(int row, int col, Stone player) const {
        static constexpr int kDirections[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
        for (const auto& [down, right] : kDirections)
            if (1 + count(row, col, down, right, player) + count(row, col, -down, -right, player) >= 4) return true;
        return false;
    }

    // 从一个格子出发，沿一个方向数该玩家连续的棋子。
    int count(int row, int col, int down, int right, Stone player) const {
        int stones = 0;
        for (row += down, col += right; isOnBoard(row, col) && cells_[row][col] == player; row += down, col += right)
            ++stones;
        return stones;
    }

    bool isOnBoard(int row, int col) const { return row >= 0 && row < rows_ && col >= 0 && col < cols_; }

    int rows_, cols_, holeRow_, holeCol_;
    std::array<int, kMaxSize> top_{};
    std::array<std::array<Stone, kMaxSize>, kMaxSize> cells_{};
};
