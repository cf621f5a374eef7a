// Matrix product of the convolutions, in registers.
//
// The template parameter Simd is the class of an instruction set. Its vectors have kLanes floats. Its matrix product
// keeps the sums of up to kRows rows, kVectors vectors each, in registers.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

namespace fourfall::network {

// Inlined into the functions that are compiled for an instruction set.
#define FOURFALL_INLINED [[gnu::always_inline]] inline

// Rows times a square matrix, whose columns are stored in groups of kVectors vectors.
struct MatrixProduct {
    const float* left;   // [row][channel]
    const float* right;  // [channel / columns][channel][columns], columns = kVectors * kLanes
    float* out;          // [row][channel]
    std::size_t channels;
};

// Computes `kCount` rows of the product from row `first` with the vectors of Simd. Called by Simd::multiply, which is
// compiled for the instruction set: the compiler then uses fused multiply-add where the processor has it. Factors are
// broadcast from memory one by one, or from the lanes of a register if Simd::Factors is a vector.
template <class Simd, int kCount>
FOURFALL_INLINED void multiply_rows(const MatrixProduct& product, std::size_t first) {
    using Vector = typename Simd::Vector;
    using Factors = typename Simd::Factors;
    constexpr int kVectors = Simd::kVectors, kSteps = sizeof(Factors) / sizeof(float);
    const std::size_t size = product.channels;
    const float* left = product.left + first * size;
    const auto* right = reinterpret_cast<const Vector*>(product.right);
    for (std::size_t column = 0; column < size; column += kVectors * Simd::kLanes) {
        Vector sums[kCount][kVectors]{};
        for (std::size_t k = 0; k < size; k += kSteps) {
            Factors factors[kCount];
#pragma GCC unroll 16
            for (int row = 0; row < kCount; ++row)
                std::memcpy(&factors[row], left + static_cast<std::size_t>(row) * size + k, sizeof(Factors));
#pragma GCC unroll 4
            for (int step = 0; step < kSteps; ++step, right += kVectors)
#pragma GCC unroll 8
                for (int i = 0; i < kVectors; ++i)
#pragma GCC unroll 16
                    for (int row = 0; row < kCount; ++row) sums[row][i] += right[i] * factors[row][step];
        }
#pragma GCC unroll 16
        for (int row = 0; row < kCount; ++row) {
            auto* out =
                reinterpret_cast<Vector*>(product.out + (first + static_cast<std::size_t>(row)) * size + column);
#pragma GCC unroll 8
            for (int i = 0; i < kVectors; ++i) out[i] = sums[row][i];
        }
    }
}

// Computes the whole product, in as few groups of rows of about equal size as the registers allow.
template <class Simd, class Product>
void multiply(const Product& product, int rows) {
    using Part = void (*)(const Product&, std::size_t);
    static constexpr auto kParts = []<int... kCounts>(std::integer_sequence<int, kCounts...>) {
        return std::array<Part, sizeof...(kCounts)>{&Simd::template multiply<kCounts + 1>...};
    }(std::make_integer_sequence<int, Simd::kRows>{});
    for (int first = 0, parts = (rows + Simd::kRows - 1) / Simd::kRows; parts > 0; --parts) {
        const int count = (rows - first + parts - 1) / parts;
        kParts[static_cast<std::size_t>(count - 1)](product, static_cast<std::size_t>(first));
        first += count;
    }
}

}  // namespace fourfall::network
