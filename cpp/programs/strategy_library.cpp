// The engine as a strategy library: the functions getPoint and clearPoint that the course's judges call.
#include <chrono>

#include "programs/player.hpp"

struct Point {
    int x, y;
};

extern "C" Point* getPoint(int rows, int cols, const int* top, const int* board, int last_x, int last_y, int no_x,
                           int no_y) noexcept {
    const auto start = std::chrono::steady_clock::now();
    static fourfall::ArrayPlayer player;
    const fourfall::Cell cell = player.choose_move({rows, cols, top, board, {last_x, last_y}, {no_x, no_y}}, start);
    return new Point{cell.row, cell.col};
}

extern "C" void clearPoint(Point* point) noexcept { delete point; }
