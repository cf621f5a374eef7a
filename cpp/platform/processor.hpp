// The processor: number of cores, prefetch.
#pragma once

namespace fourfall {

// Number of processor cores that this process may use, at least 1.
int count_cores();

// Starts to load the cache line of an address that is read soon.
inline void prefetch(const void* address) { __builtin_prefetch(address); }

}  // namespace fourfall
