// Distributes positions among solvers in several threads and reports solutions to the calling thread.
#include "engine/solve_many.hpp"

#include <optional>
#include <string>
#include <utility>

#include "engine/exact.hpp"
#include "engine/parallel_loop.hpp"
#include "engine/reusable_solver.hpp"
#include "platform/clock.hpp"
#include "platform/mutex.hpp"
#include "search/solver/near_end.hpp"

namespace fourfall {

std::vector<solver::Solution> solve_many(std::span<const Board> boards, const SolveManyOptions& options) {
    ExactSolver::require_memory(options.memory_bytes);
    for (std::size_t i = 0; i < boards.size(); ++i)
        if (boards[i].is_over())
            throw EngineError("board " + std::to_string(i) + ": the game is over: there is nothing to solve");

    std::vector<solver::Solution> solutions(boards.size());
    std::vector<Control> controls(static_cast<std::size_t>(options.threads));
    std::vector<std::optional<ReusableSolver>> solvers(controls.size());
    Mutex mutex;  // guards `unreported`, the boards whose solutions are complete
    std::vector<std::size_t> unreported;

    bool has_report_failed = false;
    const auto report_solutions = [&] {
        UniqueLock lock(mutex);
        const std::vector<std::size_t> indices = std::exchange(unreported, {});
        lock.unlock();
        has_report_failed = true;
        for (const std::size_t index : indices) options.report(index, solutions[index]);
        has_report_failed = false;
    };
    ParallelLoop loop{options.threads};
    loop.poll = [&] {
        report_solutions();
        options.poll();
    };
    loop.interrupt = [&] {
        for (Control& control : controls) control.stop.store(true, std::memory_order_relaxed);
    };
    const auto solve_board = [&](std::size_t index, int thread) {
        Control& control = controls[static_cast<std::size_t>(thread)];
        const auto requested = SteadyClock::now();
        const Board& board = boards[index];
        if (!solver::solve_near_end(board, options.columns, options.budget, requested, solutions[index])) {
            std::optional<ReusableSolver>& solver = solvers[static_cast<std::size_t>(thread)];
            if (!solver) solver.emplace(options.memory_bytes, 1, solver::TableMemory::Use::kRepeated);
            solutions[index] =
                solver->get(board.geometry()).solve(board, options.columns, options.budget, requested, control);
            solver->clear();
        }
        if (control.stop.load(std::memory_order_relaxed)) return;
        solutions[index].board = board;
        const LockGuard guard(mutex);
        unreported.push_back(index);
    };
    try {
        loop.run(boards.size(), solve_board);
    } catch (...) {
        // Boards that were solved after the last report.
        if (!has_report_failed) report_solutions();
        throw;
    }
    return solutions;
}

}  // namespace fourfall
