// Kernel for processors with AVX2 and VNNI: eight values at a time. The convolutions of the blocks multiply 8-bit
// integers; everything else has single precision.
#include "search/network/kernels/kernel.hpp"

#ifdef FOURFALL_AVX_VNNI_KERNEL

#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "search/network/forward.inl"
#include "search/network/winograd_int8.inl"

#define FOURFALL_AVX_VNNI __attribute__((target("avx2,fma,avxvnni")))

namespace fourfall::network {
namespace {

struct AvxVnni {
    static constexpr int kLanes = 8, kVectors = 4, kRows = 3, kInterleaved = 4;
    typedef float Vector __attribute__((vector_size(32), may_alias));
    using Operand = std::int8_t;

    // Replaces the lanes of `largest` that are smaller than the magnitude of `value`.
    FOURFALL_AVX_VNNI static void enlarge(Vector& largest, const Vector& value) {
        const __m256 sign = _mm256_set1_ps(-0.0F);
        largest = (Vector)_mm256_max_ps((__m256)largest, _mm256_andnot_ps(sign, (__m256)value));
    }

    // The greatest lane of each of four vectors, in both halves, not yet compared with each other.
    FOURFALL_AVX_VNNI static __m256 merge_four(const Vector* vectors) {
        const auto a = (__m256)vectors[0], b = (__m256)vectors[1], c = (__m256)vectors[2], d = (__m256)vectors[3];
        const auto ab = (__m256d)_mm256_max_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        const auto cd = (__m256d)_mm256_max_ps(_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
        return _mm256_max_ps((__m256)_mm256_unpacklo_pd(ab, cd), (__m256)_mm256_unpackhi_pd(ab, cd));
    }
    // Finds the greatest lane of each of eight vectors.
    FOURFALL_AVX_VNNI static void find_greatest_lanes(const Vector* vectors, Vector& to) {
        const __m256 low = merge_four(vectors), high = merge_four(vectors + 4);
        to = (Vector)_mm256_max_ps(_mm256_permute2f128_ps(low, high, 0x20), _mm256_permute2f128_ps(low, high, 0x31));
    }

    FOURFALL_AVX_VNNI static __m256i round_vector(const float* from, float scale) {
        return _mm256_cvtps_epi32(_mm256_fmadd_ps(_mm256_load_ps(from), _mm256_set1_ps(scale), _mm256_set1_ps(128)));
    }
    FOURFALL_AVX_VNNI static void round(const float* from, float scale, std::size_t count, std::uint8_t* to) {
        const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
        for (std::size_t i = 0; i < count; i += 32) {
            const __m256i low = _mm256_packs_epi32(round_vector(from + i, scale), round_vector(from + i + 8, scale));
            const __m256i high =
                _mm256_packs_epi32(round_vector(from + i + 16, scale), round_vector(from + i + 24, scale));
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i),
                                _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order));
        }
    }

    template <int kCount>
    FOURFALL_AVX_VNNI static void multiply(const Int8Product& product, std::size_t first) {
        const std::size_t size = product.channels;
        const std::uint8_t* left = product.left + first * size;
        const auto* right = reinterpret_cast<const __m256i*>(product.right);
        for (std::size_t column = 0; column < size; column += kVectors * kLanes) {
            __m256i sums[kCount][kVectors]{};
            for (std::size_t k = 0; k < size; k += 4, right += kVectors) {
                __m256i factors[kCount];
#pragma GCC unroll 4
                for (int row = 0; row < kCount; ++row) {
                    int four;
                    std::memcpy(&four, left + static_cast<std::size_t>(row) * size + k, sizeof four);
                    factors[row] = _mm256_set1_epi32(four);
                }
#pragma GCC unroll 4
                for (int i = 0; i < kVectors; ++i)
#pragma GCC unroll 4
                    for (int row = 0; row < kCount; ++row)
                        asm("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sums[row][i]) : "x"(factors[row]), "x"(right[i]));
            }
#pragma GCC unroll 4
            for (int row = 0; row < kCount; ++row) {
                const std::size_t index = first + static_cast<std::size_t>(row);
                float* out = product.out + index * size + column;
                const __m256 scale = _mm256_set1_ps(product.row_scales[index * kTileElements]);
#pragma GCC unroll 4
                for (int i = 0; i < kVectors; ++i) {
                    const std::size_t channel = column + static_cast<std::size_t>(i * kLanes);
                    const __m256i offset =
                        _mm256_load_si256(reinterpret_cast<const __m256i*>(product.offsets + channel));
                    _mm256_store_ps(out + i * kLanes, _mm256_cvtepi32_ps(_mm256_add_epi32(sums[row][i], offset)) *
                                                          (_mm256_load_ps(product.column_scales + channel) * scale));
                }
            }
        }
    }
};

[[gnu::flatten]] FOURFALL_AVX_VNNI NetworkOutput forward_avx_vnni(const Network& network,
                                                                  const StemConstants& constants,
                                                                  const InputPlanes& planes, Workspace& work) {
    return forward<AvxVnni, WinogradInt8<AvxVnni>>(network, constants, planes, work);
}

bool has_avx_vnni() { return kAvx2Kernel.is_available() && __builtin_cpu_supports("avxvnni"); }

}  // namespace

constinit const Kernel kAvxVnniKernel{
    "avx-vnni", &has_avx_vnni, {&transform_weights<WinogradInt8<AvxVnni>>, &forward_avx_vnni}, {}};

}  // namespace fourfall::network

#endif
