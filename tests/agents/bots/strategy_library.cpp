// A correct strategy library. It counts its questions in a static variable and prints to both outputs.
#include <cstdio>

#include "choose_move.hpp"

struct Point {
    int x, y;
};

extern "C" Point* getPoint(int rows, int cols, const int* top, const int* board, int, int, int, int) {
    static int questions = 0;
    std::printf("thinking\n");
    std::fprintf(stderr, "question %d\n", ++questions);
    const Move move = choose_move(rows, cols, top, board);
    return new Point{move.x, move.y};
}

extern "C" void clearPoint(Point* point) { delete point; }
