// Owns what was chosen for an exported program. This is what it looks like; the export writes its own in its place,
// with a network's weights where one evaluates.
#pragma once

#include <cstdint>

#include "search/graph/config.hpp"
#include "search/graph/search.hpp"

namespace fourfall::settings {
namespace {  // two libraries in one process must not share these

graph::Config config() {
    graph::Config config;
    config.move_time_s = 2.7;
    return config;
}
constexpr std::uint64_t kMemoryMb = 512;
constexpr std::uint64_t kSeed = 0;

}  // namespace
}  // namespace fourfall::settings
