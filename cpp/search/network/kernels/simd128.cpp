// Kernel for 128-bit registers, four floats at a time: SSE4.1 on x86-64, NEON on aarch64, WebAssembly SIMD.
#include "search/network/kernels/kernel.hpp"

#ifdef FOURFALL_SIMD128_NAME

#include <array>

#include "search/network/forward.inl"

#if defined(__x86_64__)
#define FOURFALL_SIMD128 __attribute__((target("sse4.1")))
#else
#define FOURFALL_SIMD128
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
    static constexpr int kLanes = 4, kInterleaved = 1;
    typedef float Vector __attribute__((vector_size(16), may_alias));
#if defined(__wasm__)
    using Factors = std::array<float, 1>;
#else
    using Factors = Vector;
#endif
    using Operand = float;

    static Operand to_operand(float value) { return value; }
    static void store(const Vector& from, Operand* to) { *reinterpret_cast<Vector*>(to) = from; }

    template <int kCount>
    FOURFALL_SIMD128 static void multiply(const MatrixProduct& product, std::size_t first) {
        multiply_rows<Simd128, kCount>(product, first);
    }
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

constexpr KernelCode kSimd128Code{&transform_weights<Winograd4x4<Simd128>>, &forward_simd128};

}  // namespace

constinit const Kernel kSimd128Kernel{FOURFALL_SIMD128_NAME, &has_simd128, kSimd128Code, kSimd128Code};

}  // namespace fourfall::network

#endif
