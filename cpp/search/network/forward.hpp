// Owns the way through the network: first layer, residual blocks, the two heads. Included by network.cpp alone.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "search/network/ground.hpp"
#include "search/network/network.hpp"

namespace fourfall::network {

// The planes are marks of ones: each adds a row of weights to the cells around it.
template <class Path>
FOURFALL_INLINED void stem(const Weights& weights, const Ground& ground, const Picture& picture, float* to) {
    using Lanes = typename Path::Lanes;
    const Image& image = ground.image();
    const std::size_t channels = image.channels;
    const auto lanes = [](const float* from) { return reinterpret_cast<const Lanes*>(from); };
    const auto row_size = static_cast<std::size_t>(image.cols) * channels;
    const float share = share_of(picture.free());
    for (int row = 0; row < image.rows; ++row) {
        const std::size_t first = image.at(row, 0);
        for (std::size_t i = first; i < first + row_size; i += Path::kLanes)
            *reinterpret_cast<Lanes*>(to + i) =
                *lanes(&ground.base(picture.stones())[i]) + *lanes(&ground.slope()[i]) * share;
    }
    for (const Mark& mark : picture.marks())
        for (int tap = 0; tap < kTaps; ++tap) {
            const int row = mark.height - tap / 3 + 1, col = mark.col - tap % 3 + 1;
            if (row < 0 || row >= image.rows || col < 0 || col >= image.cols) continue;
            const float* line = &weights.stem.weights[static_cast<std::size_t>(tap * kPlanes + mark.plane) * channels];
            float* place = to + image.at(row, col);
            for (std::size_t i = 0; i < channels; i += Path::kLanes)
                *reinterpret_cast<Lanes*>(place + i) += *lanes(line + i);
        }
    for (int row = 0; row < image.rows; ++row) {
        const std::size_t first = image.at(row, 0);
        for (std::size_t i = first; i < first + row_size; i += Path::kLanes) {
            auto& place = *reinterpret_cast<Lanes*>(to + i);
            place = place > Lanes{} ? place : Lanes{};
        }
    }
}

template <class Path>
FOURFALL_INLINED void convolve(const Network& network, std::size_t number, const float* bias, const float* from,
                               bool onto, float* to, Workspace& work) {
    using Factor = typename Path::Factor;
    const Image& image = work.image;
    const std::size_t channels = image.channels, plane = static_cast<std::size_t>(image.tiles()) * channels;
    const std::size_t matrix = channels * channels;
    const auto* right = reinterpret_cast<const Factor*>(network.mixtures().data()) + number * kMixtures * matrix;
    auto* left = reinterpret_cast<Factor*>(work.factors.data());
    spread<Path>(image, from, left);
    for (std::size_t i = 0; i < kMixtures; ++i)
        multiply<Path>({left + i * plane, right + i * matrix, &work.products[i * plane], channels}, image.tiles());
    gather<Path>(image, work.products.data(), bias, onto, to);
}

// The mean over the cells of the board, then the greatest.
template <class Path>
FOURFALL_INLINED void pool(const Image& image, const float* from, float* to) {
    using Lanes = typename Path::Lanes;
    const float scale = 1.0F / static_cast<float>(image.rows * image.cols);
    for (std::size_t channel = 0; channel < image.channels; channel += Path::kLanes) {
        Lanes sum{}, most{};  // nothing is negative
        for (int row = 0; row < image.rows; ++row)
            for (int col = 0; col < image.cols; ++col) {
                const Lanes& value = *reinterpret_cast<const Lanes*>(from + image.at(row, col) + channel);
                sum += value;
                most = value > most ? value : most;
            }
        *reinterpret_cast<Lanes*>(to + channel) = sum * scale;
        *reinterpret_cast<Lanes*>(to + image.channels + channel) = most;
    }
}

// Adds a vector times a matrix [in][out].
template <class Path>
FOURFALL_INLINED void add_product(const float* in, std::size_t size, const Floats& matrix, std::size_t out_size,
                                  float* out) {
    using Lanes = typename Path::Lanes;
    for (std::size_t column = 0; column < out_size; column += Path::kLanes) {
        Lanes sum = *reinterpret_cast<Lanes*>(out + column);
        for (std::size_t i = 0; i < size; ++i)
            sum += *reinterpret_cast<const Lanes*>(&matrix[i * out_size + column]) * in[i];
        *reinterpret_cast<Lanes*>(out + column) = sum;
    }
}

FOURFALL_INLINED float positive_product(const float* hidden, const Floats& weights) {
    float sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) sum += std::max(hidden[i], 0.0F) * weights[i];
    return sum;
}

template <class Path>
FOURFALL_INLINED Opinion forward(const Network& network, const Ground& ground, const Picture& picture,
                                 Workspace& work) {
    const Weights& weights = network.weights();
    const Image& image = work.image;
    alignas(64) std::array<float, 2 * kMaxChannels> pooled;
    alignas(64) std::array<float, kMaxChannels> hidden, cell;
    float *x = work.state.data(), *h = work.hidden.data();
    stem<Path>(weights, ground, picture, x);
    for (std::size_t i = 0; i < weights.blocks.size(); ++i) {
        const Block& block = weights.blocks[i];
        convolve<Path>(network, 2 * i, block.first.bias.data(), x, false, h, work);
        const float* bias = block.second.bias.data();
        if (!block.pooled.empty()) {
            pool<Path>(image, h, pooled.data());
            std::copy_n(bias, image.channels, hidden.data());
            add_product<Path>(pooled.data(), 2 * image.channels, block.pooled, image.channels, hidden.data());
            bias = hidden.data();
        }
        convolve<Path>(network, 2 * i + 1, bias, h, true, x, work);
    }
    pool<Path>(image, x, pooled.data());

    Opinion opinion;
    std::ranges::copy(weights.value_bias, hidden.begin());
    add_product<Path>(pooled.data(), 2 * image.channels, weights.value_in, weights.value_out.size(), hidden.data());
    opinion.value = std::tanh((positive_product(hidden.data(), weights.value_out) + weights.value_base[0]) / 2);
    std::ranges::copy(weights.policy_bias, hidden.begin());
    const std::size_t size = weights.policy_out.size();
    add_product<Path>(pooled.data(), 2 * image.channels, weights.policy_in, size, hidden.data());
    for (int col = 0; col < image.cols; ++col) {
        if (picture.landing(col) < 0) continue;
        std::copy_n(hidden.data(), size, cell.data());
        add_product<Path>(x + image.at(picture.landing(col), col), image.channels, weights.policy_cell, size,
                          cell.data());
        opinion.logits[static_cast<std::size_t>(col)] = positive_product(cell.data(), weights.policy_out);
    }
    return opinion;
}

}  // namespace fourfall::network
