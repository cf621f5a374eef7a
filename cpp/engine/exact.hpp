// Facade over the solver: runs one call at a time, which other threads can watch and stop.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/engine.hpp"
#include "platform/mutex.hpp"
#include "search/solver/solver.hpp"

namespace fourfall {

class ExactSolver {
public:
    // Throws EngineError if the memory is too small.
    explicit ExactSolver(std::uint64_t memory_bytes, int threads = 1);
    ExactSolver(const ExactSolver&) = delete;
    ExactSolver& operator=(const ExactSolver&) = delete;
    ~ExactSolver();
    // Throws EngineError if the memory is too small for a solver.
    static void require_memory(std::uint64_t memory_bytes);

    // Solves in the calling thread, with the help of others if `threads` is greater than 1. Throws EngineError if the
    // game is over or another call is running.
    solver::Solution solve(const Board& board, bool columns, const solver::Budget& budget, const Poll& poll);
    // Ends the running call, which returns the bounds found so far. May be called from any thread.
    void stop() { control_.stop.store(true, std::memory_order_relaxed); }
    // Returns the latest bounds of the running or the last call; nullopt before the first. May be called from any
    // thread.
    std::optional<solver::Solution> snapshot();

private:
    // Makes a solver with an empty table.
    void make_solver(const Geometry& geometry);

    std::uint64_t memory_bytes_;
    int threads_;
    Mutex solving_;  // held while solver_ is in use
    std::optional<Geometry> geometry_;
    std::shared_ptr<solver::TableMemory> memory_;  // of solver_
    std::unique_ptr<solver::Solver> solver_;
    Control control_;
    Mutex latest_mutex_;  // guards latest_
    std::optional<solver::Solution> latest_;
};

}  // namespace fourfall
