// Facade over the searches: runs one search at a time, which other threads can watch and stop.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/column_analyser.hpp"
#include "engine/config.hpp"
#include "engine/errors.hpp"
#include "engine/stop_token.hpp"
#include "game/board.hpp"
#include "game/poll.hpp"
#include "platform/mutex.hpp"
#include "platform/thread.hpp"
#include "search/analysis.hpp"
#include "search/limits.hpp"
#include "search/searcher.hpp"

namespace fourfall {

class Engine {
public:
    // Throws EngineError if the configuration is invalid or the memory too small for the search.
    Engine(const EngineConfig& config, std::uint64_t seed, std::uint64_t memory_bytes);

    // Searches for the best move in the calling thread. Columns that the search neglects may have no score. Throws
    // EngineError if the game is over or another search is running.
    // A stop of the token, if there is one, ends the search even if it came before the search began.
    Analysis search(const Board& board, const Limit& limit, const Poll& poll, StopToken* token = nullptr);
    // The same, with a score for every column.
    Analysis analyse(const Board& board, const Limit& limit, const Poll& poll, StopToken* token = nullptr);

    // The network that evaluates positions. Throws EngineError if the engine has none.
    const network::Network& network() const;

    // Ends the running search, which returns its result so far; does nothing if none is running. May be called from any
    // thread.
    void stop() { control_.stop.store(true, std::memory_order_relaxed); }
    // Returns the current analysis of the running search, or the last analysis; nullopt before the first search. May be
    // called from any thread.
    std::optional<Analysis> snapshot();
    // Deletes everything kept from earlier searches. Throws EngineError while a search is running.
    void clear();
    // Copies the tree of the last search down to a depth. Throws EngineError while a search is running.
    TreeNode tree(int depth);

private:
    enum class Mode : std::uint8_t { kBestMove, kEveryColumn };

    Analysis run(Mode mode, const Board& board, const Limit& limit, const Poll& poll, StopToken* token);
    UniqueLock lock_searcher();
    void drop_searcher();

    EngineConfig config_;
    std::uint64_t seed_;
    std::uint64_t memory_bytes_;
    Mutex searching_;  // held while searcher_ is in use
    std::optional<Geometry> geometry_;
    std::unique_ptr<Searcher> searcher_;
    std::unique_ptr<ColumnAnalyser> analyser_;  // made by the first analysis of every column
    Thread destroyer_;                          // frees an old searcher, which takes too long to do before a move
    Control control_;

    Mutex latest_mutex_;  // guards the two below
    ConditionVariable latest_changed_;
    std::optional<Analysis> latest_;
    std::uint64_t published_ = 0;
    std::atomic<bool> running_{false};
};

}  // namespace fourfall
