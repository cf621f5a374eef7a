#include "engine/engine.hpp"

#include <chrono>
#include <string>

#include "search/graph/search.hpp"
#include "search/tree/search.hpp"

namespace fourfall {
namespace {

// Resolves to the search that a configuration is for.
constexpr std::uint64_t least_memory_bytes(const tree::Config&) { return tree::NodePool<WideLayout>::kMinMemoryBytes; }
constexpr std::uint64_t least_memory_bytes(const graph::Config&) { return graph::kMinMemoryBytes; }

}  // namespace

Engine::Engine(const SearchConfig& config, std::uint64_t seed, std::uint64_t memory_bytes)
    : config_(config), seed_(seed), memory_bytes_(memory_bytes) {
    const std::uint64_t least = std::visit([](const auto& own) { return least_memory_bytes(own); }, config);
    if (memory_bytes < least)
        throw EngineError("this engine needs at least " + std::to_string(least >> 20) + " MiB of memory");
    const auto* graph = std::get_if<graph::Config>(&config);
    if (graph && (graph->threads < 1 || graph->rollouts < 1))
        throw EngineError("a graph search needs at least one thread and one rollout");
    if (graph && graph->evaluator == graph::EvaluatorKind::kNetwork && !graph->network)
        throw EngineError("this engine evaluates with a network, and none is loaded");
}

std::unique_lock<std::mutex> Engine::claim() {
    std::unique_lock lock(searching_, std::try_to_lock);
    if (!lock) throw EngineError("the engine is searching; stop it first or use another one");
    return lock;
}

Analysis Engine::search(const Board& board, const Limit& limit, const Poll& poll) {
    const auto asked = std::chrono::steady_clock::now();
    if (board.is_over()) throw EngineError("the game is over: there is nothing to search");
    const auto lock = claim();
    if (geometry_ != board.geometry()) {
        drop_searcher();
        searcher_ = std::visit(
            [&](const auto& config) { return make_searcher(config, board.geometry(), seed_, memory_bytes_); }, config_);
        geometry_ = board.geometry();
    }
    const auto publish = [&](const Analysis& analysis) {
        const std::lock_guard guard(latest_mutex_);
        latest_ = analysis;
        ++published_;
        latest_changed_.notify_all();
    };
    struct Running {
        Engine& engine;
        explicit Running(Engine& owner) : engine(owner) {
            engine.control_.stop.store(false, std::memory_order_relaxed);
            engine.running_.store(true);
        }
        ~Running() {
            engine.running_.store(false);
            engine.latest_changed_.notify_all();
        }
    } running(*this);
    control_.poll = poll;
    const Analysis analysis = searcher_->run(board, limit, asked, control_, publish);
    publish(analysis);
    return analysis;
}

std::optional<Analysis> Engine::snapshot() {
    std::unique_lock guard(latest_mutex_);
    if (running_.load()) {
        const std::uint64_t before = published_;
        control_.snapshot_wanted.store(true, std::memory_order_relaxed);
        // The bound matters while the solver is at work, and if the search ends by an exception just now.
        latest_changed_.wait_for(guard, std::chrono::milliseconds(200),
                                 [&] { return published_ != before || !running_.load(); });
    }
    return latest_;
}

void Engine::clear() {
    const auto lock = claim();
    drop_searcher();
}

void Engine::drop_searcher() {
    geometry_.reset();
    if (searcher_) reaper_ = std::jthread([old = std::move(searcher_)]() mutable { old.reset(); });
}

TreeNode Engine::tree(int depth) {
    const auto lock = claim();
    if (!searcher_) return {-1, 0, Score::estimate(0), {}};
    return searcher_->tree(depth);
}

}  // namespace fourfall
