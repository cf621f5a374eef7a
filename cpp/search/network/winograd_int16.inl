// 3x3 convolution by Winograd's F(4x4, 3x3) with products of 16-bit integers, which are computed in pairs.
//
// Tiles and elements are those of winograd_4x4.inl. All transformed inputs of a convolution are rounded in one unit,
// which follows from the largest activation, so that none exceeds 16 bits. The weights are rounded for each element and
// output channel, in a unit with which no sum exceeds 32 bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "search/network/matrix_product.inl"
#include "search/network/network.hpp"
#include "search/network/transform_weights.inl"
#include "search/network/winograd_4x4.inl"

namespace fourfall::network {

// Rounded inputs of one element times its rounded weights.
struct Int16Product {
    const std::int16_t* left;    // [row][channel]
    const std::int16_t* right;   // [channel / columns][channel / 2][column][2], columns = kVectors * kLanes
    const float* column_scales;  // units of the weights, by channel
    float scale;                 // unit of the inputs
    float* out;                  // [row][channel]
    std::size_t channels;
};

// Rounded weights of one convolution, as they lie in Network::transformed_weights().
class Int16Weights {
public:
    static std::size_t bytes(std::size_t elements, std::size_t channels) {
        return elements * channels * (sizeof(float) + channels * sizeof(std::int16_t));
    }

    Int16Weights(std::byte* data, std::size_t elements, std::size_t channels)
        : data_(data), elements_(elements), channels_(channels) {}

    float* scales(std::size_t element) const { return reinterpret_cast<float*>(data_) + element * channels_; }
    std::int16_t* matrix(std::size_t element) const {
        return reinterpret_cast<std::int16_t*>(scales(elements_)) + element * channels_ * channels_;
    }

private:
    std::byte* data_;
    std::size_t elements_, channels_;
};

// Computes `kCount` rows of the product from row `first`. Called by Simd::multiply, like multiply_rows().
template <class Simd, int kCount>
FOURFALL_INLINED void multiply_sized_rows(const Int16Product& product, std::size_t first, const auto size) {
    using Sums = typename Simd::Sums;
    constexpr int kVectors = Simd::kVectors;
    const std::int16_t* left = product.left + first * size;
    const auto* right = reinterpret_cast<const Sums*>(product.right);
    for (std::size_t column = 0; column < size; column += kVectors * Simd::kLanes) {
        Sums sums[kCount][kVectors]{};
        for (std::size_t k = 0; k < size; k += 2, right += kVectors) {
            Sums weights[kVectors];
#pragma GCC unroll 8
            for (int i = 0; i < kVectors; ++i) weights[i] = right[i];
#pragma GCC unroll 16
            for (int row = 0; row < kCount; ++row) {
                Sums pair;
                Simd::load_pair(left + static_cast<std::size_t>(row) * size + k, pair);
#pragma GCC unroll 8
                for (int i = 0; i < kVectors; ++i) Simd::add_products(sums[row][i], pair, weights[i]);
            }
        }
        using Vector = typename Simd::Vector;
        Vector scales[kVectors];
#pragma GCC unroll 8
        for (int i = 0; i < kVectors; ++i)
            scales[i] = reinterpret_cast<const Vector*>(product.column_scales + column)[i] * product.scale;
#pragma GCC unroll 16
        for (int row = 0; row < kCount; ++row) {
            auto* out =
                reinterpret_cast<Vector*>(product.out + (first + static_cast<std::size_t>(row)) * size + column);
#pragma GCC unroll 8
            for (int i = 0; i < kVectors; ++i) out[i] = __builtin_convertvector(sums[row][i], Vector) * scales[i];
        }
    }
}

template <class Simd, int kCount>
FOURFALL_INLINED void multiply_int16_rows(const Int16Product& product, std::size_t first) {
    if (product.channels == 64)  // a constant size makes the addresses of the rows constants, too
        multiply_sized_rows<Simd, kCount>(product, first, std::integral_constant<std::size_t, 64>{});
    else
        multiply_sized_rows<Simd, kCount>(product, first, product.channels);
}

template <class Simd>
class WinogradInt16 {
public:
    static std::size_t weights_bytes(std::size_t channels) { return Int16Weights::bytes(kElements, channels); }

    // Rounds the weights [tap][input channel][output channel] of a convolution.
    static void transform_weights(std::span<const float> weights, std::size_t channels, std::byte* to) {
        const Int16Weights rounded(to, kElements, channels);
        Floats element_weights(channels * channels);
        for (std::size_t element = 0; element < kElements; ++element) {
            transform_taps<Tiles>(weights, channels, element, element_weights);
            for (std::size_t out = 0; out < channels; ++out) {
                float largest = 0, total = 0;
                for (std::size_t in = 0; in < channels; ++in) {
                    const float magnitude = std::abs(element_weights[in * channels + out]);
                    largest = std::max(largest, magnitude), total += magnitude;
                }
                const float scale = std::max({largest / kLargest, total / kLargestTotal, kSmallest});
                for (std::size_t in = 0; in < channels; ++in)
                    rounded.matrix(element)[matrix_index<Simd>(channels, in, out)] =
                        static_cast<std::int16_t>(std::lround(element_weights[in * channels + out] / scale));
                rounded.scales(element)[out] = scale;
            }
        }
    }

    // The same as in Winograd4x4.
    FOURFALL_INLINED static void convolve(const float* from, const std::byte* weights, const float* bias,
                                          bool is_residual, Workspace& work, float* to) {
        const ActivationLayout& layout = work.layout;
        const typename Tiles::Plan plan(layout);
        auto* transformed = reinterpret_cast<std::int16_t*>(work.transformed.data());
        const float unit = std::max(find_largest(layout, from) * kGain, kSmallest) / kLargest, factor = 1 / unit;
        Tiles::transform_input(layout, plan, from, [&](const Vector& elements, std::size_t index) {
            Simd::round(elements * factor, transformed + index);
        });
        const Int16Weights rounded(const_cast<std::byte*>(weights), kElements, layout.channels);
        for (int y = 0; y < Tiles::kElements; ++y)
            for (int x = 0; x < Tiles::kElements; ++x) {
                const std::size_t start = plan.start(y, x, 0, 0) * layout.channels;
                const auto element = static_cast<std::size_t>(y * Tiles::kElements + x);
                multiply<Simd>(Int16Product{transformed + start, rounded.matrix(element), rounded.scales(element), unit,
                                            work.products.data() + start, layout.channels},
                               plan.down.tiles_of(y) * plan.across.tiles_of(x));
            }
        Tiles::transform_output(layout, plan, work.products.data(), bias, is_residual, to);
    }

private:
    using Vector = typename Simd::Vector;
    using Tiles = Winograd4x4<Simd>;
    static constexpr std::size_t kElements = Tiles::kElements * Tiles::kElements;
    static constexpr float kLargest = 32767;
    // A sum over all channels is at most 32767 * (kLargestTotal + channels / 2) < 2^31.
    static constexpr float kLargestTotal = 65000;
    // How much larger than all activations, none of which is negative, a transformed input can be: 9 * 9 + 3 * 3, from
    // the second element of a length of 3 cells in both directions.
    static constexpr float kGain = 90;
    static constexpr float kSmallest = 1e-30F;  // avoids a division by zero

    FOURFALL_INLINED static float find_largest(const ActivationLayout& layout, const float* from) {
        Vector largest{};
        const auto size = static_cast<std::size_t>(layout.cols) * layout.channels;
        for (int row = 0; row < layout.rows; ++row)
            for (const float* in = from + layout.at(row, 0), *end = in + size; in < end; in += Simd::kLanes) {
                const Vector& value = *reinterpret_cast<const Vector*>(in);
                largest = value > largest ? value : largest;
            }
        float greatest = 0;
        for (int lane = 0; lane < Simd::kLanes; ++lane) greatest = std::max(greatest, largest[lane]);
        return greatest;
    }
};

}  // namespace fourfall::network
