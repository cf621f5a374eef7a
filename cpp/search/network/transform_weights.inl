// Transforms the weights of the convolutions into the matrices of the matrix product.
#pragma once

#include <cstddef>
#include <span>

#include "search/network/network.hpp"

namespace fourfall::network {

// Transforms one element of a convolution [tap][input channel][output channel] into [input channel][output channel].
template <class Winograd>
void transform_taps(std::span<const float> weights, std::size_t channels, std::size_t element, Floats& to) {
    constexpr auto& kTapWeights = Winograd::kTapWeights;
    const std::size_t y = element / Winograd::kElements, x = element % Winograd::kElements;
    for (std::size_t i = 0; i < channels * channels; ++i) {
        auto sum = kTapWeights[0][1];  // zero
        for (std::size_t ky = 0; ky < 3; ++ky)
            for (std::size_t kx = 0; kx < 3; ++kx)
                sum += kTapWeights[y][ky] * kTapWeights[x][kx] * weights[(3 * ky + kx) * channels * channels + i];
        to[i] = static_cast<float>(sum);
    }
}

// Where a matrix has the weight of an input and an output channel. The weights of kInterleaved consecutive input
// channels are adjacent.
template <class Simd, std::size_t kInterleaved>
std::size_t matrix_index(std::size_t channels, std::size_t in, std::size_t out) {
    constexpr std::size_t kColumns = Simd::kVectors * Simd::kLanes;
    const std::size_t group = (out / kColumns * channels + in) / kInterleaved;
    return (group * kColumns + out % kColumns) * kInterleaved + in % kInterleaved;
}

// Transforms one convolution into its matrices, [element].
template <class Simd, class Winograd>
void transform_convolution(std::span<const float> weights, std::size_t channels, std::byte* to) {
    auto* matrix = reinterpret_cast<float*>(to);
    Floats element_weights(channels * channels);
    for (std::size_t element = 0; element < Winograd::kElements * Winograd::kElements; ++element) {
        transform_taps<Winograd>(weights, channels, element, element_weights);
        for (std::size_t in = 0; in < channels; ++in)
            for (std::size_t out = 0; out < channels; ++out)
                matrix[matrix_index<Simd, 1>(channels, in, out)] = element_weights[in * channels + out];
        matrix += channels * channels;
    }
}

// Transforms the convolutions of all blocks.
template <class Winograd>
Bytes transform_weights(const WeightsFile& weights) {
    const auto channels = static_cast<std::size_t>(weights.channels);
    const std::size_t size = Winograd::weights_bytes(channels);
    Bytes out(2 * weights.blocks.size() * size);
    std::byte* to = out.data();
    for (const ResidualBlock& block : weights.blocks)
        for (const ConvolutionWeights* convolution : {&block.first, &block.second}) {
            Winograd::transform_weights(convolution->weights, channels, to);
            to += size;
        }
    return out;
}

}  // namespace fourfall::network
