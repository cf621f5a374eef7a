// 选择一步棋：能立即获胜就获胜；否则阻止对手获胜；否则搜索。
#pragma once

#include <chrono>

#include "board.hpp"
#include "tree_search.hpp"

// 返回要落子的列。至少要有一列未满。
inline int chooseColumn(const Board& board, std::chrono::milliseconds time) {
    for (const Stone player : {kMine, kOpponent})  // 先看己方能否获胜，再看对手
        for (int col : board.legalColumns())
            if (board.wouldWin(col, player)) return col;
    return TreeSearch(board).run(time);
}
