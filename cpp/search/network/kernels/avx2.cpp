// Kernel for processors with AVX2 and FMA: eight floats at a time.
#include "search/network/kernels/kernel.hpp"

#ifdef FOURFALL_X86_KERNELS

#include <array>

#include "search/network/forward.inl"

#define FOURFALL_AVX2 __attribute__((target("avx2,fma")))

namespace fourfall::network {
namespace {

struct Avx2 {
    static constexpr int kLanes = 8, kVectors = 4, kRows = 3, kInterleaved = 1;
    typedef float Vector __attribute__((vector_size(32), may_alias));
    using Factors = std::array<float, 1>;
    using Operand = float;

    static Operand to_operand(float value) { return value; }
    static void store(const Vector& from, Operand* to) { *reinterpret_cast<Vector*>(to) = from; }

    template <int kCount>
    FOURFALL_AVX2 static void multiply(const MatrixProduct& product, std::size_t first) {
        multiply_rows<Avx2, kCount>(product, first);
    }
};

template <class Winograd>
[[gnu::flatten]] FOURFALL_AVX2 NetworkOutput forward_avx2(const Network& network, const StemConstants& constants,
                                                          const InputPlanes& planes, Workspace& work) {
    return forward<Avx2, Winograd>(network, constants, planes, work);
}

bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

}  // namespace

constinit const Kernel kAvx2Kernel{
    "avx2",
    &has_avx2,
    {&transform_weights<Winograd4x4<Avx2>>, &forward_avx2<Winograd4x4<Avx2>>},
    {&transform_weights<Winograd2x2<Avx2>>, &forward_avx2<Winograd2x2<Avx2>>},
};

}  // namespace fourfall::network

#endif
