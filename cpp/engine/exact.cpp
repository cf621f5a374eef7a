// Takes the solver that the last call used, runs it and publishes its bounds to other threads.
#include "engine/exact.hpp"

#include <memory>
#include <new>
#include <string>
#include <utility>

#include "platform/clock.hpp"
#include "search/solver/near_end.hpp"
#include "search/solver/table_memory.hpp"

namespace fourfall {
namespace {

// Keeps the last solver for the next call: most positions are solved in less time than a new solver, the mapping of its
// memory and the page faults take.
class IdleSolver {
public:
    // Returns a solver with an empty table.
    SolverLease take(std::uint64_t memory_bytes, int threads) {
        {
            const LockGuard guard(mutex_);
            if (solver_ && solver_->threads() == threads &&
                solver_->memory().max_count() == solver::TableMemory::count_lines(memory_bytes))
                return SolverLease(solver_.release());
        }
        return SolverLease(new ReusableSolver(memory_bytes, threads, solver::TableMemory::Use::kGrowing));
    }
    // Memory of which more than the first 256 KB were used is returned to the system and replaced.
    void give(std::unique_ptr<ReusableSolver> solver) {
        try {
            if (solver->memory().has_grown())
                solver->renew_memory();
            else
                solver->clear();
        } catch (const std::bad_alloc&) {
            return;  // the next call makes a solver itself
        }
        const LockGuard guard(mutex_);
        solver_.swap(solver);
    }

private:
    Mutex mutex_;
    std::unique_ptr<ReusableSolver> solver_;
};
IdleSolver idle_solver;

void require_unfinished(const Board& board) {
    if (board.is_over()) throw EngineError("the game is over: there is nothing to solve");
}

}  // namespace

void KeepIdle::operator()(ReusableSolver* solver) const { idle_solver.give(std::unique_ptr<ReusableSolver>(solver)); }

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
    require_unfinished(board);
    const UniqueLock lock(solving_, kTryToLock);
    if (!lock) throw EngineError("the solver is running; stop it first or use another solver");
    const auto publish = [&](const solver::Solution& solution) {
        const LockGuard guard(latest_mutex_);
        latest_ = solution;
        latest_->board = board;
    };
    solver::Solution solution;
    if (solver::solve_near_end(board, columns, budget, requested, solution)) {
        solution.board = board;
        publish(solution);
        return solution;
    }
    if (geometry_ != board.geometry()) {
        geometry_.reset();
        lease_.reset();  // before the new memory is mapped
        lease_ = idle_solver.take(memory_bytes_, threads_);
        geometry_ = board.geometry();
    }
    solver::Solver& solver = lease_->get(board.geometry());
    control_.stop.store(false, std::memory_order_relaxed);
    control_.poll = [&] {
        publish(solver.progress());
        poll();
    };
    solution = solver.solve(board, columns, budget, requested, control_);
    solution.board = board;
    publish(solution);
    return solution;
}

std::optional<solver::Solution> ExactSolver::snapshot() {
    const LockGuard guard(latest_mutex_);
    return latest_;
}

solver::Solution solve_once(const Board& board, bool columns, const solver::Budget& budget, std::uint64_t memory_bytes,
                            int threads, const BeginSearch& begin_search) {
    const auto requested = SteadyClock::now();
    ExactSolver::require_memory(memory_bytes);
    require_unfinished(board);
    solver::Solution solution;
    if (solver::solve_near_end(board, columns, budget, requested, solution)) {
        solution.board = board;
        return solution;
    }
    const Board start = board;
    Control control;
    control.poll = begin_search();
    const SolverLease lease = idle_solver.take(memory_bytes, threads);
    solution = lease->get(start.geometry()).solve(start, columns, budget, requested, control);
    solution.board = start;
    return solution;
}

}  // namespace fourfall
