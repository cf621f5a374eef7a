// 3x3 convolution by Winograd's F(2x2, 3x3) (Lavin and Gray 2016), with 4 products per output cell; the direct sum
// has 9.
//
// The board is cut into tiles of 2x2 cells. Each tile with its border, 4x4 values per channel, is transformed
// (transform_input); each of the 16 elements of the result is multiplied by its own matrix over all channels
// (multiply); and the 16 products are transformed back into the 2x2 cells (transform_output). All steps process whole
// vectors of channels.
#pragma once

#include <cstddef>
#include <span>

#include "search/network/activation_layout.hpp"
#include "search/network/matrix_product.inl"
#include "search/network/network.hpp"
#include "search/network/transform_weights.inl"

namespace fourfall::network {

template <class Simd>
class Winograd2x2 {
public:
    using Vector = typename Simd::Vector;

    // Elements of a transformed tile in one direction, and the weights of the three taps in each of them.
    static constexpr int kElements = 4;
    static constexpr float kTapWeights[kElements][3] = {{1, 0, 0}, {0.5F, 0.5F, 0.5F}, {0.5F, -0.5F, 0.5F}, {0, 0, 1}};

    static std::size_t weights_bytes(std::size_t channels) {
        return kElements * kElements * channels * channels * sizeof(float);
    }
    static void transform_weights(std::span<const float> weights, std::size_t channels, std::byte* to) {
        transform_convolution<Simd, Winograd2x2>(weights, channels, to);
    }

    // Convolves the activations `from` with transformed weights, adds the bias and, if `is_residual`, the activations
    // already in `to`, and applies the ReLU.
    FOURFALL_INLINED static void convolve(const float* from, const std::byte* weights, const float* bias,
                                          bool is_residual, Workspace& work, float* to) {
        const ActivationLayout& layout = work.layout;
        const std::size_t channels = layout.channels, plane = static_cast<std::size_t>(layout.tiles()) * channels;
        auto* transformed = reinterpret_cast<float*>(work.transformed.data());
        transform_input(layout, from, transformed);
        for (std::size_t i = 0; i < kElements * kElements; ++i, weights += channels * channels * sizeof(float))
            multiply<Simd>(MatrixProduct{transformed + i * plane, reinterpret_cast<const float*>(weights),
                                         &work.products[i * plane], channels},
                           layout.tiles());
        transform_output(layout, work.products.data(), bias, is_residual, to);
    }

private:
    // Transforms the products [element][tile][channel] back into cells and finishes the convolution.
    FOURFALL_INLINED static void transform_output(const ActivationLayout& layout, const float* from, const float* bias,
                                                  bool is_residual, float* to) {
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

    FOURFALL_INLINED static void transform_input(const ActivationLayout& layout, const float* from, float* to) {
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
                    const auto put = [&](std::size_t element, const Vector& value) __attribute__((always_inline)) {
                        *reinterpret_cast<Vector*>(out + element * plane) = value;
                    };
                    transform_column(columns[2]);
                    transform_column(columns[3]);
#pragma GCC unroll 4
                    for (std::size_t y = 0; y < 4; ++y) {
                        const Vector &a = columns[0][y], &b = columns[1][y], &c = columns[2][y], &d = columns[3][y];
                        put(4 * y + 0, a - c);
                        put(4 * y + 1, b + c);
                        put(4 * y + 2, c - b);
                        put(4 * y + 3, b - d);
                        columns[0][y] = c, columns[1][y] = d;
                    }
                }
            }
    }
};

}  // namespace fourfall::network
