// Choice of a move for the C++ sample agents: a move that makes four, else the open column nearest to the middle.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <initializer_list>

struct Move {
    int x = -2, y = -2;
};

inline bool makes_four(int rows, int cols, const int* board, int x, int y) {
    constexpr int kSteps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (const auto& step : kSteps) {
        int count = 1;
        for (int sign : {1, -1})
            for (int k = 1; k < 4; ++k) {
                const int row = x + sign * k * step[0], col = y + sign * k * step[1];
                if (row < 0 || row >= rows || col < 0 || col >= cols || board[row * cols + col] != 2) break;
                ++count;
            }
        if (count >= 4) return true;
    }
    return false;
}

// On a board with 5 rows it waits for a minute, so that tests can stop it.
inline Move choose_move(int rows, int cols, const int* top, const int* board) {
    if (rows == 5) sleep(60);
    Move best;
    for (int y = 0; y < cols; ++y) {
        if (top[y] == 0) continue;
        if (makes_four(rows, cols, board, top[y] - 1, y)) return {top[y] - 1, y};
        if (best.y < 0 || std::abs(2 * y - cols + 1) < std::abs(2 * best.y - cols + 1)) best = {top[y] - 1, y};
    }
    return best;
}
