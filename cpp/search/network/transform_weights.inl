// Transforms the weights of the convolutions into the matrices of the matrix product.
#pragma once

#include <cstddef>
#include <span>

#include "search/network/network.hpp"

namespace fourfall::network {

// Transforms one convolution, [tap][input channel][output channel].
template <class Simd, class Winograd>
void transform_convolution(std::span<const float> weights, std::size_t channels, typename Simd::Operand* to) {
    constexpr std::size_t kColumns = Simd::kVectors * Simd::kLanes, kInterleaved = Simd::kInterleaved;
    constexpr auto& kTapWeights = Winograd::kTapWeights;
    for (std::size_t y = 0; y < Winograd::kElements; ++y)
        for (std::size_t x = 0; x < Winograd::kElements; ++x, to += channels * channels)
            for (std::size_t in = 0; in < channels; ++in)
                for (std::size_t out = 0; out < channels; ++out) {
                    auto sum = kTapWeights[0][1];  // zero
                    for (std::size_t ky = 0; ky < 3; ++ky)
                        for (std::size_t kx = 0; kx < 3; ++kx)
                            sum += kTapWeights[y][ky] * kTapWeights[x][kx] *
                                   weights[((3 * ky + kx) * channels + in) * channels + out];
                    const std::size_t group = (out / kColumns * channels + in) / kInterleaved;
                    to[(group * kColumns + out % kColumns) * kInterleaved + in % kInterleaved] =
                        Simd::to_operand(static_cast<float>(sum));
                }
}

// Transforms the convolutions of all blocks.
template <class Simd, class Winograd>
Bytes transform_weights(const WeightsFile& weights) {
    using Operand = typename Simd::Operand;
    const auto channels = static_cast<std::size_t>(weights.channels);
    const std::size_t size = Winograd::kElements * Winograd::kElements * channels * channels;
    Bytes out(2 * weights.blocks.size() * size * sizeof(Operand));
    auto* to = reinterpret_cast<Operand*>(out.data());
    for (const ResidualBlock& block : weights.blocks)
        for (const ConvolutionWeights* convolution : {&block.first, &block.second}) {
            transform_convolution<Simd, Winograd>(convolution->weights, channels, to);
            to += size;
        }
    return out;
}

}  // namespace fourfall::network
