// A search that runs in short steps, between which the caller does other work.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/column_analyser.hpp"
#include "engine/config.hpp"
#include "game/board.hpp"
#include "search/analysis.hpp"
#include "search/limits.hpp"
#include "search/searcher.hpp"

namespace fourfall {

// Keeps the nodes of its search from one position to the next, as `Engine` does.
class SearchSession {
public:
    // Throws EngineError if the configuration is invalid or the memory too small for the search.
    SearchSession(const EngineConfig& config, std::uint64_t seed, std::uint64_t memory_bytes);

    // Starts a search for the best move, or an analysis of every column. Throws EngineError if the game is over or the
    // memory cannot be allocated.
    void begin(const Board& board, const Limit& limit, bool every_column);
    // Searches for about so many milliseconds; returns whether the search has ended.
    bool step(double milliseconds);
    // Makes the next step end the search soon.
    void stop() { control_.stop.store(true, std::memory_order_relaxed); }
    // Result so far; `stopped_by` is empty until the search has ended.
    Analysis report();

private:
    void create_searcher(const Geometry& geometry);
    void require_begun() const;

    EngineConfig config_;
    std::uint64_t seed_, memory_bytes_;
    std::optional<Geometry> geometry_;
    std::unique_ptr<Searcher> searcher_;
    std::unique_ptr<ColumnAnalyser> analyser_;  // made by the first analysis of every column
    Control control_;
    bool is_every_column_ = false, is_begun_ = false, has_stepped_ = false;
};

}  // namespace fourfall
