// Creates the search of a configuration.
#include "engine/config.hpp"

#include <string>

#include "engine/errors.hpp"
#include "platform/mutex.hpp"
#include "search/graph/search.hpp"
#include "search/tree/node_pool.hpp"
#include "search/tree/search.hpp"

namespace fourfall {
namespace {

constexpr std::uint64_t min_memory_bytes(const tree::TreeConfig&) {
    return tree::NodePool<WideLayout>::kMinMemoryBytes;
}
constexpr std::uint64_t min_memory_bytes(const graph::GraphConfig&) { return graph::kMinMemoryBytes; }

}  // namespace

std::uint64_t get_min_memory_bytes(const EngineConfig& config) {
    return std::visit([](const auto& own) { return min_memory_bytes(own); }, config);
}

void require_valid(const EngineConfig& config, std::uint64_t memory_bytes) {
    const std::uint64_t minimum = get_min_memory_bytes(config);
    if (memory_bytes < minimum)
        throw EngineError("this engine needs at least " + std::to_string(minimum >> 20) + " MiB of memory");
    const auto* graph = std::get_if<graph::GraphConfig>(&config);
    if (graph && (graph->threads < 1 || graph->rollouts < 1))
        throw EngineError("the graph search needs threads >= 1 and rollouts >= 1");
    if (!kHasThreads && graph && graph->threads > 1)
        throw EngineError("this system has no threads: the graph search needs threads = 1");
    if (graph && graph->evaluator == graph::EvaluatorKind::kNetwork && !graph->network)
        throw EngineError("the configuration evaluates with a network, but none is loaded");
}

std::unique_ptr<Searcher> make_searcher(const EngineConfig& config, const Geometry& geometry, std::uint64_t seed,
                                        std::uint64_t memory_bytes) {
    return std::visit([&](const auto& own) { return make_searcher(own, geometry, seed, memory_bytes); }, config);
}

}  // namespace fourfall
