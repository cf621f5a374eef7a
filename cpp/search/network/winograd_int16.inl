// 3x3 convolution by Winograd's F(4x4, 3x3) with products of 16-bit integers, which are computed in pairs.
//
// Tiles and elements are those of winograd_4x4.inl. All transformed inputs of a convolution are rounded to multiples of
// one unit, which follows from the largest activation, so that none exceeds 16 bits. The weights have a unit for each
// element and output channel, with which no sum exceeds 32 bits.
//
// The template parameter Simd has kLanes, kVectors and kRows as in matrix_product.inl, the type Sums of kLanes 32-bit
// integers, and
//   round(values, to)           writes floats as 16-bit integers, rounded to nearest
//   add_products(sum, a, b)     adds the products of pairs of 16-bit integers to the lanes of a sum
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "search/network/matrix_product.inl"
#include "search/network/network.hpp"
#include "search/network/transform_weights.inl"
#include "search/network/winograd_4x4.inl"

namespace fourfall::network {

// Rounded inputs of one element times its rounded weights.
struct Int16Product {
    const std::int16_t* left;   // [row][channel]
    const std::int16_t* right;  // [channel / columns][channel / 2][column][2], columns = kVectors * kLanes
    float input_unit;
    const float* weight_units;  // by column
    float* out;                 // [row][channel]
    std::size_t channels;
};

template <class Simd, int kCount>
FOURFALL_INLINED void multiply_int16_rows_of(const Int16Product& product, std::size_t first, const auto channels) {
    using Sums = typename Simd::Sums;
    using Vector = typename Simd::Vector;
    constexpr int kVectors = Simd::kVectors;
    const std::int16_t* left = product.left + first * channels;
    const auto* right = reinterpret_cast<const Sums*>(product.right);
    for (std::size_t column = 0; column < channels; column += kVectors * Simd::kLanes) {
        Sums sums[kCount][kVectors]{};
        for (std::size_t k = 0; k < channels; k += 2, right += kVectors) {
            Sums weights[kVectors];
#pragma GCC unroll 8
            for (int i = 0; i < kVectors; ++i) weights[i] = right[i];
#pragma GCC unroll 16
            for (int row = 0; row < kCount; ++row) {
                std::int32_t pair;
                std::memcpy(&pair, left + static_cast<std::size_t>(row) * channels + k, sizeof pair);
                const Sums inputs = Sums{} + pair;
#pragma GCC unroll 8
                for (int i = 0; i < kVectors; ++i) Simd::add_products(sums[row][i], inputs, weights[i]);
            }
        }
        Vector units[kVectors];
#pragma GCC unroll 8
        for (int i = 0; i < kVectors; ++i)
            units[i] = reinterpret_cast<const Vector*>(product.weight_units + column)[i] * product.input_unit;
#pragma GCC unroll 16
        for (int row = 0; row < kCount; ++row) {
            auto* out =
                reinterpret_cast<Vector*>(product.out + (first + static_cast<std::size_t>(row)) * channels + column);
#pragma GCC unroll 8
            for (int i = 0; i < kVectors; ++i) out[i] = __builtin_convertvector(sums[row][i], Vector) * units[i];
        }
    }
}

// Computes `kCount` rows of the product from row `first`. Called by Simd::multiply, like multiply_rows().
template <class Simd, int kCount>
FOURFALL_INLINED void multiply_int16_rows(const Int16Product& product, std::size_t first) {
    if (product.channels == 64)  // a constant number makes the addresses of the rows constants, too
        multiply_int16_rows_of<Simd, kCount>(product, first, std::integral_constant<std::size_t, 64>{});
    else
        multiply_int16_rows_of<Simd, kCount>(product, first, product.channels);
}

template <class Simd>
class WinogradInt16 {
public:
    static std::size_t weights_bytes(std::size_t channels) { return matrix_offset(kElements, channels); }

    // Rounds the weights [tap][input channel][output channel] of a convolution.
    static void transform_weights(std::span<const float> weights, std::size_t channels, std::byte* to) {
        Floats element_weights(channels * channels);
        for (std::size_t element = 0; element < kElements; ++element) {
            transform_taps<Tiles>(weights, channels, element, element_weights);
            auto* units = reinterpret_cast<float*>(to + units_offset(element, channels));
            auto* matrix = reinterpret_cast<std::int16_t*>(to + matrix_offset(element, channels));
            for (std::size_t out = 0; out < channels; ++out) {
                float largest = 0, total = 0;
                for (std::size_t in = 0; in < channels; ++in) {
                    const float magnitude = std::abs(element_weights[in * channels + out]);
                    largest = std::max(largest, magnitude), total += magnitude;
                }
                units[out] = std::max({largest / kLargest, total / kLargestTotal, kSmallest});
                for (std::size_t in = 0; in < channels; ++in)
                    matrix[matrix_index<Simd, 2>(channels, in, out)] =
                        static_cast<std::int16_t>(std::lround(element_weights[in * channels + out] / units[out]));
            }
        }
    }

    // The same as in Winograd4x4.
    FOURFALL_INLINED static void convolve(const float* from, const std::byte* weights, const float* bias,
                                          bool is_residual, Workspace& work, float* to) {
        const ActivationLayout& layout = work.layout;
        const std::size_t channels = layout.channels;
        const typename Tiles::Plan plan(layout);
        auto* transformed = reinterpret_cast<std::int16_t*>(work.transformed.data());
        const float unit = std::max(find_largest(layout, from) * kGain, kSmallest) / kLargest, factor = 1 / unit;
        Tiles::transform_input(layout, plan, from,
                               [&](const Vector& elements, std::size_t index) __attribute__((always_inline)) {
                                   Simd::round(elements * factor, transformed + index);
                               });
        for (int y = 0; y < Tiles::kElements; ++y)
            for (int x = 0; x < Tiles::kElements; ++x) {
                const std::size_t start = plan.first[y][x];
                const std::size_t element =
                    static_cast<std::size_t>(y) * Tiles::kElements + static_cast<std::size_t>(x);
                const auto* matrix = reinterpret_cast<const std::int16_t*>(weights + matrix_offset(element, channels));
                const auto* units = reinterpret_cast<const float*>(weights + units_offset(element, channels));
                multiply<Simd>(
                    Int16Product{transformed + start, matrix, unit, units, work.products.data() + start, channels},
                    plan.down.tiles_of(y) * plan.across.tiles_of(x));
            }
        Tiles::transform_output(layout, plan, work.products.data(), bias, is_residual, to);
    }

private:
    using Vector = typename Simd::Vector;
    using Tiles = Winograd4x4<Simd>;
    static constexpr std::size_t kElements = Tiles::kElements * Tiles::kElements;
    static constexpr float kLargest = 32767;
    // The sum of the magnitudes of the rounded weights of an output channel is at most kLargestTotal, and half of the
    // channels more by rounding.
    static constexpr float kLargestTotal = 65000;
    static_assert(32767.0 * (65000 + kMaxWidth / 2.0) < 0x1p31);
    // How many times as large as the largest activation a transformed input can be. Activations are not negative. The
    // greatest sums are those of the second element of a length of 3 cells, whose positive coefficients add up to 3
    // and the negative ones to -9: in both directions 9 * 9 + 3 * 3.
    static constexpr float kGain = 90;
    static constexpr float kSmallest = 1e-30F;  // avoids a division by zero

    // Where the rounded weights of a convolution are: first the units [element][channel], then the matrices.
    static std::size_t units_offset(std::size_t element, std::size_t channels) {
        return element * channels * sizeof(float);
    }
    static std::size_t matrix_offset(std::size_t element, std::size_t channels) {
        return units_offset(kElements, channels) + element * channels * channels * sizeof(std::int16_t);
    }

    FOURFALL_INLINED static float find_largest(const ActivationLayout& layout, const float* from) {
        Vector lanes[2]{};  // independent maxima; a cell has an even number of vectors
        const auto size = static_cast<std::size_t>(layout.cols) * layout.channels;
        for (int row = 0; row < layout.rows; ++row)
            for (const float* in = from + layout.at(row, 0), *end = in + size; in < end; in += 2 * Simd::kLanes) {
                const auto* values = reinterpret_cast<const Vector*>(in);
#pragma GCC unroll 2
                for (int i = 0; i < 2; ++i) lanes[i] = values[i] > lanes[i] ? values[i] : lanes[i];
            }
        float largest = 0;
        for (const Vector& vector : lanes)
            for (int lane = 0; lane < Simd::kLanes; ++lane) largest = std::max(largest, vector[lane]);
        return largest;
    }
};

}  // namespace fourfall::network
