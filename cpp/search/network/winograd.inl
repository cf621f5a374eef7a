// 3x3 convolution by Winograd's F(2x2, 3x3) (Lavin and Gray 2016), with 4 products per output cell; the direct sum
// has 9.
//
// The board is cut into tiles of 2x2 cells. Each tile with its border, 4x4 values per channel, is transformed
// (transform_input); each of the 16 elements of the result is multiplied by its own matrix over all channels
// (multiply); and the 16 products are transformed back into the 2x2 cells (transform_output). All steps process whole
// vectors of channels.
//
// The template parameter Simd is the class of an instruction set. Its vectors have kLanes floats. Its matrix product
// keeps the sums of up to kRows rows, two vectors each, in registers, and reads operands of the type Operand, of which
// kInterleaved consecutive ones of a column are adjacent.
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "search/network/activation_layout.hpp"
#include "search/network/network.hpp"

namespace fourfall::network {

// Inlined into the functions that are compiled for an instruction set.
#define FOURFALL_INLINED [[gnu::always_inline]] inline

// Rows times a square matrix, whose columns are stored in groups of two vectors.
struct MatrixProduct {
    const void* left;   // [row][channel]
    const void* right;  // [channel / columns][channel][columns], columns = 2 kLanes
    float* out;         // [row][channel]
    std::size_t channels;
};

// Computes `kCount` rows of the product from row `first` with the vectors of Simd. Called by Simd::multiply, which is
// compiled for the instruction set: the compiler then uses fused multiply-add where the processor has it.
template <class Simd, int kCount>
FOURFALL_INLINED void multiply_rows(const MatrixProduct& product, std::size_t first) {
    using Vector = typename Simd::Vector;
    const std::size_t size = product.channels;
    const float* left = static_cast<const float*>(product.left) + first * size;
    const auto* right = static_cast<const Vector*>(product.right);
    for (std::size_t column = 0; column < size; column += 2 * Simd::kLanes) {
        Vector sums[kCount][2]{};
        for (std::size_t k = 0; k < size; ++k, right += 2) {
            const Vector &one = right[0], &other = right[1];
#pragma GCC unroll 16
            for (int row = 0; row < kCount; ++row) {
                const float factor = left[static_cast<std::size_t>(row) * size + k];
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

// Computes the whole product, in as few groups of rows of about equal size as the registers allow.
template <class Simd>
void multiply(const MatrixProduct& product, int rows) {
    using Part = void (*)(const MatrixProduct&, std::size_t);
    static constexpr auto kParts = []<int... kCounts>(std::integer_sequence<int, kCounts...>) {
        return std::array<Part, sizeof...(kCounts)>{&Simd::template multiply<kCounts + 1>...};
    }(std::make_integer_sequence<int, Simd::kRows>{});
    for (int first = 0, parts = (rows + Simd::kRows - 1) / Simd::kRows; parts > 0; --parts) {
        const int count = (rows - first + parts - 1) / parts;
        kParts[static_cast<std::size_t>(count - 1)](product, static_cast<std::size_t>(first));
        first += count;
    }
}

template <class Simd>
FOURFALL_INLINED void transform_input(const ActivationLayout& layout, const float* from, typename Simd::Operand* to) {
    using Vector = typename Simd::Vector;
    const std::size_t channels = layout.channels;
    const auto row = static_cast<std::size_t>(layout.width()) * channels;
    const auto plane = static_cast<std::size_t>(layout.tiles()) * channels;
    for (int tile_row = 0; tile_row < layout.tile_rows(); ++tile_row)
        for (std::size_t channel = 0; channel < channels; channel += Simd::kLanes) {
            const float* in = from + 2 * static_cast<std::size_t>(tile_row) * row + channel;
            auto* out = to + static_cast<std::size_t>(tile_row * layout.tile_cols()) * channels + channel;
            Vector columns[4][4];  // [column of the tile][row]
            const auto transform_column = [&](Vector(&column)[4]) __attribute__((always_inline)) {
                const auto at = [&](std::size_t y) { return reinterpret_cast<const Vector*>(in + y * row); };
                const Vector &a = *at(0), &b = *at(1), &c = *at(2), &d = *at(3);
                column[0] = a - c, column[1] = b + c, column[2] = c - b, column[3] = b - d;
                in += channels;
            };
            transform_column(columns[0]);
            transform_column(columns[1]);
            for (int tile_col = 0; tile_col < layout.tile_cols(); ++tile_col, out += channels) {
                transform_column(columns[2]);
                transform_column(columns[3]);
#pragma GCC unroll 4
                for (std::size_t y = 0; y < 4; ++y) {
                    const Vector &a = columns[0][y], &b = columns[1][y], &c = columns[2][y], &d = columns[3][y];
                    Simd::store(a - c, out + (4 * y + 0) * plane);
                    Simd::store(b + c, out + (4 * y + 1) * plane);
                    Simd::store(c - b, out + (4 * y + 2) * plane);
                    Simd::store(b - d, out + (4 * y + 3) * plane);
                    columns[0][y] = c, columns[1][y] = d;
                }
            }
        }
}

// Transforms the products back, adds the bias and, if `is_residual`, the activations already in `to`, and applies the
// ReLU.
template <class Simd>
FOURFALL_INLINED void transform_output(const ActivationLayout& layout, const float* from, const float* bias,
                                       bool is_residual, float* to) {
    using Vector = typename Simd::Vector;
    const std::size_t channels = layout.channels;
    const auto plane = static_cast<std::size_t>(layout.tiles()) * channels;
    for (int row = 0; row < layout.rows; row += 2)
        for (int col = 0; col < layout.cols; col += 2, from += channels)
            for (std::size_t channel = 0; channel < channels; channel += Simd::kLanes) {
                Vector low[4], high[4];
#pragma GCC unroll 4
                for (std::size_t x = 0; x < 4; ++x) {
                    const auto at = [&](std::size_t y) {
                        return reinterpret_cast<const Vector*>(from + (4 * y + x) * plane + channel);
                    };
                    const Vector &b = *at(1), &c = *at(2);
                    low[x] = *at(0) + b + c, high[x] = b - c - *at(3);
                }
                const Vector& offset = *reinterpret_cast<const Vector*>(bias + channel);
                const auto put = [&](int up, const Vector(&row_sums)[4]) __attribute__((always_inline)) {
                    const auto finish = [&](int right, const Vector& sum) __attribute__((always_inline)) {
                        auto& cell = *reinterpret_cast<Vector*>(to + layout.at(row + up, col + right) + channel);
                        const Vector value = is_residual ? sum + offset + cell : sum + offset;
                        cell = value > Vector{} ? value : Vector{};
                    };
                    finish(0, row_sums[0] + row_sums[1] + row_sums[2]);
                    if (col + 1 < layout.cols) finish(1, row_sums[1] - row_sums[2] - row_sums[3]);
                };
                put(0, low);
                if (row + 1 < layout.rows) put(1, high);
            }
}

// Transforms the weights of one convolution, [tap][input channel][output channel], into the matrices of multiply().
template <class Simd>
void transform_convolution(std::span<const float> weights, std::size_t channels, typename Simd::Operand* to) {
    constexpr float kTransform[4][3] = {{1, 0, 0}, {0.5F, 0.5F, 0.5F}, {0.5F, -0.5F, 0.5F}, {0, 0, 1}};
    constexpr std::size_t kColumns = 2 * Simd::kLanes, kInterleaved = Simd::kInterleaved;
    for (std::size_t y = 0; y < 4; ++y)
        for (std::size_t x = 0; x < 4; ++x, to += channels * channels)
            for (std::size_t in = 0; in < channels; ++in)
                for (std::size_t out = 0; out < channels; ++out) {
                    float sum = 0;
                    for (std::size_t ky = 0; ky < 3; ++ky)
                        for (std::size_t kx = 0; kx < 3; ++kx)
                            sum += kTransform[y][ky] * kTransform[x][kx] *
                                   weights[((3 * ky + kx) * channels + in) * channels + out];
                    const std::size_t group = (out / kColumns * channels + in) / kInterleaved;
                    to[(group * kColumns + out % kColumns) * kInterleaved + in % kInterleaved] = Simd::to_operand(sum);
                }
}

// Transforms the convolutions of all blocks.
template <class Simd>
Bytes transform_weights(const WeightsFile& weights) {
    const auto channels = static_cast<std::size_t>(weights.channels);
    const std::size_t convolution_bytes = kTileElements * channels * channels * sizeof(typename Simd::Operand);
    Bytes out(2 * weights.blocks.size() * convolution_bytes);
    std::byte* to = out.data();
    for (const ResidualBlock& block : weights.blocks)
        for (const ConvolutionWeights* convolution : {&block.first, &block.second}) {
            transform_convolution<Simd>(convolution->weights, channels, reinterpret_cast<typename Simd::Operand*>(to));
            to += convolution_bytes;
        }
    return out;
}

}  // namespace fourfall::network
