// The interface of a strategy library, as the judge expects it. Do not change it.
#pragma once

struct Point {
    int x;  // row, counted from the top
    int y;  // column, counted from the left
};

// Called for each of your moves. Returns the cell on which your stone lands.
//   M, N          number of rows and columns
//   top           top[y] is the row of the highest occupied cell of column y; the next stone lands on row top[y] - 1
//   board         board[x * N + y] is 2 for your stones, 1 for the opponent's, 0 for free cells and the blocked cell
//   lastX, lastY  the opponent's last cell; -1, -1 if you make the first move of the game
//   noX, noY      the blocked cell, on which nobody can play
extern "C" Point* getPoint(int M, int N, const int* top, const int* board, int lastX, int lastY, int noX, int noY);

// Called with each point that getPoint returned, so that its memory is freed where it was allocated.
extern "C" void clearPoint(Point* point);
