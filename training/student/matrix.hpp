// Products of small matrices of floats in vector registers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace fourfall::student {

// One register of the instruction set for which the file is compiled, and a block of a product that leaves registers
// for the operands.
#ifdef __AVX512F__
inline constexpr std::size_t kLanes = 16, kBlockRows = 6, kBlockVectors = 4;
#else
inline constexpr std::size_t kLanes = 8, kBlockRows = 6, kBlockVectors = 2;
#endif
using Vector = float __attribute__((vector_size(kLanes * sizeof(float))));

inline Vector load(const float* from) {
    Vector value;
    std::memcpy(&value, from, sizeof(value));
    return value;
}
inline void store(float* to, const Vector& value) { std::memcpy(to, &value, sizeof(value)); }
inline Vector relu(const Vector& value) { return value > 0 ? value : Vector{}; }

// A matrix that is read element by element; the strides are those of its rows and columns.
struct Operand {
    const float* data;
    std::size_t row_stride, col_stride;
};

// A block of add_product(): kRows rows and kVectors * kLanes columns.
template <std::size_t kColumns, std::size_t kRows, std::size_t kVectors>
void add_product_block(const Operand& a, const float* b, float* out, std::size_t depth) {
    Vector sums[kRows][kVectors];
    for (std::size_t i = 0; i < kRows; ++i)
        for (std::size_t j = 0; j < kVectors; ++j) sums[i][j] = load(out + i * kColumns + j * kLanes);
    for (std::size_t k = 0; k < depth; ++k) {
        Vector right[kVectors];
        for (std::size_t j = 0; j < kVectors; ++j) right[j] = load(b + k * kColumns + j * kLanes);
        for (std::size_t i = 0; i < kRows; ++i) {
            const float left = a.data[i * a.row_stride + k * a.col_stride];
            for (std::size_t j = 0; j < kVectors; ++j) sums[i][j] += left * right[j];
        }
    }
    for (std::size_t i = 0; i < kRows; ++i)
        for (std::size_t j = 0; j < kVectors; ++j) store(out + i * kColumns + j * kLanes, sums[i][j]);
}

template <std::size_t kColumns, std::size_t kRows>
void add_product_rows(const Operand& a, const float* b, float* out, std::size_t depth) {
    constexpr std::size_t kStep = kBlockVectors * kLanes, kWhole = kColumns / kStep * kStep;
    for (std::size_t j = 0; j < kWhole; j += kStep)
        add_product_block<kColumns, kRows, kBlockVectors>(a, b + j, out + j, depth);
    if constexpr (kWhole < kColumns)
        add_product_block<kColumns, kRows, (kColumns - kWhole) / kLanes>(a, b + kWhole, out + kWhole, depth);
}

// out[rows][kColumns] += a[rows][depth] * b[depth][kColumns].
template <std::size_t kColumns>
void add_product(Operand a, const float* b, float* out, std::size_t rows, std::size_t depth) {
    static_assert(kColumns % kLanes == 0);
    for (; rows >= kBlockRows; rows -= kBlockRows, a.data += kBlockRows * a.row_stride, out += kBlockRows * kColumns)
        add_product_rows<kColumns, kBlockRows>(a, b, out, depth);
    for (; rows > 0; --rows, a.data += a.row_stride, out += kColumns) add_product_rows<kColumns, 1>(a, b, out, depth);
}

}  // namespace fourfall::student
