// ExactSolver: creates the solver of a geometry, runs it and publishes its bounds to other threads.
#include "engine/exact.hpp"

#include <string>

#include "platform/clock.hpp"
#include "search/solver/table_memory.hpp"

namespace fourfall {

ExactSolver::ExactSolver(std::uint64_t memory_bytes, int threads) : memory_bytes_(memory_bytes), threads_(threads) {
    require_memory(memory_bytes);
}

void ExactSolver::require_memory(std::uint64_t memory_bytes) {
    constexpr std::uint64_t kMin = solver::TableMemory::kMinBytes;
    if (memory_bytes < kMin)
        throw EngineError("the solver needs at least " + std::to_string(kMin >> 20) + " MiB of memory");
}

solver::Solution ExactSolver::solve(const Board& board, bool columns, const solver::Budget& budget, const Poll& poll) {
    const auto requested = SteadyClock::now();
    if (board.is_over()) throw EngineError("the game is over: there is nothing to solve");
    const UniqueLock lock(solving_, kTryToLock);
    if (!lock) throw EngineError("the solver is running; stop it first or use another solver");
    if (geometry_ != board.geometry()) {
        solver_.reset();  // frees the old memory before the new is allocated
        solver_ = solver::make_solver(board.geometry(), memory_bytes_, threads_);
        geometry_ = board.geometry();
    }
    const auto publish = [&](const solver::Solution& solution) {
        const LockGuard guard(latest_mutex_);
        latest_ = solution;
        latest_->board = board;
    };
    control_.stop.store(false, std::memory_order_relaxed);
    control_.poll = [&] {
        publish(solver_->progress());
        poll();
    };
    solver::Solution solution = solver_->solve(board, columns, budget, requested, control_);
    publish(solution);
    solution.board = board;
    return solution;
}

std::optional<solver::Solution> ExactSolver::snapshot() {
    const LockGuard guard(latest_mutex_);
    return latest_;
}

}  // namespace fourfall
