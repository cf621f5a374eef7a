// Graph search: Monte Carlo search on a graph in which transpositions share nodes. docs/graph_search.md derives its
// formulas.
#pragma once

#include <cstdint>
#include <memory>

#include "game/geometry.hpp"
#include "search/graph/config.hpp"
#include "search/searcher.hpp"

namespace fourfall::graph {

// Enough for the solver's table and a useful number of nodes.
inline constexpr std::uint64_t kMinMemoryBytes = std::uint64_t{16} << 20;

std::unique_ptr<Searcher> make_searcher(const GraphConfig& config, const Geometry& geometry, std::uint64_t seed,
                                        std::uint64_t memory_bytes);

}  // namespace fourfall::graph
