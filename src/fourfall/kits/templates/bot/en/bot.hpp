// Chooses a move: win at once, else stop the opponent's win, else search.
#pragma once

#include <chrono>

#include "board.hpp"
#include "tree_search.hpp"

// Returns the column to play. At least one column must be free.
inline int chooseColumn(const Board& board, std::chrono::milliseconds time) {
    for (const Stone player : {kMine, kOpponent})  // first our wins, then the opponent's
        for (int col : board.legalColumns())
            if (board.wouldWin(col, player)) return col;
    return TreeSearch(board).run(time);
}
