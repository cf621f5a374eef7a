// Kernel for 128-bit registers, four numbers at a time: SSE4.1 on x86-64, WebAssembly SIMD, NEON on aarch64.
//
// NEON multiplies four numbers per instruction, integers or floats, so its kernel uses floats only.
#include "search/network/kernels/kernel.hpp"

#ifdef FOURFALL_SIMD128_NAME

#include <array>
#include <cstdint>

#include "search/network/forward.inl"
#include "search/network/winograd_int16.inl"

#if defined(__x86_64__)
#include <immintrin.h>
#define FOURFALL_SIMD128 __attribute__((target("sse4.1")))
#else
#define FOURFALL_SIMD128
#endif
#if defined(__wasm__)
#include <wasm_simd128.h>
#endif

namespace fourfall::network {
namespace {

struct Simd128 {
#if defined(__aarch64__)
    static constexpr int kVectors = 4, kRows = 5;  // 32 registers
#elif defined(__x86_64__)
    static constexpr int kVectors = 8, kRows = 1;  // 16 registers; a product overwrites one of its operands
#else
    static constexpr int kVectors = 2, kRows = 4;  // V8 on x86-64 needs a register for every factor
#endif
    static constexpr int kLanes = 4;
    typedef float Vector __attribute__((vector_size(16), may_alias));
#if defined(__wasm__)
    using Factors = std::array<float, 1>;
#else
    using Factors = Vector;
#endif

    template <int kCount>
    FOURFALL_SIMD128 static void multiply(const MatrixProduct& product, std::size_t first) {
        multiply_rows<Simd128, kCount>(product, first);
    }
};

template <class Simd, class Winograd>
[[gnu::flatten]] FOURFALL_SIMD128 NetworkOutput forward_simd128(const Network& network, const StemConstants& constants,
                                                                const InputPlanes& planes, Workspace& work) {
    return forward<Simd, Winograd>(network, constants, planes, work);
}

template <class Simd, class Winograd>
constexpr KernelCode kSimd128Code{&transform_weights<Winograd>, &forward_simd128<Simd, Winograd>};
constexpr KernelCode kSimd128Float32Code = kSimd128Code<Simd128, Winograd4x4<Simd128>>;

#if defined(__aarch64__)
constexpr KernelCode kSimd128FastestCode = kSimd128Float32Code;
#else
struct Simd128Int16 {
#if defined(__x86_64__)
    static constexpr int kRows = 6;  // 16 registers
#else
    static constexpr int kRows = 4;  // V8 on x86-64 needs a register for every factor
#endif
    static constexpr int kLanes = 4, kVectors = 2;
    typedef float Vector __attribute__((vector_size(16), may_alias));
    typedef std::int32_t Sums __attribute__((vector_size(16), may_alias));

    FOURFALL_SIMD128 static void round(const Vector& values, std::int16_t* to) {
#if defined(__x86_64__)
        const __m128i rounded = _mm_cvtps_epi32((__m128)values);
        _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packs_epi32(rounded, rounded));
#else
        // Rounds to nearest: after the addition the lowest bits are the integer.
        const Vector shift = Vector{} + 0x1.8p23F;
        const auto rounded = (v128_t)((Sums)(values + shift) - (Sums)shift);
        wasm_v128_store64_lane(to, wasm_i16x8_narrow_i32x4(rounded, rounded), 0);
#endif
    }
    FOURFALL_SIMD128 static void add_products(Sums& sum, const Sums& a, const Sums& b) {
#if defined(__x86_64__)
        sum += (Sums)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
        sum += (Sums)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b);
#endif
    }

    template <int kCount>
    [[gnu::flatten]] FOURFALL_SIMD128 static void multiply(const Int16Product& product, std::size_t first) {
        multiply_int16_rows<Simd128Int16, kCount>(product, first);
    }
};
constexpr KernelCode kSimd128FastestCode = kSimd128Code<Simd128Int16, WinogradInt16<Simd128Int16>>;
#endif

bool has_simd128() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("sse4.1");
#else
    return true;
#endif
}

}  // namespace

constinit const Kernel kSimd128Kernel{FOURFALL_SIMD128_NAME, &has_simd128, kSimd128FastestCode, &kSimd128Float32Code};

}  // namespace fourfall::network

#endif
