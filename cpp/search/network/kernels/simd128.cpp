// Kernel for 128-bit registers, four floats at a time: SSE4.1 on x86-64, NEON on aarch64, WebAssembly SIMD.
#include "search/network/kernels/kernel.hpp"

#ifdef FOURFALL_SIMD128_NAME

#include "search/network/forward.inl"

#if defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(__x86_64__)
#define FOURFALL_SIMD128 __attribute__((target("sse4.1")))
#else
#define FOURFALL_SIMD128
#endif

namespace fourfall::network {
namespace {

struct Simd128 {
    // Each row has two sums. aarch64 has 32 registers, x86-64 has 16. Engines that compile WebAssembly for x86-64 load
    // the factors of all rows before they use the first one, so that more than four rows would not fit.
#if defined(__aarch64__)
    static constexpr int kRows = 8;
#elif defined(__x86_64__)
    static constexpr int kRows = 6;
#else
    static constexpr int kRows = 4;
#endif
    static constexpr int kLanes = 4, kVectors = 2, kInterleaved = 1;
    typedef float Vector __attribute__((vector_size(16), may_alias));
    using Operand = float;

    static Operand to_operand(float value) { return value; }
    static void store(const Vector& from, Operand* to) { *reinterpret_cast<Vector*>(to) = from; }

    template <int kCount>
    FOURFALL_SIMD128 static void multiply(const MatrixProduct& product, std::size_t first) {
#if defined(__aarch64__)
        multiply_lanes<kCount>(product, first);
#elif defined(__wasm__)
        if (product.channels == kUsualChannels)
            multiply_channels<kCount, kUsualChannels>(product, first);
        else
            multiply_rows<Simd128, kCount>(product, first);
#else
        multiply_rows<Simd128, kCount>(product, first);
#endif
    }

private:
#if defined(__aarch64__)
    // Reads four factors of a row with one load; the processor multiplies a vector by one lane of another.
    template <int kCount>
    FOURFALL_INLINED static void multiply_lanes(const MatrixProduct& product, std::size_t first) {
        const std::size_t size = product.channels;
        const float* left = static_cast<const float*>(product.left) + first * size;
        const auto* right = static_cast<const float*>(product.right);
        for (std::size_t column = 0; column < size; column += 2 * kLanes) {
            float32x4_t sums[kCount][2];
#pragma GCC unroll 16
            for (int row = 0; row < kCount; ++row) sums[row][0] = sums[row][1] = vdupq_n_f32(0);
            for (std::size_t k = 0; k < size; k += kLanes, right += 2 * kLanes * kLanes) {
                float32x4_t vectors[2 * kLanes];
#pragma GCC unroll 16
                for (int i = 0; i < 2 * kLanes; ++i) vectors[i] = vld1q_f32(right + kLanes * i);
#pragma GCC unroll 16
                for (int row = 0; row < kCount; ++row) {
                    const float32x4_t factors = vld1q_f32(left + static_cast<std::size_t>(row) * size + k);
#pragma GCC unroll 2
                    for (int half = 0; half < 2; ++half) {
                        float32x4_t& sum = sums[row][half];
                        sum = vfmaq_laneq_f32(sum, vectors[half], factors, 0);
                        sum = vfmaq_laneq_f32(sum, vectors[2 + half], factors, 1);
                        sum = vfmaq_laneq_f32(sum, vectors[4 + half], factors, 2);
                        sum = vfmaq_laneq_f32(sum, vectors[6 + half], factors, 3);
                    }
                }
            }
#pragma GCC unroll 16
            for (int row = 0; row < kCount; ++row) {
                float* out = product.out + (first + static_cast<std::size_t>(row)) * size + column;
                vst1q_f32(out, sums[row][0]);
                vst1q_f32(out + kLanes, sums[row][1]);
            }
        }
    }
#elif defined(__wasm__)
    static constexpr std::size_t kUsualChannels = 64;

    // multiply_rows() for a constant number of channels: the distance between rows then is part of the instructions.
    template <int kCount, std::size_t kSize>
    FOURFALL_INLINED static void multiply_channels(const MatrixProduct& product, std::size_t first) {
        const float* left = static_cast<const float*>(product.left) + first * kSize;
        const auto* right = static_cast<const Vector*>(product.right);
        for (std::size_t column = 0; column < kSize; column += 2 * kLanes) {
            Vector sums[kCount][2]{};
            for (const float *at = left, *end = left + kSize; at != end; ++at, right += 2) {
                // Hides the pointers from the compiler, which would compute an address for each load.
                asm("" : "+r"(at), "+r"(right));
                const Vector one = right[0], other = right[1];
#pragma GCC unroll 16
                for (std::size_t row = 0; row < kCount; ++row) {
                    const float factor = at[row * kSize];
                    sums[row][0] += one * factor;
                    sums[row][1] += other * factor;
                }
            }
#pragma GCC unroll 16
            for (std::size_t row = 0; row < kCount; ++row) {
                auto* out = reinterpret_cast<Vector*>(product.out + (first + row) * kSize + column);
                out[0] = sums[row][0], out[1] = sums[row][1];
            }
        }
    }
#endif
};

[[gnu::flatten]] FOURFALL_SIMD128 NetworkOutput forward_simd128(const Network& network, const StemConstants& constants,
                                                                const InputPlanes& planes, Workspace& work) {
    return forward<Simd128, Winograd4x4<Simd128>>(network, constants, planes, work);
}

bool has_simd128() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("sse4.1");
#else
    return true;
#endif
}

constexpr KernelCode kSimd128Code{&transform_weights<Simd128, Winograd4x4<Simd128>>, &forward_simd128};

}  // namespace

constinit const Kernel kSimd128Kernel{FOURFALL_SIMD128_NAME, &has_simd128, kSimd128Code, kSimd128Code};

}  // namespace fourfall::network

#endif
