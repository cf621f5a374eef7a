// Owns how much memory the processes of a jail use together: the kernel's own limits are per process.
#pragma once

#include <cstdint>

namespace fourfall::jail {

// KiB of no file in use by all processes in /proc but the calling one; where that exceeds `cap_kib`, pages that several
// share count once, which takes longer to find out.
std::uint64_t memory_in_use(std::uint64_t cap_kib);

}  // namespace fourfall::jail
