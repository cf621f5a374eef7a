// Owns the one facade over the searches: memory, a running search that can be watched and stopped, the last answer.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <variant>

#include "game/board.hpp"
#include "game/poll.hpp"
#include "search/analysis.hpp"
#include "search/graph/config.hpp"
#include "search/limits.hpp"
#include "search/searcher.hpp"
#include "search/tree/config.hpp"

namespace fourfall {

// The engine was asked for something it cannot do: search a finished game, or two games at once.
struct EngineError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// How to search: the kind of configuration says which search.
using SearchConfig = std::variant<tree::Config, graph::Config>;

class Engine {
public:
    // Throws EngineError where the memory is too little for this search.
    Engine(const SearchConfig& config, std::uint64_t seed, std::uint64_t memory_bytes);

    // Searches in the calling thread. Throws EngineError if the game is over or another search is running.
    Analysis search(const Board& board, const Limit& limit, const Poll& poll);

    // From any thread: ends the running search, which then answers with what it has.
    void stop() { control_.stop.store(true, std::memory_order_relaxed); }
    // From any thread: what the running search thinks now, or what the last one thought; nothing before the first.
    std::optional<Analysis> snapshot();
    // Forgets everything that was kept from earlier searches; not while one is running.
    void clear();
    // The tree of the last search down to a depth; not while one is running.
    TreeNode tree(int depth);

private:
    std::unique_lock<std::mutex> claim();
    void drop_searcher();

    SearchConfig config_;
    std::uint64_t seed_;
    std::uint64_t memory_bytes_;
    std::mutex searching_;  // held by whoever uses searcher_
    std::optional<Geometry> geometry_;
    std::unique_ptr<Searcher> searcher_;
    std::jthread reaper_;  // takes an old searcher apart, which would make a move late
    Control control_;

    std::mutex latest_mutex_;  // guards the two below
    std::condition_variable latest_changed_;
    std::optional<Analysis> latest_;
    std::uint64_t published_ = 0;
    std::atomic<bool> running_{false};
};

}  // namespace fourfall
