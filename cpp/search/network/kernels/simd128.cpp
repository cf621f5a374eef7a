// Kernel for 128-bit registers, four floats at a time: SSE4.1 on x86-64, NEON on aarch64, WebAssembly SIMD.
#include "search/network/kernels/kernel.hpp"

#ifdef FOURFALL_SIMD128_NAME

#include "search/network/forward.inl"

#if defined(__x86_64__)
#define FOURFALL_SIMD128 __attribute__((target("sse4.1")))
#else
#define FOURFALL_SIMD128
#endif

namespace fourfall::network {
namespace {

struct Simd128 {
    static constexpr int kLanes = 4, kRows = 4, kInterleaved = 1;
    typedef float Vector __attribute__((vector_size(16), may_alias));
    using Operand = float;

    static Operand to_operand(float value) { return value; }
    static void store(const Vector& from, Operand* to) { *reinterpret_cast<Vector*>(to) = from; }

    template <int kCount>
    FOURFALL_SIMD128 static void multiply(const MatrixProduct& product, std::size_t first) {
        const std::size_t size = product.channels;
        const float* left = static_cast<const float*>(product.left) + first * size;
        const auto* right = static_cast<const Vector*>(product.right);
        for (std::size_t column = 0; column < size; column += 2 * kLanes) {
            Vector sums[kCount][2]{};
            for (const float *at = left, *end = left + size; at != end; ++at, right += 2) {
                const Vector one = right[0], other = right[1];
#pragma GCC unroll 16
                for (int row = 0; row < kCount; ++row) {
                    const float factor = at[static_cast<std::size_t>(row) * size];
                    sums[row][0] += one * factor;
                    sums[row][1] += other * factor;
                }
            }
#pragma GCC unroll 16
            for (int row = 0; row < kCount; ++row) {
                auto* out =
                    reinterpret_cast<Vector*>(product.out + (first + static_cast<std::size_t>(row)) * size + column);
                out[0] = sums[row][0], out[1] = sums[row][1];
            }
        }
    }
};

[[gnu::flatten]] FOURFALL_SIMD128 NetworkOutput forward_simd128(const Network& network, const StemConstants& constants,
                                                                const InputPlanes& planes, Workspace& work) {
    return forward<Simd128>(network, constants, planes, work);
}

bool has_simd128() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("sse4.1");
#else
    return true;
#endif
}

}  // namespace

constinit const Kernel kSimd128Kernel{FOURFALL_SIMD128_NAME, &has_simd128, true, &transform_weights<Simd128>,
                                      &forward_simd128};

}  // namespace fourfall::network

#endif
