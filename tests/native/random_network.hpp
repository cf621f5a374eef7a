// Networks with random weights, and random positions to evaluate.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>

#include "game/board.hpp"
#include "game/random.hpp"
#include "search/network/weights_file.hpp"

namespace fourfall {

// Weights between -scale and scale.
inline Floats draw_floats(Random& random, std::size_t count, double scale) {
    Floats values(count);
    for (float& value : values)
        value = static_cast<float>((static_cast<double>(random.next() >> 11) / 0x1p52 - 1) * scale);
    return values;
}

// The scale of the convolutions keeps the activations of all layers at about the same size.
inline network::WeightsFile draw_weights(Random& random, int channels, int blocks) {
    constexpr std::size_t kValueUnits = 64, kPolicyUnits = 32;
    const auto size = static_cast<std::size_t>(channels);
    const auto draw = [&](std::size_t count, double scale) { return draw_floats(random, count, scale); };
    const auto draw_convolution = [&](std::size_t inputs, double scale) {
        return network::ConvolutionWeights{draw(network::kTaps * inputs * size, scale), draw(size, 0.1)};
    };
    const double scale = std::sqrt(6.0 / (network::kTaps * static_cast<double>(size))) / 2;
    network::WeightsFile weights{};
    weights.channels = channels;
    weights.value_hidden = kValueUnits;
    weights.policy_hidden = kPolicyUnits;
    weights.stem = draw_convolution(network::kPlanes, 0.4);
    for (int block = 0; block < blocks; ++block) {
        network::ResidualBlock one{draw_convolution(size, scale), draw_convolution(size, scale), {}};
        if (block % 2 == 1) one.pooled = draw(2 * size * size, std::sqrt(3.0 / static_cast<double>(size)) / 2);
        weights.blocks.push_back(std::move(one));
    }
    weights.value_in = draw(2 * size * kValueUnits, 0.1);
    weights.value_bias = draw(kValueUnits, 0.1);
    weights.value_out = draw(kValueUnits, 0.1);
    weights.value_base = draw(1, 0.1);
    weights.policy_cell = draw(size * kPolicyUnits, 0.1);
    weights.policy_in = draw(2 * size * kPolicyUnits, 0.1);
    weights.policy_bias = draw(kPolicyUnits, 0.1);
    weights.policy_out = draw(kPolicyUnits, 0.3);
    return weights;
}

// An unfinished game of at most `plies` random moves, on a board with a hole.
inline Board draw_board(Random& random, int rows, int cols, int plies) {
    const auto below = [&](int bound) { return static_cast<int>(random.below(static_cast<std::uint32_t>(bound))); };
    Board board(Geometry(rows, cols, Cell{below(rows), below(cols)}));
    for (int ply = 0; ply < plies; ++ply) {
        const int col = below(cols);
        if (!board.is_legal(col)) continue;
        Board next = board;
        next.push(col);
        if (next.is_over()) continue;
        board = std::move(next);
    }
    return board;
}

}  // namespace fourfall
