// Settings of the heap.
#pragma once

namespace fourfall {

// Prevents pauses after many small blocks were freed.
void disable_fast_bins();

}  // namespace fourfall
