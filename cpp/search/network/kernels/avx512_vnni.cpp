// Kernel for processors with AVX-512 and VNNI: sixteen values at a time. The convolutions of the blocks multiply 8-bit
// integers; everything else has single precision.
#include "search/network/kernels/kernel.hpp"

#ifdef FOURFALL_X86_KERNELS

#include <immintrin.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "search/network/forward.inl"
#include "search/network/winograd_int8.inl"

#define FOURFALL_AVX512_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")))

namespace fourfall::network {
namespace {

struct Avx512Vnni {
    static constexpr int kLanes = 16, kVectors = 2, kRows = 12, kInterleaved = 4;
    typedef float Vector __attribute__((vector_size(64), may_alias));
    using Operand = std::int8_t;
    typedef std::int32_t Integers __attribute__((vector_size(64), may_alias));
    // GCC takes the operand that the intrinsics without a mask leave undefined for a mistake.
    static constexpr __mmask16 kAll = 0xffff;

    // Replaces the lanes of `largest` that are smaller than the magnitude of `value`.
    FOURFALL_AVX512_VNNI static void enlarge(Vector& largest, const Vector& value) {
        largest = (Vector)_mm512_maskz_range_ps(kAll, (__m512)largest, (__m512)value, 0b1011);
    }
    // Halves the number of 128-bit parts of two vectors.
    FOURFALL_AVX512_VNNI static __m512 merge(__m512 a, __m512 b) {
        return _mm512_maskz_max_ps(kAll, _mm512_maskz_shuffle_f32x4(kAll, a, b, 0x88),
                                   _mm512_maskz_shuffle_f32x4(kAll, a, b, 0xdd));
    }
    // Finds the greatest lane of each of sixteen vectors.
    FOURFALL_AVX512_VNNI static void find_greatest_lanes(const Vector* vectors, Vector& to) {
        __m512 fours[4];
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            const auto a = (__m512)vectors[4 * i], b = (__m512)vectors[4 * i + 1];
            const auto c = (__m512)vectors[4 * i + 2], d = (__m512)vectors[4 * i + 3];
            const auto ab = (__m512d)_mm512_maskz_max_ps(kAll, _mm512_maskz_unpacklo_ps(kAll, a, b),
                                                         _mm512_maskz_unpackhi_ps(kAll, a, b));
            const auto cd = (__m512d)_mm512_maskz_max_ps(kAll, _mm512_maskz_unpacklo_ps(kAll, c, d),
                                                         _mm512_maskz_unpackhi_ps(kAll, c, d));
            fours[i] = _mm512_maskz_max_ps(kAll, (__m512)_mm512_maskz_unpacklo_pd(0xff, ab, cd),
                                           (__m512)_mm512_maskz_unpackhi_pd(0xff, ab, cd));
        }
        to = (Vector)merge(merge(fours[0], fours[1]), merge(fours[2], fours[3]));
    }

    // Returns round(value * scale) + 128.
    FOURFALL_AVX512_VNNI static __m512i round_vector(const float* from, float scale) {
        return _mm512_maskz_cvtps_epi32(
            kAll, _mm512_fmadd_ps(_mm512_load_ps(from), _mm512_set1_ps(scale), _mm512_set1_ps(128)));
    }
    FOURFALL_AVX512_VNNI static void round(const float* from, float scale, std::size_t count, std::uint8_t* to) {
        const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
        std::size_t i = 0;
        for (; i + 64 <= count; i += 64) {
            const __m512i low = _mm512_packs_epi32(round_vector(from + i, scale), round_vector(from + i + 16, scale));
            const __m512i high =
                _mm512_packs_epi32(round_vector(from + i + 32, scale), round_vector(from + i + 48, scale));
            const __m512i bytes = _mm512_maskz_permutexvar_epi32(kAll, order, _mm512_packus_epi16(low, high));
            _mm512_storeu_si512(to + i, bytes);
        }
        for (; i < count; i += 16)
            _mm_store_si128(reinterpret_cast<__m128i*>(to + i),
                            _mm512_maskz_cvtusepi32_epi8(kAll, round_vector(from + i, scale)));
    }

    FOURFALL_AVX512_VNNI static __m512 to_floats(__m512i a, __m512i b) {
        return (__m512) __builtin_convertvector((Integers)a + (Integers)b, Vector);
    }

    template <int kCount>
    FOURFALL_AVX512_VNNI static void multiply(const Int8Product& product, std::size_t first) {
        if (product.channels == 64)  // a constant size makes the addresses of the rows constants, too
            multiply_rows<kCount>(product, first, std::integral_constant<std::size_t, 64>{});
        else
            multiply_rows<kCount>(product, first, product.channels);
    }
    template <int kCount>
    [[gnu::always_inline]] FOURFALL_AVX512_VNNI static inline void multiply_rows(const Int8Product& product,
                                                                                 std::size_t first, const auto size) {
        const std::uint8_t* left = product.left + first * size;
        const std::int8_t* right = product.right;
        for (std::size_t column = 0; column < size; column += 2 * kLanes) {
            __m512i sums[kCount][2];
#pragma GCC unroll 16
            for (int row = 0; row < kCount; ++row) sums[row][0] = sums[row][1] = _mm512_setzero_si512();
            for (std::size_t k = 0; k < size; k += 4, right += 8 * kLanes) {
                const __m512i one = _mm512_load_si512(right), other = _mm512_load_si512(right + 4 * kLanes);
#pragma GCC unroll 16
                for (int row = 0; row < kCount; ++row) {
                    int four;
                    std::memcpy(&four, left + static_cast<std::size_t>(row) * size + k, sizeof four);
                    const __m512i factors = _mm512_set1_epi32(four);
                    // With the intrinsics, GCC 12 keeps most of the sums in memory.
                    asm("vpdpbusd %2, %1, %0" : "+v"(sums[row][0]) : "v"(factors), "v"(one));
                    asm("vpdpbusd %2, %1, %0" : "+v"(sums[row][1]) : "v"(factors), "v"(other));
                }
            }
            const __m512i one_offset = _mm512_load_si512(product.offsets + column);
            const __m512i other_offset = _mm512_load_si512(product.offsets + column + kLanes);
            const __m512 one = _mm512_load_ps(product.column_scales + column);
            const __m512 other = _mm512_load_ps(product.column_scales + column + kLanes);
#pragma GCC unroll 16
            for (int row = 0; row < kCount; ++row) {
                const std::size_t index = first + static_cast<std::size_t>(row);
                float* out = product.out + index * size + column;
                const __m512 scale = _mm512_set1_ps(product.row_scales[index * kTileElements]);
                _mm512_store_ps(out, to_floats(sums[row][0], one_offset) * (one * scale));
                _mm512_store_ps(out + kLanes, to_floats(sums[row][1], other_offset) * (other * scale));
            }
        }
    }
};

[[gnu::flatten]] FOURFALL_AVX512_VNNI NetworkOutput forward_vnni(const Network& network, const StemConstants& constants,
                                                                 const InputPlanes& planes, Workspace& work) {
    return forward<Avx512Vnni, WinogradInt8<Avx512Vnni>>(network, constants, planes, work);
}

bool has_vnni() { return kAvx512Kernel.is_available() && __builtin_cpu_supports("avx512vnni"); }

}  // namespace

constinit const Kernel kAvx512VnniKernel{
    "avx512-vnni", &has_vnni, {&transform_weights<WinogradInt8<Avx512Vnni>>, &forward_vnni}, {}};

}  // namespace fourfall::network

#endif
