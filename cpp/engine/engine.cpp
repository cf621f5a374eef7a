// Engine: creates the search of a configuration, runs it and publishes snapshots to other threads.
#include "engine/engine.hpp"

#include <chrono>

#include "platform/clock.hpp"

namespace fourfall {

Engine::Engine(const EngineConfig& config, std::uint64_t seed, std::uint64_t memory_bytes)
    : config_(config), seed_(seed), memory_bytes_(memory_bytes) {
    require_valid(config, memory_bytes);
}

UniqueLock Engine::lock_searcher() {
    UniqueLock lock(searching_, kTryToLock);
    if (!lock) throw EngineError("the engine is searching; stop it first or use another engine");
    return lock;
}

Analysis Engine::search(const Board& board, const Limit& limit, const Poll& poll, StopToken* token) {
    return run(Mode::kBestMove, board, limit, poll, token);
}

Analysis Engine::analyse(const Board& board, const Limit& limit, const Poll& poll, StopToken* token) {
    return run(Mode::kEveryColumn, board, limit, poll, token);
}

Analysis Engine::run(Mode mode, const Board& board, const Limit& limit, const Poll& poll, StopToken* token) {
    const auto requested = SteadyClock::now();
    if (board.is_over()) throw EngineError("the game is over: there is nothing to search");
    const auto lock = lock_searcher();
    if (geometry_ != board.geometry()) {
        drop_searcher();
        searcher_ = make_searcher(config_, board.geometry(), seed_, memory_bytes_);
        geometry_ = board.geometry();
    }
    if (mode == Mode::kEveryColumn && !analyser_)
        analyser_ = std::make_unique<ColumnAnalyser>(config_, board.geometry(), seed_, memory_bytes_);
    const auto publish = [&](const Analysis& analysis) {
        const LockGuard guard(latest_mutex_);
        latest_ = analysis;
        latest_->board = board;
        ++published_;
        latest_changed_.notify_all();
    };
    struct RunningFlag {
        Engine& engine;
        explicit RunningFlag(Engine& owner) : engine(owner) {
            engine.control_.stop.store(false, std::memory_order_relaxed);
            engine.running_.store(true);
        }
        ~RunningFlag() {
            engine.running_.store(false);
            engine.latest_changed_.notify_all();
        }
    } running(*this);
    const StopToken::Connection connection(token, control_);
    control_.poll = poll;
    Analysis analysis = mode == Mode::kEveryColumn
                            ? analyser_->run(*searcher_, board, limit, requested, control_, publish)
                            : searcher_->run(board, limit, requested, control_, publish);
    publish(analysis);
    analysis.board = board;
    return analysis;
}

const network::Network& Engine::network() const {
    const auto* graph = std::get_if<graph::GraphConfig>(&config_);
    if (!graph || !graph->network)
        throw EngineError("this engine has no network; evaluate() needs one, for example Engine('fourfall')");
    return *graph->network;
}

std::optional<Analysis> Engine::snapshot() {
    UniqueLock guard(latest_mutex_);
    if (running_.load()) {
        const std::uint64_t before = published_;
        control_.snapshot_wanted.store(true, std::memory_order_relaxed);
        // The timeout is needed while the solver runs, and if the search ends with an exception at this moment.
        latest_changed_.wait_for(guard, std::chrono::milliseconds(200),
                                 [&] { return published_ != before || !running_.load(); });
    }
    return latest_;
}

void Engine::clear() {
    const auto lock = lock_searcher();
    drop_searcher();
}

void Engine::drop_searcher() {
    geometry_.reset();
    if (!searcher_) return;
    destroyer_ = Thread([searcher = std::move(searcher_), analyser = std::move(analyser_)]() mutable {
        analyser.reset();
        searcher.reset();
    });
}

TreeNode Engine::tree(int depth) {
    const auto lock = lock_searcher();
    if (!searcher_) return {-1, 0, Score::estimate(0), {}};
    return searcher_->tree(depth);
}

}  // namespace fourfall
