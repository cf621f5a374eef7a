// The strategy library: translates between the judge's arrays and the bot.
#include "Strategy.h"

#include <chrono>

#include "bot.hpp"

// Thinking time per move in milliseconds. The judge allows 3000, in which everything else must fit too.
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
