// Kernel for processors with AVX-512 and bf16: sixteen values at a time. Operands have 8 significant bits (bf16),
// sums 24.
#include "search/network/kernels/kernel.hpp"

#ifdef FOURFALL_X86_KERNELS

#include <immintrin.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "search/network/forward.inl"

#define FOURFALL_BF16 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16")))

namespace fourfall::network {
namespace {

struct Avx512Bf16 {
    static constexpr int kLanes = 16, kVectors = 2, kRows = 12, kInterleaved = 2;
    typedef float Vector __attribute__((vector_size(64), may_alias));
    using Operand = std::uint16_t;

    // Rounds to nearest, ties to even, as the processor does.
    static Operand to_operand(float value) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        return static_cast<Operand>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    }
    FOURFALL_BF16 static void store(const Vector& from, Operand* to) {
        const __m256bh rounded = _mm512_cvtneps_pbh((__m512)from);
        std::memcpy(to, &rounded, sizeof rounded);
    }

    template <int kCount>
    FOURFALL_BF16 static void multiply(const MatrixProduct& product, std::size_t first) {
        const std::size_t size = product.channels;
        const Operand* left = static_cast<const Operand*>(product.left) + first * size;
        const auto* right = static_cast<const Operand*>(product.right);
        for (std::size_t column = 0; column < size; column += 2 * kLanes) {
            __m512 sums[kCount][2];
#pragma GCC unroll 16
            for (int row = 0; row < kCount; ++row) sums[row][0] = sums[row][1] = _mm512_setzero_ps();
            for (std::size_t k = 0; k < size; k += 2, right += 4 * kLanes) {
                const auto one = (__m512bh)_mm512_load_si512(right);
                const auto other = (__m512bh)_mm512_load_si512(right + 2 * kLanes);
#pragma GCC unroll 16
                for (int row = 0; row < kCount; ++row) {
                    int pair;
                    std::memcpy(&pair, left + static_cast<std::size_t>(row) * size + k, sizeof pair);
                    const auto factors = (__m512bh)_mm512_set1_epi32(pair);
                    sums[row][0] = _mm512_dpbf16_ps(sums[row][0], factors, one);
                    sums[row][1] = _mm512_dpbf16_ps(sums[row][1], factors, other);
                }
            }
#pragma GCC unroll 16
            for (int row = 0; row < kCount; ++row) {
                float* out = product.out + (first + static_cast<std::size_t>(row)) * size + column;
                _mm512_store_ps(out, sums[row][0]);
                _mm512_store_ps(out + kLanes, sums[row][1]);
            }
        }
    }
};

[[gnu::flatten]] FOURFALL_BF16 NetworkOutput forward_bf16(const Network& network, const StemConstants& constants,
                                                          const InputPlanes& planes, Workspace& work) {
    return forward<Avx512Bf16, Winograd2x2<Avx512Bf16>>(network, constants, planes, work);
}

bool has_bf16() { return kAvx512Kernel.is_available() && __builtin_cpu_supports("avx512bf16"); }

}  // namespace

constinit const Kernel kAvx512Bf16Kernel{
    "avx512-bf16", &has_bf16, {&transform_weights<Winograd2x2<Avx512Bf16>>, &forward_bf16}, {}};

}  // namespace fourfall::network

#endif
