// A solver that is used for one position after another and keeps its memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "game/geometry.hpp"
#include "search/solver/solver.hpp"
#include "search/solver/table_memory.hpp"

namespace fourfall {

class ReusableSolver {
public:
    ReusableSolver(std::uint64_t memory_bytes, int threads, solver::TableMemory::Use use)
        : memory_(std::make_shared<solver::TableMemory>(memory_bytes, use)), threads_(threads), use_(use) {}

    // Returns the solver for boards of this geometry. If the last board had another one, the table must be empty.
    solver::Solver& get(const Geometry& geometry) {
        if (!solver_ || geometry_ != geometry) {
            solver_ = solver::make_solver(geometry, memory_, threads_);
            geometry_ = geometry;
        }
        return *solver_;
    }
    // Empties the table.
    void clear() {
        if (solver_) solver_->clear();
    }
    // Empties the table: returns its memory to the system and maps new memory. Throws std::bad_alloc, after which this
    // object must not be used any more.
    void renew_memory() {
        const std::uint64_t bytes = memory_->max_count() * sizeof(solver::TableMemory::Line);
        solver_.reset();
        memory_.reset();
        memory_ = std::make_shared<solver::TableMemory>(bytes, use_);
        memory_->clear();  // also maps the first pages
    }

    const solver::TableMemory& memory() const { return *memory_; }
    int threads() const { return threads_; }

private:
    std::shared_ptr<solver::TableMemory> memory_;
    int threads_;
    solver::TableMemory::Use use_;
    std::unique_ptr<solver::Solver> solver_;
    std::optional<Geometry> geometry_;  // of solver_
};

}  // namespace fourfall
