// Sets options of the C library's allocator.
#include "platform/heap.hpp"

#include <cstdlib>  // defines __GLIBC__

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace fourfall {

// The GNU C library keeps freed blocks of up to 128 bytes in lists ("fast bins") and merges all of them when a larger
// block is freed. After a tree of 200,000 nodes is freed, this stops a later search for up to 100 ms. Without these
// lists each block is merged when it is freed. mallopt() is documented as unsafe if other threads run, because options
// are plain variables; this one is a size that the allocator reads once per call.
void disable_fast_bins() {
#ifdef __GLIBC__
    [[maybe_unused]] static const int is_set = ::mallopt(M_MXFAST, 0);  // NOLINT(concurrency-mt-unsafe)
#endif
}

}  // namespace fourfall
