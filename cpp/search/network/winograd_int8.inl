// 3x3 convolution by Winograd's F(2x2, 3x3) with products of 8-bit integers.
//
// Tiles and elements are those of winograd_2x2.inl. The transformed input of a tile is rounded element by element: the
// largest of all channels becomes 127. The weights are rounded for each element and output channel in the same way.
// The instructions multiply unsigned by signed numbers, so 128 is added to the inputs; -128 * (sum of the weights),
// added to the sums, takes it away again.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "search/network/activation_layout.hpp"
#include "search/network/matrix_product.inl"
#include "search/network/network.hpp"
#include "search/network/transform_weights.inl"
#include "search/network/winograd_2x2.inl"

namespace fourfall::network {

// Rounded inputs of one element times its rounded weights.
struct Int8Product {
    const std::uint8_t* left;     // [row][channel]
    const float* row_scales;      // units of the inputs, [row][element]
    const std::int8_t* right;     // [channel / columns][channel / 4][column][4], columns = kVectors * kLanes
    const float* column_scales;   // unit of the weights, by channel
    const std::int32_t* offsets;  // added to the sums, by channel
    float* out;                   // [row][channel]
    std::size_t channels;
};

// Rounded weights of one convolution, as they lie in Network::transformed_weights().
class Int8Weights {
public:
    static std::size_t bytes(std::size_t channels) {
        return kTileElements * channels * (sizeof(float) + sizeof(std::int32_t) + channels);
    }

    Int8Weights(std::byte* data, std::size_t channels) : data_(data), channels_(channels) {}

    float* scales(std::size_t element) const { return reinterpret_cast<float*>(data_) + element * channels_; }
    std::int32_t* offsets(std::size_t element) const {
        return reinterpret_cast<std::int32_t*>(data_) + (kTileElements + element) * channels_;
    }
    std::int8_t* matrix(std::size_t element) const {
        return reinterpret_cast<std::int8_t*>(data_) +
               (2 * sizeof(float) * kTileElements + element * channels_) * channels_;
    }

private:
    std::byte* data_;
    std::size_t channels_;
};

template <class Simd>
class WinogradInt8 {
public:
    static std::size_t weights_bytes(std::size_t channels) { return Int8Weights::bytes(channels); }

    // Rounds the weights [tap][input channel][output channel] of a convolution.
    static void transform_weights(std::span<const float> weights, std::size_t channels, std::byte* to) {
        const Int8Weights rounded(to, channels);
        Floats element_weights(channels * channels);
        for (std::size_t element = 0; element < kTileElements; ++element) {
            transform_taps<Winograd2x2<Simd>>(weights, channels, element, element_weights);
            for (std::size_t out = 0; out < channels; ++out) {
                float largest = 0;
                for (std::size_t in = 0; in < channels; ++in)
                    largest = std::max(largest, std::abs(element_weights[in * channels + out]));
                const float scale = largest > 0 ? largest / kLargest : 1;
                std::int32_t sum = 0;
                for (std::size_t in = 0; in < channels; ++in) {
                    const auto value =
                        static_cast<std::int8_t>(std::lround(element_weights[in * channels + out] / scale));
                    rounded.matrix(element)[operand_index<Simd>(channels, in, out)] = value;
                    sum += value;
                }
                rounded.scales(element)[out] = scale;
                rounded.offsets(element)[out] = -kZero * sum;
            }
        }
    }

    // The same as in Winograd2x2.
    FOURFALL_INLINED static void convolve(const float* from, const std::byte* weights, const float* bias,
                                          bool is_residual, Workspace& work, float* to) {
        const ActivationLayout& layout = work.layout;
        const auto tiles = static_cast<std::size_t>(layout.tiles());
        const std::size_t channels = layout.channels, plane = tiles * channels;
        auto* transformed = reinterpret_cast<std::uint8_t*>(work.transformed.data());
        transform_input(layout, from, transformed, work.tile_scales.data());
        const Int8Weights rounded(const_cast<std::byte*>(weights), channels);
        for (std::size_t i = 0; i < kTileElements; ++i)
            multiply<Simd>(Int8Product{transformed + i * plane, &work.tile_scales[i], rounded.matrix(i),
                                       rounded.scales(i), rounded.offsets(i), &work.products[i * plane], channels},
                           layout.tiles());
        Winograd2x2<Simd>::transform_output(layout, work.products.data(), bias, is_residual, to);
    }

private:
    using Vector = typename Simd::Vector;
    static constexpr float kLargest = 127;
    static constexpr float kSmallest = 1e-30F;  // avoids a division by zero
    static constexpr int kZero = 128;

    // Finds the units in which the sixteen elements are rounded, and their inverses.
    FOURFALL_INLINED static void find_scales(const Vector (&largest)[kTileElements], float* scales, float* factors) {
#pragma GCC unroll 2
        for (std::size_t i = 0; i < kTileElements; i += Simd::kLanes) {
            Vector greatest;
            Simd::find_greatest_lanes(largest + i, greatest);
            *reinterpret_cast<Vector*>(scales + i) = greatest * (1 / kLargest);
            *reinterpret_cast<Vector*>(factors + i) = kLargest / (greatest + kSmallest);
        }
    }

    // Writes the rounded elements [element][tile][channel] and their units [tile][element].
    FOURFALL_INLINED static void transform_input(const ActivationLayout& layout, const float* from, std::uint8_t* to,
                                                 float* scales) {
        const std::size_t channels = layout.channels;
        const auto row = static_cast<std::size_t>(layout.width()) * channels;
        const auto tiles = static_cast<std::size_t>(layout.tiles());
        alignas(64) std::array<float, kTileElements * kMaxWidth> elements;  // of one tile
        alignas(64) std::array<float, kTileElements> factors;
        for (int tile_row = 0; tile_row < layout.tile_rows(); ++tile_row)
            for (int tile_col = 0; tile_col < layout.tile_cols(); ++tile_col, to += channels, scales += kTileElements) {
                const float* in = from + 2 * (static_cast<std::size_t>(tile_row) * row +
                                              static_cast<std::size_t>(tile_col) * channels);
                Vector largest[kTileElements]{};
                for (std::size_t channel = 0; channel < channels; channel += Simd::kLanes, in += Simd::kLanes) {
                    Vector columns[4][4];  // [column of the tile][row]
#pragma GCC unroll 4
                    for (std::size_t x = 0; x < 4; ++x) {
                        const auto at = [&](std::size_t y) __attribute__((always_inline)) {
                            return reinterpret_cast<const Vector*>(in + y * row + x * channels);
                        };
                        const Vector &a = *at(0), &b = *at(1), &c = *at(2), &d = *at(3);
                        columns[x][0] = a - c, columns[x][1] = b + c, columns[x][2] = c - b, columns[x][3] = b - d;
                    }
#pragma GCC unroll 4
                    for (std::size_t y = 0; y < 4; ++y) {
                        const Vector &a = columns[0][y], &b = columns[1][y], &c = columns[2][y], &d = columns[3][y];
                        const Vector found[4] = {a - c, b + c, c - b, b - d};
#pragma GCC unroll 4
                        for (std::size_t x = 0; x < 4; ++x) {
                            const std::size_t element = 4 * y + x;
                            *reinterpret_cast<Vector*>(&elements[element * channels + channel]) = found[x];
                            Simd::enlarge(largest[element], found[x]);
                        }
                    }
                }
                find_scales(largest, scales, factors.data());
                for (std::size_t element = 0; element < kTileElements; ++element)
                    Simd::round(&elements[element * channels], factors[element], channels,
                                to + element * tiles * channels);
            }
    }
};

}  // namespace fourfall::network
