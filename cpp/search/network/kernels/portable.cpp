// Kernel for any processor: four floats at a time.
#include <array>

#include "search/network/forward.inl"
#include "search/network/kernels/kernel.hpp"

namespace fourfall::network {
namespace {

struct Portable {
    static constexpr int kLanes = 4;
    typedef float Vector __attribute__((vector_size(16), may_alias));
#if defined(__wasm__) && !defined(__wasm_simd128__)
    // Every lane is a register of its own.
    static constexpr int kVectors = 1, kRows = 2;
    using Factors = std::array<float, 1>;
#else
    static constexpr int kVectors = 8, kRows = 1;  // for 16 registers
    using Factors = Vector;
#endif

    template <int kCount>
    static void multiply(const MatrixProduct& product, std::size_t first) {
        multiply_rows<Portable, kCount>(product, first);
    }
};

[[gnu::flatten]] NetworkOutput forward_portable(const Network& network, const StemConstants& constants,
                                                const InputPlanes& planes, Workspace& work) {
    return forward<Portable, Winograd4x4<Portable>>(network, constants, planes, work);
}

constexpr KernelCode kPortableCode{&transform_weights<Winograd4x4<Portable>>, &forward_portable};

}  // namespace

constinit const Kernel kPortableKernel{"portable", [] { return true; }, kPortableCode, &kPortableCode};

}  // namespace fourfall::network
