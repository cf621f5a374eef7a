// Kernel for processors with AVX-512: sixteen floats at a time.
#include "search/network/kernels/kernel.hpp"

#ifdef FOURFALL_X86_KERNELS

#include <array>

#include "search/network/forward.inl"

#define FOURFALL_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))

namespace fourfall::network {
namespace {

struct Avx512 {
    static constexpr int kLanes = 16, kVectors = 2, kRows = 10, kInterleaved = 1;
    typedef float Vector __attribute__((vector_size(64), may_alias));
    using Factors = std::array<float, 1>;
    using Operand = float;

    static Operand to_operand(float value) { return value; }
    static void store(const Vector& from, Operand* to) { *reinterpret_cast<Vector*>(to) = from; }

    template <int kCount>
    FOURFALL_AVX512 static void multiply(const MatrixProduct& product, std::size_t first) {
        multiply_rows<Avx512, kCount>(product, first);
    }
};

template <class Winograd>
[[gnu::flatten]] FOURFALL_AVX512 NetworkOutput forward_avx512(const Network& network, const StemConstants& constants,
                                                              const InputPlanes& planes, Workspace& work) {
    return forward<Avx512, Winograd>(network, constants, planes, work);
}

bool has_avx512() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}

}  // namespace

constinit const Kernel kAvx512Kernel{
    "avx512",
    &has_avx512,
    {&transform_weights<Winograd4x4<Avx512>>, &forward_avx512<Winograd4x4<Avx512>>},
    {&transform_weights<Winograd2x2<Avx512>>, &forward_avx512<Winograd2x2<Avx512>>},
};

}  // namespace fourfall::network

#endif
