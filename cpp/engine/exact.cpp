// ExactSolver: creates the solver of a geometry, runs it and publishes its bounds to other threads.
#include "engine/exact.hpp"

#include <new>
#include <string>
#include <utility>

#include "platform/clock.hpp"
#include "search/solver/table_memory.hpp"

namespace fourfall {
namespace {

// Keeps the memory of the last solver for the next one: most positions are solved in less time than a new mapping and
// its page faults take. Memory of which more than the first 256 KB were used is returned to the system and replaced.
class IdleMemory {
public:
    // Returns empty memory.
    std::shared_ptr<solver::TableMemory> take(std::uint64_t bytes) {
        const LockGuard guard(mutex_);
        if (memory_ && memory_->max_count() == solver::TableMemory::count_lines(bytes)) return std::move(memory_);
        return std::make_shared<solver::TableMemory>(bytes);
    }
    // `memory` may be null.
    void give(std::shared_ptr<solver::TableMemory> memory) {
        if (!memory) return;
        if (memory->has_grown()) {
            const std::uint64_t bytes = memory->max_count() * sizeof(solver::TableMemory::Line);
            memory.reset();
            try {
                memory = std::make_shared<solver::TableMemory>(bytes);
            } catch (const std::bad_alloc&) {
                return;  // the next solver allocates its memory itself
            }
        }
        memory->clear();  // also maps the first pages
        const LockGuard guard(mutex_);
        memory_ = std::move(memory);
    }

private:
    Mutex mutex_;
    std::shared_ptr<solver::TableMemory> memory_;
};
IdleMemory idle_memory;

}  // namespace

ExactSolver::ExactSolver(std::uint64_t memory_bytes, int threads) : memory_bytes_(memory_bytes), threads_(threads) {
    require_memory(memory_bytes);
}

ExactSolver::~ExactSolver() {
    solver_.reset();
    idle_memory.give(std::move(memory_));
}

void ExactSolver::make_solver(const Geometry& geometry) {
    geometry_.reset();
    solver_.reset();
    idle_memory.give(std::move(memory_));  // or frees it before the new memory is allocated
    memory_ = idle_memory.take(memory_bytes_);
    solver_ = solver::make_solver(geometry, memory_, threads_);
    geometry_ = geometry;
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
    if (geometry_ != board.geometry()) make_solver(board.geometry());
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
