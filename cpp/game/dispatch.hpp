// Owns the choice of instruction set: a hot loop is compiled twice and the version that this processor runs is picked.
#pragma once

#include "game/lines.hpp"

namespace fourfall {

// The loop is a callable that takes a lines class as template parameter. Everything it calls is inlined into both
// versions, so that plain code, too, is compiled for the better processor. (A third version for AVX-512 was slower.)
// FOURFALL_SCALAR leaves only the version for any processor, to test and to time it.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(FOURFALL_SCALAR)

inline bool has_wide_registers() {
    static const bool yes = __builtin_cpu_supports("x86-64-v3");
    return yes;
}

template <class L, class F>
__attribute__((target("arch=x86-64-v3"), flatten, noinline)) auto on_wide_registers(F& loop) {
    return loop(VectorLines<L>{});
}

template <class L, class F>
__attribute__((flatten, noinline)) auto on_any_processor(F& loop) {
    return loop(ScalarLines<L>{});
}

template <class L, class F>
auto dispatch(F&& loop) {
    return has_wide_registers() ? on_wide_registers<L>(loop) : on_any_processor<L>(loop);
}

#else

template <class L, class F>
auto dispatch(F&& loop) {
    return loop(ScalarLines<L>{});
}

#endif

}  // namespace fourfall
