// Forward pass of the network: stem, residual blocks, value head and policy head.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "search/network/input_planes.hpp"
#include "search/network/matrix_product.inl"
#include "search/network/network.hpp"
#include "search/network/stem_constants.hpp"
#include "search/network/transform_weights.inl"
#include "search/network/winograd_2x2.inl"
#include "search/network/winograd_4x4.inl"

namespace fourfall::network {

// First layer. Each cell with the value 1 in an input plane adds a row of weights to the cells around it.
template <class Simd>
FOURFALL_INLINED void run_stem(const WeightsFile& weights, const StemConstants& constants, const InputPlanes& planes,
                               float* to) {
    using Vector = typename Simd::Vector;
    const ActivationLayout& layout = constants.layout();
    const std::size_t channels = layout.channels;
    const auto vector_at = [](const float* from) { return reinterpret_cast<const Vector*>(from); };
    const auto row_size = static_cast<std::size_t>(layout.cols) * channels;
    const float share = free_share(planes.free_cells());
    for (int row = 0; row < layout.rows; ++row) {
        const std::size_t first = layout.at(row, 0);
        for (std::size_t i = first; i < first + row_size; i += Simd::kLanes)
            *reinterpret_cast<Vector*>(to + i) =
                *vector_at(&constants.base(planes.stones())[i]) + *vector_at(&constants.free_slope()[i]) * share;
    }
    for (const PlaneCell& one : planes.cells())
        for (int tap = 0; tap < kTaps; ++tap) {
            const int row = one.height - tap / 3 + 1, col = one.col - tap % 3 + 1;
            if (row < 0 || row >= layout.rows || col < 0 || col >= layout.cols) continue;
            const float* taps = &weights.stem.weights[static_cast<std::size_t>(tap * kPlanes + one.plane) * channels];
            float* cell = to + layout.at(row, col);
            for (std::size_t i = 0; i < channels; i += Simd::kLanes)
                *reinterpret_cast<Vector*>(cell + i) += *vector_at(taps + i);
        }
    for (int row = 0; row < layout.rows; ++row) {
        const std::size_t first = layout.at(row, 0);
        for (std::size_t i = first; i < first + row_size; i += Simd::kLanes) {
            auto& value = *reinterpret_cast<Vector*>(to + i);
            value = value > Vector{} ? value : Vector{};
        }
    }
}

// Calls `action` for each group of 4, 2 or 1 vectors of an array, with the number of vectors as a constant and the
// index of the first float. The processor computes the independent sums of a group at the same time.
template <class Simd>
FOURFALL_INLINED void for_each_group(std::size_t size, const auto& action) {
    std::size_t first = 0;
    const auto run = [&](auto count) __attribute__((always_inline)) {
        for (; first + count * Simd::kLanes <= size; first += count * Simd::kLanes) action(count, first);
    };
    run(std::integral_constant<std::size_t, 4>{});
    run(std::integral_constant<std::size_t, 2>{});
    run(std::integral_constant<std::size_t, 1>{});
}

// Global pooling: mean and maximum of each channel over the board.
template <class Simd>
FOURFALL_INLINED void pool(const ActivationLayout& layout, const float* from, float* to) {
    using Vector = typename Simd::Vector;
    const float scale = 1.0F / static_cast<float>(layout.rows * layout.cols);
    for_each_group<Simd>(layout.channels, [&](auto count, std::size_t channel) __attribute__((always_inline)) {
        Vector sums[count]{}, greatest[count]{};  // activations are not negative
        for (int row = 0; row < layout.rows; ++row)
            for (int col = 0; col < layout.cols; ++col) {
                const auto* values = reinterpret_cast<const Vector*>(from + layout.at(row, col) + channel);
                for (std::size_t i = 0; i < count; ++i) {
                    sums[i] += values[i];
                    greatest[i] = values[i] > greatest[i] ? values[i] : greatest[i];
                }
            }
        for (std::size_t i = 0; i < count; ++i) {
            reinterpret_cast<Vector*>(to + channel)[i] = sums[i] * scale;
            reinterpret_cast<Vector*>(to + layout.channels + channel)[i] = greatest[i];
        }
    });
}

// Adds the product of a vector and a matrix [in][out].
template <class Simd>
FOURFALL_INLINED void add_product(const float* in, std::size_t size, const Floats& matrix, std::size_t out_size,
                                  float* out) {
    using Vector = typename Simd::Vector;
    for_each_group<Simd>(out_size, [&](auto count, std::size_t column) __attribute__((always_inline)) {
        auto* totals = reinterpret_cast<Vector*>(out + column);
        Vector sums[count];
        for (std::size_t i = 0; i < count; ++i) sums[i] = totals[i];
        for (std::size_t k = 0; k < size; ++k) {
            const auto* weights = reinterpret_cast<const Vector*>(&matrix[k * out_size + column]);
            for (std::size_t i = 0; i < count; ++i) sums[i] += weights[i] * in[k];
        }
        for (std::size_t i = 0; i < count; ++i) totals[i] = sums[i];
    });
}

// ReLU, then the product with a vector.
FOURFALL_INLINED float relu_product(const float* hidden, const Floats& weights) {
    float sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) sum += std::max(hidden[i], 0.0F) * weights[i];
    return sum;
}

template <class Simd, class Winograd>
FOURFALL_INLINED NetworkOutput forward(const Network& network, const StemConstants& constants,
                                       const InputPlanes& planes, Workspace& work) {
    const WeightsFile& weights = network.weights();
    const ActivationLayout& layout = work.layout;
    alignas(64) std::array<float, 2 * kMaxWidth> pooled;
    alignas(64) std::array<float, kMaxWidth> hidden, cell;
    float *x = work.state.data(), *h = work.hidden.data();
    const std::byte* convolution_weights = network.transformed_weights().data();
    // A 3x3 convolution of a block, with ReLU.
    const auto convolve = [&](const float* from, const float* bias, bool is_residual, float* to)
                              __attribute__((always_inline)) {
                                  Winograd::convolve(from, convolution_weights, bias, is_residual, work, to);
                                  convolution_weights += Winograd::weights_bytes(layout.channels);
                              };
    run_stem<Simd>(weights, constants, planes, x);
    for (const ResidualBlock& block : weights.blocks) {
        convolve(x, block.first.bias.data(), false, h);
        const float* bias = block.second.bias.data();
        if (!block.pooled.empty()) {
            pool<Simd>(layout, h, pooled.data());
            std::copy_n(bias, layout.channels, hidden.data());
            add_product<Simd>(pooled.data(), 2 * layout.channels, block.pooled, layout.channels, hidden.data());
            bias = hidden.data();
        }
        convolve(h, bias, true, x);
    }
    pool<Simd>(layout, x, pooled.data());

    NetworkOutput output;
    std::ranges::copy(weights.value_bias, hidden.begin());
    add_product<Simd>(pooled.data(), 2 * layout.channels, weights.value_in, weights.value_out.size(), hidden.data());
    const float half_logit = (relu_product(hidden.data(), weights.value_out) + weights.value_base[0]) / 2;
    // C libraries differ in the last bit of a tanh in single precision, but hardly ever in a rounded one.
    output.value = network.is_reproducible() ? static_cast<float>(std::tanh(static_cast<double>(half_logit)))
                                             : std::tanh(half_logit);
    std::ranges::copy(weights.policy_bias, hidden.begin());
    const std::size_t size = weights.policy_out.size();
    add_product<Simd>(pooled.data(), 2 * layout.channels, weights.policy_in, size, hidden.data());
    for (int col = 0; col < layout.cols; ++col) {
        const int height = planes.landing_height(col);
        if (height < 0) continue;
        std::copy_n(hidden.data(), size, cell.data());
        add_product<Simd>(x + layout.at(height, col), layout.channels, weights.policy_cell, size, cell.data());
        output.logits[static_cast<std::size_t>(col)] = relu_product(cell.data(), weights.policy_out);
    }
    return output;
}

}  // namespace fourfall::network
