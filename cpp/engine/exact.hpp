// Facade over the solver: solves one position, or runs one call at a time, which other threads can watch and stop.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "engine/engine.hpp"
#include "engine/reusable_solver.hpp"
#include "platform/mutex.hpp"
#include "search/solver/solver.hpp"

namespace fourfall {

// Gives a solver to the next call that needs one.
struct KeepIdle {
    void operator()(ReusableSolver* solver) const;
};
using SolverLease = std::unique_ptr<ReusableSolver, KeepIdle>;

class ExactSolver {
public:
    // Throws EngineError if the memory is too small.
    explicit ExactSolver(std::uint64_t memory_bytes, int threads = 1);
    ExactSolver(const ExactSolver&) = delete;
    ExactSolver& operator=(const ExactSolver&) = delete;
    ~ExactSolver() = default;
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
    std::uint64_t memory_bytes_;
    int threads_;
    Mutex solving_;  // held while lease_ is in use
    SolverLease lease_;
    std::optional<Geometry> geometry_;  // of the positions in the table
    Control control_;
    Mutex latest_mutex_;  // guards latest_
    std::optional<solver::Solution> latest_;
};

// Called before a search that may take long; returns the callback that the search calls.
using BeginSearch = std::function<Poll()>;

// Solves a position as a new ExactSolver does. Costs less, because no other thread can watch or stop the call. A near
// end of the game is found without `begin_search`; after the call of it, `board` is not read any more.
solver::Solution solve_once(const Board& board, bool columns, const solver::Budget& budget, std::uint64_t memory_bytes,
                            int threads, const BeginSearch& begin_search);

}  // namespace fourfall
