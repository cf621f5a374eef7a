// Counts the cores of the processor.
#include "platform/processor.hpp"

#ifdef __linux__
#include <sched.h>
#endif

#include <algorithm>

#ifndef __wasm__
#include <thread>
#endif

namespace fourfall {

int count_cores() {
#ifdef __linux__
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0) return std::max(CPU_COUNT(&cores), 1);
#endif
#ifdef __wasm__
    return 1;
#else
    return static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
#endif
}

}  // namespace fourfall
