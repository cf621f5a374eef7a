// Kernels for processors with AVX-512, with and without VNNI: sixteen numbers at a time.
#include "search/network/kernels/kernel.hpp"

#ifdef FOURFALL_X86_KERNELS

#include <immintrin.h>

#include <array>
#include <cstdint>

#include "search/network/forward.inl"
#include "search/network/winograd_int16.inl"

#define FOURFALL_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))

namespace fourfall::network {
namespace {

struct Avx512 {
    static constexpr int kLanes = 16, kVectors = 2, kRows = 10;
    typedef float Vector __attribute__((vector_size(64), may_alias));
    using Factors = std::array<float, 1>;

    template <int kCount>
    FOURFALL_AVX512 static void multiply(const MatrixProduct& product, std::size_t first) {
        multiply_rows<Avx512, kCount>(product, first);
    }
};

template <bool kHasVnni>
struct Avx512Int16 {
    static constexpr int kLanes = 16, kVectors = 2, kRows = 10;
    typedef float Vector __attribute__((vector_size(64), may_alias));
    typedef std::int32_t Sums __attribute__((vector_size(64), may_alias));
    // GCC warns about an undefined operand in the intrinsics without a mask.
    static constexpr __mmask16 kAll = 0xffff;

    FOURFALL_AVX512 static void round(const Vector& values, std::int16_t* to) {
        const __m512i rounded = _mm512_maskz_cvtps_epi32(kAll, (__m512)values);
        _mm256_store_si256(reinterpret_cast<__m256i*>(to), _mm512_maskz_cvtsepi32_epi16(kAll, rounded));
    }
    FOURFALL_AVX512 static void add_products(Sums& sum, const Sums& a, const Sums& b) {
        // Assembly, because both kernels are compiled for the same target, and because GCC 12 keeps most of the sums in
        // memory with the intrinsic.
        if constexpr (kHasVnni)
            asm("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
        else
            sum += (Sums)_mm512_madd_epi16((__m512i)a, (__m512i)b);
    }

    template <int kCount>
    [[gnu::flatten]] FOURFALL_AVX512 static void multiply(const Int16Product& product, std::size_t first) {
        multiply_int16_rows<Avx512Int16, kCount>(product, first);
    }
};

template <class Simd, class Winograd>
[[gnu::flatten]] FOURFALL_AVX512 NetworkOutput forward_avx512(const Network& network, const StemConstants& constants,
                                                              const InputPlanes& planes, Workspace& work) {
    return forward<Simd, Winograd>(network, constants, planes, work);
}

bool has_avx512() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}
bool has_vnni() { return has_avx512() && __builtin_cpu_supports("avx512vnni"); }

template <class Simd>
constexpr KernelCode kAvx512Code{&transform_weights<WinogradInt16<Simd>>, &forward_avx512<Simd, WinogradInt16<Simd>>};

}  // namespace

constinit const KernelCode kAvx512Float32Code{&transform_weights<Winograd2x2<Avx512>>,
                                              &forward_avx512<Avx512, Winograd2x2<Avx512>>};

constinit const Kernel kAvx512Kernel{"avx512", &has_avx512, kAvx512Code<Avx512Int16<false>>, &kAvx512Float32Code};
constinit const Kernel kAvx512VnniKernel{"avx512-vnni", &has_vnni, kAvx512Code<Avx512Int16<true>>, &kAvx512Float32Code};

}  // namespace fourfall::network

#endif
