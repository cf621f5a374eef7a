// 策略动态库：在裁判的数组和程序之间转换。
#include "Strategy.h"

#include <chrono>

#include "bot.hpp"

// 每步的思考时间（毫秒）。裁判允许 3000，其余的开销也要算在内。
#ifndef MOVE_TIME_MS
#define MOVE_TIME_MS 200
#endif

extern "C" Point* getPoint(int M, int N, const int* top, const int* board, int /*lastX*/, int /*lastY*/, int noX,
                           int noY) {
    const Board position(M, N, top, board, noX, noY);
    const int col = chooseColumn(position, std::chrono::milliseconds(MOVE_TIME_MS));
    return new Point{position.landingRow(col), col};
}

extern "C" void clearPoint(Point* point) { delete point; }
