// Kernel for processors with AVX2 and FMA: eight floats at a time.
#include "search/network/kernels/kernel.hpp"

#ifdef FOURFALL_X86_KERNELS

#include "search/network/forward.inl"

#define FOURFALL_AVX2 __attribute__((target("avx2,fma")))

namespace fourfall::network {
namespace {

struct Avx2 {
    static constexpr int kLanes = 8, kRows = 6, kInterleaved = 1;
    typedef float Vector __attribute__((vector_size(32), may_alias));
    using Operand = float;

    static Operand to_operand(float value) { return value; }
    static void store(const Vector& from, Operand* to) { *reinterpret_cast<Vector*>(to) = from; }

    template <int kCount>
    FOURFALL_AVX2 static void multiply(const MatrixProduct& product, std::size_t first) {
        multiply_rows<Avx2, kCount>(product, first);
    }
};

[[gnu::flatten]] FOURFALL_AVX2 NetworkOutput forward_avx2(const Network& network, const StemConstants& constants,
                                                          const InputPlanes& planes, Workspace& work) {
    return forward<Avx2>(network, constants, planes, work);
}

bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

}  // namespace

constinit const Kernel kAvx2Kernel{"avx2", &has_avx2, true, &transform_weights<Avx2>, &forward_avx2};

}  // namespace fourfall::network

#endif
