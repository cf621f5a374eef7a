// Exact solution of many positions in several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "game/board.hpp"
#include "game/poll.hpp"
#include "search/solver/solver.hpp"

namespace fourfall {

struct SolveManyOptions {
    bool columns = false;
    solver::Budget budget;           // of each board
    std::uint64_t memory_bytes = 0;  // of each thread
    int threads = 1;
    Poll poll = [] {};  // an exception ends the loop
    // Called in the calling thread for each board, soon after it is solved.
    std::function<void(std::size_t index, const solver::Solution& solution)> report = [](auto, const auto&) {};
};

// Returns the solutions in the order of the boards. Each board is solved as by solve_once(), so that the result
// depends neither on the other boards nor on the number of threads. Throws EngineError, which names the board, if a
// game is over.
std::vector<solver::Solution> solve_many(std::span<const Board> boards, const SolveManyOptions& options);

}  // namespace fourfall
