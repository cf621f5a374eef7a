// Measures the memory of all processes of a sandbox together; the kernel's resource limits are per process.
#pragma once

#include <cstdint>

namespace fourfall::sandbox {

// The limit of open descriptors of each process.
inline constexpr std::uint64_t kMaxDescriptors = 256;

// KiB of anonymous and shared memory (no files) in use by all processes in /proc except the calling one, plus the
// capacity of the buffers of their sockets and pipes. If the sum exceeds `limit_kib`, it is measured again with pages
// that several processes share counted once, which is slower.
std::uint64_t measure_memory_kib(std::uint64_t limit_kib);

}  // namespace fourfall::sandbox
