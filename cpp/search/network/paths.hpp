// Owns the processor's side of the network: for each path through it how many numbers are taken at once, and the
// products of small matrices, in which nearly all of the time goes.
//
// A path has kLanes numbers in a register, and the sums of kRows rows of a product, two registers each, stay in
// registers. Factors are stored as Factor, kTogether consecutive ones of a column side by side. What is compiled for a
// path is called only where the processor has it; everything else is a template that is inlined into such a function.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(FOURFALL_SCALAR)
#define FOURFALL_WIDE_PATHS
#include <immintrin.h>
#endif

namespace fourfall::network {

// Rows of numbers times a square matrix. Two registers' worth of the matrix's columns lie together.
struct Product {
    const void* left;   // [row][channel]
    const void* right;  // [channel / columns][channel][columns], columns = 2 kLanes
    float* out;         // [row][channel]
    std::size_t channels;
};

// Runs on everything, four numbers at a time.
struct Portable {
    static constexpr const char* kName = "portable";
    static constexpr int kLanes = 4, kRows = 4, kTogether = 1;
    typedef float Lanes __attribute__((vector_size(16), may_alias));
    using Factor = float;

    static bool is_available() { return true; }
    static Factor factor(float value) { return value; }
    static void store(const Lanes& from, Factor* to) { *reinterpret_cast<Lanes*>(to) = from; }

    template <int kCount>
    static void multiply(const Product& product, std::size_t first) {
        const std::size_t size = product.channels;
        const float* left = static_cast<const float*>(product.left) + first * size;
        const auto* right = static_cast<const Lanes*>(product.right);
        for (std::size_t column = 0; column < size; column += 2 * kLanes) {
            Lanes sums[kCount][2]{};
            for (std::size_t k = 0; k < size; ++k, right += 2) {
#pragma GCC unroll 16
                for (int row = 0; row < kCount; ++row) {
                    const float factor = left[static_cast<std::size_t>(row) * size + k];
                    sums[row][0] += right[0] * factor;
                    sums[row][1] += right[1] * factor;
                }
            }
#pragma GCC unroll 16
            for (int row = 0; row < kCount; ++row) {
                auto* out =
                    reinterpret_cast<Lanes*>(product.out + (first + static_cast<std::size_t>(row)) * size + column);
                out[0] = sums[row][0], out[1] = sums[row][1];
            }
        }
    }
};

#ifdef FOURFALL_WIDE_PATHS

#define FOURFALL_AVX2 __attribute__((target("avx2,fma")))
#define FOURFALL_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16")))

struct Avx2 {
    static constexpr const char* kName = "avx2";
    static constexpr int kLanes = 8, kRows = 6, kTogether = 1;
    typedef float Lanes __attribute__((vector_size(32), may_alias));
    using Factor = float;

    static bool is_available() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
    static Factor factor(float value) { return value; }
    static void store(const Lanes& from, Factor* to) { *reinterpret_cast<Lanes*>(to) = from; }

    template <int kCount>
    FOURFALL_AVX2 static void multiply(const Product& product, std::size_t first) {
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

// Factors have 8 significant bits (bf16), sums 24.
struct Avx512 {
    static constexpr const char* kName = "avx512-bf16";
    static constexpr int kLanes = 16, kRows = 12, kTogether = 2;
    typedef float Lanes __attribute__((vector_size(64), may_alias));
    using Factor = std::uint16_t;

    static bool is_available() {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bf16");
    }
    // Rounds to nearest, to even where two are equally near, as the processor does.
    static Factor factor(float value) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        return static_cast<Factor>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    }
    FOURFALL_AVX512 static void store(const Lanes& from, Factor* to) {
        const __m256bh rounded = _mm512_cvtneps_pbh((__m512)from);
        std::memcpy(to, &rounded, sizeof rounded);
    }

    template <int kCount>
    FOURFALL_AVX512 static void multiply(const Product& product, std::size_t first) {
        const std::size_t size = product.channels;
        const Factor* left = static_cast<const Factor*>(product.left) + first * size;
        const auto* right = static_cast<const Factor*>(product.right);
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

#endif

// The whole product, in as few parts of about equal size as the registers allow.
template <class Path>
void multiply(const Product& product, int rows) {
    using Part = void (*)(const Product&, std::size_t);
    static constexpr auto kParts = []<int... kCounts>(std::integer_sequence<int, kCounts...>) {
        return std::array<Part, sizeof...(kCounts)>{&Path::template multiply<kCounts + 1>...};
    }(std::make_integer_sequence<int, Path::kRows>{});
    for (int first = 0, parts = (rows + Path::kRows - 1) / Path::kRows; parts > 0; --parts) {
        const int count = (rows - first + parts - 1) / parts;
        kParts[static_cast<std::size_t>(count - 1)](product, static_cast<std::size_t>(first));
        first += count;
    }
}

}  // namespace fourfall::network
