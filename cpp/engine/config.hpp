// Configuration of an engine: that of a tree search or of a graph search.
#pragma once

#include <cstdint>
#include <variant>

#include "game/geometry.hpp"
#include "search/graph/config.hpp"
#include "search/searcher.hpp"
#include "search/tree/config.hpp"

namespace fourfall {

// The type of the configuration determines the search.
using EngineConfig = std::variant<tree::TreeConfig, graph::GraphConfig>;

// Smallest memory with which the search of a configuration works, in bytes.
std::uint64_t get_min_memory_bytes(const EngineConfig& config);

// Throws EngineError if the configuration is invalid or the memory too small for its search.
void require_valid(const EngineConfig& config, std::uint64_t memory_bytes);

std::unique_ptr<Searcher> make_searcher(const EngineConfig& config, const Geometry& geometry, std::uint64_t seed,
                                        std::uint64_t memory_bytes);

}  // namespace fourfall
