// Owns our engine as a player who is shown arrays instead of a game: each question is a whole board and the last move.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "game/board.hpp"
#include "search/limits.hpp"
#include "search/searcher.hpp"

namespace fourfall {

// The arrays are those of the strategy interface: cell (x, y) is board[x * cols + y], 2 is a stone of whoever is asked,
// 1 one of the opponent's; a stone in column y lands on row top[y] - 1. A hole off the board means that there is none.
struct Question {
    int rows, cols;
    const int* top;
    const int* board;
    Cell last;
    Cell hole;
};

// Where no move is possible.
inline constexpr Cell kNoMove{-2, -2};

// Plays one game after another. What the search has learned is kept as long as the questions are of one game.
class Player {
public:
    // Always a legal move, if there is one: also where the board makes no sense or memory runs out. The time for it
    // counts from `asked`.
    Cell answer(const Question& question, Clock::Time asked) noexcept;

private:
    Cell think(const Question& question, Clock::Time asked);
    // Makes board_ the one that the question shows.
    void follow(const Question& question);

    std::optional<Board> board_;  // after our last answer
    std::unique_ptr<Searcher> searcher_;
    Control control_;
};

}  // namespace fourfall
