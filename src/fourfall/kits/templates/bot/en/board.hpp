// The board: stones, the rule of falling, and the test for four in a row.
#pragma once

#include <array>
#include <vector>

constexpr int kMaxSize = 12;  // official boards have 9 to 12 rows and columns

// A cell holds one of these values. They are the values of the judge's array, seen by you.
enum Stone : signed char { kEmpty = 0, kOpponent = 1, kMine = 2 };

inline Stone other(Stone player) { return player == kMine ? kOpponent : kMine; }

class Board {
public:
    // `top` and `cells` are the judge's arrays: the cell in row x and column y is cells[x * cols + y], row 0 is at the
    // top, and top[y] is the row of the highest occupied cell of column y. The blocked cell is (holeRow, holeCol).
    Board(int rows, int cols, const int* top, const int* cells, int holeRow, int holeCol)
        : rows_(rows), cols_(cols), holeRow_(holeRow), holeCol_(holeCol) {
        for (int col = 0; col < cols; ++col) top_[col] = top[col];
        for (int row = 0; row < rows; ++row)
            for (int col = 0; col < cols; ++col) cells_[row][col] = static_cast<Stone>(cells[row * cols + col]);
    }

    int cols() const { return cols_; }

    // A column is full when its highest occupied cell is in row 0.
    bool isLegal(int col) const { return top_[col] > 0; }

    // The row on which the next stone of this column lands.
    int landingRow(int col) const { return top_[col] - 1; }

    std::vector<int> legalColumns() const {
        std::vector<int> columns;
        for (int col = 0; col < cols_; ++col)
            if (isLegal(col)) columns.push_back(col);
        return columns;
    }

    // Drops a stone into a column that is not full. Returns true if it completes four in a row.
    bool drop(int col, Stone player) {
        const int row = landingRow(col);
        cells_[row][col] = player;
        top_[col] = row;
        // Stones fall past the blocked cell: if it is directly above this stone, the next stone lands above it.
        if (col == holeCol_ && row - 1 == holeRow_) --top_[col];
        return isWin(row, col, player);
    }

    // Whether a stone of this player in this column would win at once.
    bool wouldWin(int col, Stone player) const { return isLegal(col) && isWin(landingRow(col), col, player); }

private:
    // Whether a stone of the player on this cell is part of a line of four or more.
    bool isWin(int row, int col, Stone player) const {
        static constexpr int kDirections[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
        for (const auto& [down, right] : kDirections)
            if (1 + count(row, col, down, right, player) + count(row, col, -down, -right, player) >= 4) return true;
        return false;
    }

    // Counts the player's stones next to a cell in one direction, without a gap.
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
