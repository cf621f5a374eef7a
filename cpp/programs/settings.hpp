// Settings of an exported program. This file is an example; the export replaces it with the chosen settings and, if a
// network evaluates, its weights.
#pragma once

#include <cstdint>

#include "search/graph/config.hpp"
#include "search/graph/search.hpp"

namespace fourfall::settings {
namespace {  // internal linkage: two libraries in one process must not share these

graph::GraphConfig config() {
    graph::GraphConfig config;
    config.move_time_s = 2.7;
    return config;
}
constexpr std::uint64_t kMemoryMb = 512;
constexpr std::uint64_t kSeed = 0;

}  // namespace
}  // namespace fourfall::settings
