// Solves positions whose game ends within the next five plies, without a transposition table.
#pragma once

#include "game/board.hpp"
#include "search/solver/solver.hpp"

namespace fourfall::solver {

// Solves a game that is not over if it ends in at most five plies under perfect play; of the wins in five, only those
// whose first move leaves the opponent one reply. Takes less time than preparing a solver. Returns whether the position
// is solved, with `solution` complete but for the board; otherwise `solution` is unchanged. Does not solve columns.
bool solve_near_end(const Board& board, bool columns, const Budget& budget, Clock::Time requested, Solution& solution);

}  // namespace fourfall::solver
