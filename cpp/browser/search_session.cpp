// SearchSession: creates the search of a configuration and runs it until the time of a step has passed.
#include "browser/search_session.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "engine/errors.hpp"
#include "platform/clock.hpp"

namespace fourfall {
namespace {

constexpr double kMaxStepMs = 86'400'000;

// A failed allocation during the construction of a search would leave behind what was allocated before it, because
// WebAssembly runs no destructors. So this tests before the construction whether there is enough memory.
void require_free_memory(std::uint64_t bytes) {
    // Volatile, because compilers remove an allocation that is not used.
    void* volatile memory = bytes <= PTRDIFF_MAX ? std::malloc(static_cast<std::size_t>(bytes)) : nullptr;
    if (memory == nullptr) throw EngineError("there is not enough memory: " + std::to_string(bytes >> 20) + " MiB");
    std::free(memory);
}

}  // namespace

SearchSession::SearchSession(const EngineConfig& config, std::uint64_t seed, std::uint64_t memory_bytes)
    : config_(config), seed_(seed), memory_bytes_(memory_bytes) {
    require_valid(config, memory_bytes);
}

void SearchSession::create_searcher(const Geometry& geometry) {
    constexpr std::uint64_t kReserve = std::uint64_t{1} << 20;  // for what the memory of a search does not count
    geometry_.reset();
    analyser_.reset();
    searcher_.reset();
    require_free_memory(memory_bytes_ + kReserve);
    searcher_ = make_searcher(config_, geometry, seed_, memory_bytes_);
    geometry_ = geometry;
}

void SearchSession::begin(const Board& board, const Limit& limit, bool every_column) {
    const auto requested = SteadyClock::now();
    if (board.is_over()) throw EngineError("the game is over: there is nothing to search");
    is_begun_ = has_stepped_ = false;
    if (geometry_ != board.geometry()) create_searcher(board.geometry());
    if (every_column && !analyser_) {
        require_free_memory(ColumnAnalyser::compute_memory_bytes(config_, memory_bytes_));
        analyser_ = std::make_unique<ColumnAnalyser>(config_, board.geometry(), seed_, memory_bytes_);
    }
    is_every_column_ = every_column;
    control_.stop.store(false, std::memory_order_relaxed);
    if (every_column)
        analyser_->start(*searcher_, board, limit, requested, control_);
    else
        searcher_->start(board, limit, requested, control_);
    is_begun_ = true;
}

bool SearchSession::step(double milliseconds) {
    require_begun();
    const std::chrono::microseconds duration(static_cast<std::int64_t>(1000 * std::min(milliseconds, kMaxStepMs)));
    const auto pause_at = SteadyClock::now() + duration;
    const auto ignore = [](const Analysis&) {};
    has_stepped_ = true;
    return is_every_column_ ? analyser_->advance(pause_at, ignore) : searcher_->advance(pause_at, ignore);
}

Analysis SearchSession::report() {
    if (!has_stepped_) step(0);
    return is_every_column_ ? analyser_->report() : searcher_->report();
}

void SearchSession::require_begun() const {
    if (!is_begun_) throw EngineError("no search was started");
}

}  // namespace fourfall
