// Kernels for processors with AVX2 and FMA, with and without VNNI: eight numbers at a time.
#include "search/network/kernels/kernel.hpp"

#ifdef FOURFALL_X86_KERNELS

#include <immintrin.h>

#include <array>
#include <cstdint>

#include "search/network/forward.inl"
#include "search/network/winograd_int16.inl"

#define FOURFALL_AVX2 __attribute__((target("avx2,fma")))

namespace fourfall::network {
namespace {

struct Avx2 {
    static constexpr int kLanes = 8, kVectors = 4, kRows = 3;
    typedef float Vector __attribute__((vector_size(32), may_alias));
    using Factors = std::array<float, 1>;

    template <int kCount>
    FOURFALL_AVX2 static void multiply(const MatrixProduct& product, std::size_t first) {
        multiply_rows<Avx2, kCount>(product, first);
    }
};

template <bool kHasVnni>
struct Avx2Int16 {
    static constexpr int kLanes = 8, kVectors = 2, kRows = 6;
    typedef float Vector __attribute__((vector_size(32), may_alias));
    typedef std::int32_t Sums __attribute__((vector_size(32), may_alias));

    FOURFALL_AVX2 static void round(const Vector& values, std::int16_t* to) {
        const __m256i rounded = _mm256_cvtps_epi32((__m256)values);
        _mm_store_si128(reinterpret_cast<__m128i*>(to),
                        _mm_packs_epi32(_mm256_castsi256_si128(rounded), _mm256_extracti128_si256(rounded, 1)));
    }
    FOURFALL_AVX2 static void add_products(Sums& sum, const Sums& a, const Sums& b) {
        // Assembly, because both kernels are compiled for the same target.
        if constexpr (kHasVnni)
            asm("%{vex%} vpdpwssd %2, %1, %0" : "+x"(sum) : "x"(a), "x"(b));
        else
            sum += (Sums)_mm256_madd_epi16((__m256i)a, (__m256i)b);
    }

    template <int kCount>
    [[gnu::flatten]] FOURFALL_AVX2 static void multiply(const Int16Product& product, std::size_t first) {
        multiply_int16_rows<Avx2Int16, kCount>(product, first);
    }
};

template <class Simd, class Winograd>
[[gnu::flatten]] FOURFALL_AVX2 NetworkOutput forward_avx2(const Network& network, const StemConstants& constants,
                                                          const InputPlanes& planes, Workspace& work) {
    return forward<Simd, Winograd>(network, constants, planes, work);
}

bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool has_avx_vnni() { return has_avx2() && __builtin_cpu_supports("avxvnni"); }

template <class Simd>
constexpr KernelCode kAvx2Code{&transform_weights<WinogradInt16<Simd>>, &forward_avx2<Simd, WinogradInt16<Simd>>};
constexpr KernelCode kAvx2Float32Code{&transform_weights<Winograd2x2<Avx2>>, &forward_avx2<Avx2, Winograd2x2<Avx2>>};

}  // namespace

constinit const Kernel kAvx2Kernel{"avx2", &has_avx2, kAvx2Code<Avx2Int16<false>>, &kAvx2Float32Code};
constinit const Kernel kAvxVnniKernel{"avx-vnni", &has_avx_vnni, kAvx2Code<Avx2Int16<true>>, &kAvx2Float32Code};

}  // namespace fourfall::network

#endif
