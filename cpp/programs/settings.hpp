// Owns what was chosen for an exported program. This is what it looks like; the export writes its own in its place.
#pragma once

#include <cstdint>

#include "search/graph/config.hpp"
#include "search/graph/search.hpp"

namespace fourfall::settings {

inline graph::Config config() {
    graph::Config config;
    config.time_s = 2.7;
    return config;
}
inline constexpr std::uint64_t kMemoryMb = 512;
inline constexpr std::uint64_t kSeed = 0;

}  // namespace fourfall::settings
