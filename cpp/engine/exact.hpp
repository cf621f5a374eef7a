// Owns the facade over the solver: one question at a time, watched and stopped from other threads.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "engine/engine.hpp"
#include "search/solver/solver.hpp"

namespace fourfall {

class ExactSolver {
public:
    // Throws EngineError where the memory is too little.
    explicit ExactSolver(std::uint64_t memory_bytes);

    // Solves in the calling thread. Throws EngineError if the game is over or another question is being answered.
    solver::Solution solve(const Board& board, bool columns, const solver::Budget& budget, const Poll& poll);
    // From any thread: ends the running call, which then answers with the bounds it has.
    void stop() { control_.stop.store(true, std::memory_order_relaxed); }
    // From any thread: the latest bounds of the running or the last call; nothing before the first.
    std::optional<solver::Solution> snapshot();

private:
    std::uint64_t memory_bytes_;
    std::mutex solving_;  // held by whoever uses solver_
    std::optional<Geometry> geometry_;
    std::unique_ptr<solver::Solver> solver_;
    Control control_;
    std::mutex latest_mutex_;  // guards latest_
    std::optional<solver::Solution> latest_;
};

}  // namespace fourfall
