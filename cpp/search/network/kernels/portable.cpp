// Kernel for any processor: four floats at a time.
#include "search/network/forward.inl"
#include "search/network/kernels/kernel.hpp"

namespace fourfall::network {
namespace {

struct Portable {
    static constexpr int kLanes = 4, kRows = 4, kInterleaved = 1;
    typedef float Vector __attribute__((vector_size(16), may_alias));
    using Operand = float;

    static Operand to_operand(float value) { return value; }
    static void store(const Vector& from, Operand* to) { *reinterpret_cast<Vector*>(to) = from; }

    template <int kCount>
    static void multiply(const MatrixProduct& product, std::size_t first) {
        const std::size_t size = product.channels;
        const float* left = static_cast<const float*>(product.left) + first * size;
        const auto* right = static_cast<const Vector*>(product.right);
        for (std::size_t column = 0; column < size; column += 2 * kLanes) {
            Vector sums[kCount][2]{};
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
                    reinterpret_cast<Vector*>(product.out + (first + static_cast<std::size_t>(row)) * size + column);
                out[0] = sums[row][0], out[1] = sums[row][1];
            }
        }
    }
};

[[gnu::flatten]] NetworkOutput forward_portable(const Network& network, const StemConstants& constants,
                                                const InputPlanes& planes, Workspace& work) {
    return forward<Portable>(network, constants, planes, work);
}

}  // namespace

constinit const Kernel kPortableKernel{"portable", [] { return true; }, true, &transform_weights<Portable>,
                                       &forward_portable};

}  // namespace fourfall::network
