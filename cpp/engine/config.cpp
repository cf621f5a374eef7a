// Creates the search of a configuration.
#include "engine/config.hpp"

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

std::unique_ptr<Searcher> make_searcher(const EngineConfig& config, const Geometry& geometry, std::uint64_t seed,
                                        std::uint64_t memory_bytes) {
    return std::visit([&](const auto& own) { return make_searcher(own, geometry, seed, memory_bytes); }, config);
}

}  // namespace fourfall
