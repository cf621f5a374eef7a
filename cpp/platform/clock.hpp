// The clock that measures durations.
#pragma once

#include <chrono>

namespace fourfall {

// Never runs backwards. In WebAssembly it calls the imported function clock_time_get of WASI.
using SteadyClock = std::chrono::steady_clock;

}  // namespace fourfall
