// The processor: number of cores, matrix unit, prefetch.
#pragma once

namespace fourfall {

// Number of processor cores that this process may use, at least 1.
int count_cores();

// Whether this process may use the matrix unit AMX with bf16 numbers. Asks the operating system for permission, which
// it gives to all threads of the process.
bool enable_bf16_tiles();

// Starts to load the cache line of an address that is read soon.
inline void prefetch(const void* address) { __builtin_prefetch(address); }

}  // namespace fourfall
