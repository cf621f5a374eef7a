// Counts the cores of the processor and enables its matrix unit.
#include "platform/processor.hpp"

#ifdef __linux__
#include <sched.h>
#ifdef __x86_64__
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif
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

bool enable_bf16_tiles() {
#if defined(__linux__) && defined(__x86_64__)
    constexpr long kRequestPermission = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM of arch_prctl
    constexpr unsigned kAmxBf16 = 1U << 22, kAmxTile = 1U << 24, kAvx512Bf16 = 1U << 5;
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (d & kAmxBf16) == 0 || (d & kAmxTile) == 0) return false;
    if (__get_cpuid_count(7, 1, &a, &b, &c, &d) == 0 || (a & kAvx512Bf16) == 0) return false;
    return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
    return false;
#endif
}

}  // namespace fourfall
