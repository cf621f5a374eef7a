// The engine as a player that receives each position as arrays, as the strategy interface passes them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "game/board.hpp"
#include "search/limits.hpp"
#include "search/searcher.hpp"

namespace fourfall {

// The arguments of getPoint. Cell (row, col) is board[row * cols + col]: 2 is a stone of the side to move, 1 a stone of
// the opponent. The next stone in column col lands on row top[col] - 1. A hole off the board means that there is none.
struct ArrayPosition {
    int rows, cols;
    const int* top;
    const int* board;
    Cell last;
    Cell hole;
};

// The answer if no move is possible.
inline constexpr Cell kNoMove{-2, -2};

// Plays any number of games. The search tree is kept from one request to the next of the same game.
class ArrayPlayer {
public:
    // Returns a legal move whenever one exists, even if the arrays are inconsistent or memory runs out. The time for
    // the move counts from `start`.
    Cell choose_move(const ArrayPosition& arrays, Clock::Time start) noexcept;

private:
    Cell search(const ArrayPosition& arrays, Clock::Time start);
    // Makes board_ equal to the position in the arrays, if possible by playing the opponent's last move.
    void update_board(const ArrayPosition& arrays);

    std::optional<Board> board_;  // after the player's last move
    std::unique_ptr<Searcher> searcher_;
    Control control_;
};

}  // namespace fourfall
