// Kernel for processors with AVX2 and FMA: eight floats at a time.
#include "search/network/kernels/kernel.hpp"

#ifdef FOURFALL_X86_KERNELS

#include <immintrin.h>

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
        const std::size_t size = product.channels;
        const float* left = static_cast<const float*>(product.left) + first * size;
        const auto* right = static_cast<const float*>(product.right);
        for (std::size_t column = 0; column < size; column += 2 * kLanes) {
            __m256 sums[kCount][2];
#pragma GCC unroll 16
            for (int row = 0; row < kCount; ++row) sums[row][0] = sums[row][1] = _mm256_setzero_ps();
            for (std::size_t k = 0; k < size; ++k, right += 2 * kLanes) {
                const __m256 one = _mm256_load_ps(right), other = _mm256_load_ps(right + kLanes);
#pragma GCC unroll 16
                for (int row = 0; row < kCount; ++row) {
                    const __m256 factor = _mm256_broadcast_ss(left + static_cast<std::size_t>(row) * size + k);
                    sums[row][0] = _mm256_fmadd_ps(factor, one, sums[row][0]);
                    sums[row][1] = _mm256_fmadd_ps(factor, other, sums[row][1]);
                }
            }
#pragma GCC unroll 16
            for (int row = 0; row < kCount; ++row) {
                float* out = product.out + (first + static_cast<std::size_t>(row)) * size + column;
                _mm256_store_ps(out, sums[row][0]);
                _mm256_store_ps(out + kLanes, sums[row][1]);
            }
        }
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
