// 裁判要求的策略动态库接口。请勿修改。
#pragma once

struct Point {
    int x;  // 行，从上往下数
    int y;  // 列，从左往右数
};

// 每次轮到你时调用。返回你的棋子落到的格子。
//   M, N          行数和列数
//   top           top[y] 是第 y 列最高的已占格子所在的行；下一枚棋子落到第 top[y] - 1 行
//   board         board[x * N + y]：2 是己方棋子，1 是对手棋子，0 是空格或禁点
//   lastX, lastY  对手上一步的格子；如果由你走全局第一步，则为 -1, -1
//   noX, noY      禁点，双方都不能在此落子
extern "C" Point* getPoint(int M, int N, const int* top, const int* board, int lastX, int lastY, int noX, int noY);

// 对 getPoint 返回的每个指针调用一次，使内存在分配它的地方释放。
extern "C" void clearPoint(Point* point);
