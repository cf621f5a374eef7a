// Run-time choice of the instruction set: a hot loop is compiled twice, and the processor decides which version runs.
#pragma once

#include "game/lines.hpp"

namespace fourfall {

// dispatch<L>(loop) calls loop(VectorLines<L>{}) on processors with x86-64-v3 (AVX2), otherwise loop(ScalarLines<L>{}).
// Everything that the loop calls is inlined into both versions, so that its scalar code is compiled for x86-64-v3, too.
// (A third version for AVX-512 was slower.) FOURFALL_SCALAR compiles only the portable version, for tests and timing.
//
// On aarch64 the scalar version is the best one: an instruction combines a shift with a logical operation, another one
// (extr) shifts across two words, and there are 31 registers. has_four() on two words takes 35 instructions, with the
// vectors of NEON 51 (docs/performance.md).
template <class L, class F>
#if defined(__GNUC__)
__attribute__((flatten, noinline))
#endif
auto run_portable(F& loop) {
    return loop(ScalarLines<L>{});
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(FOURFALL_SCALAR)

inline bool has_x86_64_v3() {
    static const bool is_supported = __builtin_cpu_supports("x86-64-v3");
    return is_supported;
}

// zig switches off every instruction set that its target lacks, and only names of instruction sets switch them on
// again.
template <class L, class F>
__attribute__((target("arch=x86-64-v3,avx2,bmi,bmi2,fma,lzcnt,popcnt"), flatten, noinline)) auto run_x86_64_v3(
    F& loop) {
    return loop(VectorLines<L>{});
}

template <class L, class F>
auto dispatch(F&& loop) {
    return has_x86_64_v3() ? run_x86_64_v3<L>(loop) : run_portable<L>(loop);
}

// For recursion: calls loop(lines) in the version that the caller, which got `lines` from dispatch(), is part of.
template <class L, class F>
auto recurse(VectorLines<L>, F&& loop) {
    return run_x86_64_v3<L>(loop);
}

#else

template <class L, class F>
auto dispatch(F&& loop) {
    return run_portable<L>(loop);
}

#endif

template <class L, class F>
auto recurse(ScalarLines<L>, F&& loop) {
    return run_portable<L>(loop);
}

}  // namespace fourfall
