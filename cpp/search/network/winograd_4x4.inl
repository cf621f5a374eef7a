// 3x3 convolution by Winograd's F(4x4, 3x3) and F(3x3, 3x3) (Lavin and Gray 2016): 2.25 to 2.78 products per output
// cell, at the cost of about two more bits of rounding error than winograd_2x2.inl.
//
// The sides of the board are cut into lengths of 4 and 3 cells, so that nothing is computed outside the board; only a
// side of 5 cells is padded to 6. A length of 4 cells is transformed into 6 elements, the values at the points 0, 1,
// -1, 2, infinity and -2 in Toom and Cook's method, a length of 3 into the first five of them. All lengths then share
// the transformed weights. The elements are scaled so that each is at most 18 to 90 times as large as the largest cell:
// winograd_int16.inl rounds all of them in the same unit. Lengths of 4 come first, so that the tiles that have the
// sixth element are the first ones.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "search/network/activation_layout.hpp"
#include "search/network/matrix_product.inl"
#include "search/network/network.hpp"
#include "search/network/transform_weights.inl"

namespace fourfall::network {

template <class Simd>
class Winograd4x4 {
public:
    using Vector = typename Simd::Vector;

    // Elements of a transformed tile in one direction, and the weights of the three taps in each of them.
    static constexpr int kElements = 6;
    static constexpr double kTapWeights[kElements][3] = {
        {0.25, 0, 0}, {-1.0 / 6, -1.0 / 6, -1.0 / 6}, {-1.0 / 6, 1.0 / 6, -1.0 / 6}, {1.0 / 36, 2.0 / 36, 4.0 / 36},
        {0, 0, 1},    {1.0 / 48, -2.0 / 48, 4.0 / 48}};

    static std::size_t weights_bytes(std::size_t channels) {
        return kElements * kElements * channels * channels * sizeof(float);
    }
    static void transform_weights(std::span<const float> weights, std::size_t channels, std::byte* to) {
        transform_convolution<Simd, Winograd4x4>(weights, channels, to);
    }

    // Convolves the activations `from` with transformed weights, adds the bias and, if `is_residual`, the activations
    // already in `to`, and applies the ReLU.
    FOURFALL_INLINED static void convolve(const float* from, const std::byte* weights, const float* bias,
                                          bool is_residual, Workspace& work, float* to) {
        const ActivationLayout& layout = work.layout;
        const Plan plan(layout);
        // The products of an element overwrite the transformed input of the one before, which is in the cache and no
        // longer needed.
        float* products = work.products.data();
        float* transformed = products + static_cast<std::size_t>(plan.down.tiles * plan.across.tiles) * layout.channels;
        transform_input(layout, plan, from,
                        [&](const Vector& elements, std::size_t index) __attribute__((always_inline)) {
                            *reinterpret_cast<Vector*>(transformed + index) = elements;
                        });
        for (int y = 0; y < kElements; ++y)
            for (int x = 0; x < kElements; ++x, weights += layout.channels * layout.channels * sizeof(float)) {
                const std::size_t start = plan.first[y][x];
                multiply<Simd>(MatrixProduct{transformed + start, reinterpret_cast<const float*>(weights),
                                             products + start, layout.channels},
                               plan.down.tiles_of(y) * plan.across.tiles_of(x));
            }
        transform_output(layout, plan, products, bias, is_residual, to);
    }

    // How a side is cut: `fours` lengths of 4 cells, then lengths of 3.
    struct Cut {
        explicit Cut(int cells) : tiles((cells + 3) / 4), fours(std::max(0, cells - 3 * tiles)) {}
        int first_cell(int tile) const { return 3 * tile + std::min(tile, fours); }
        int tiles_of(int element) const { return element < kElements - 1 ? tiles : fours; }
        int elements() const { return (kElements - 1) * tiles + fours; }

        int tiles, fours;
    };

    // Where the elements of the tiles are: [element down][element across][tile], without tiles that lack the element.
    struct Plan {
        explicit Plan(const ActivationLayout& layout)
            : down(layout.rows), across(layout.cols), channels(layout.channels) {
            for (int y = 0; y < kElements; ++y)
                for (int x = 0; x < kElements; ++x)
                    first[y][x] = static_cast<std::size_t>(y * down.tiles * across.elements() +
                                                           x * down.tiles_of(y) * across.tiles) *
                                  channels;
        }
        // Index of the first channel of an element.
        std::size_t at(int y, int x, int tile_row, int tile_col) const {
            return first[y][x] + static_cast<std::size_t>(tile_row * across.tiles_of(x) + tile_col) * channels;
        }

        Cut down, across;
        std::size_t channels;
        std::size_t first[kElements][kElements];  // of the first tile
    };

    FOURFALL_INLINED static void transform_input(const ActivationLayout& layout, const Plan& plan, const float* from,
                                                 const auto& put) {
        const std::size_t channels = layout.channels;
        const int width = plan.across.first_cell(plan.across.tiles) + 2;
        const auto row = static_cast<std::size_t>(layout.width()) * channels;
        for (int tile_row = 0; tile_row < plan.down.tiles; ++tile_row)
            with_length(tile_row < plan.down.fours, [&]<int kDown>() __attribute__((always_inline)) {
                constexpr int kTall = kDown + 2;
                for (std::size_t channel = 0; channel < channels; channel += Simd::kLanes) {
                    Vector strip[kTall][kMaxSide + 2];  // transformed down
                    const float* in = from + static_cast<std::size_t>(plan.down.first_cell(tile_row)) * row + channel;
                    for (int col = 0; col < width; ++col, in += channels) {
                        Vector cells[kTall], elements[kTall];
#pragma GCC unroll 6
                        for (std::size_t y = 0; y < kTall; ++y)
                            cells[y] = *reinterpret_cast<const Vector*>(in + y * row);
                        transform_length<kDown>(cells, elements);
#pragma GCC unroll 6
                        for (int y = 0; y < kTall; ++y) strip[y][col] = elements[y];
                    }
                    for (int tile_col = 0; tile_col < plan.across.tiles; ++tile_col)
                        with_length(tile_col < plan.across.fours, [&]<int kAcross>() __attribute__((always_inline)) {
                            constexpr int kWide = kAcross + 2;
                            for (int y = 0; y < kTall; ++y) {
                                Vector elements[kWide];
                                transform_length<kAcross>(&strip[y][plan.across.first_cell(tile_col)], elements);
#pragma GCC unroll 6
                                for (int x = 0; x < kWide; ++x)
                                    put(elements[x], plan.at(y, x, tile_row, tile_col) + channel);
                            }
                        });
                }
            });
    }

    FOURFALL_INLINED static void transform_output(const ActivationLayout& layout, const Plan& plan, const float* from,
                                                  const float* bias, bool is_residual, float* to) {
        const std::size_t channels = layout.channels;
        for (int tile_row = 0; tile_row < plan.down.tiles; ++tile_row)
            for (int tile_col = 0; tile_col < plan.across.tiles; ++tile_col)
                with_length(tile_row < plan.down.fours, [&]<int kDown>() __attribute__((always_inline)) {
                    with_length(tile_col < plan.across.fours, [&]<int kAcross>() __attribute__((always_inline)) {
                        constexpr int kTall = kDown + 2, kWide = kAcross + 2;
                        const int row = plan.down.first_cell(tile_row), col = plan.across.first_cell(tile_col);
                        for (std::size_t channel = 0; channel < channels; channel += Simd::kLanes) {
                            Vector strip[kDown][kWide];
#pragma GCC unroll 6
                            for (int x = 0; x < kWide; ++x) {
                                Vector elements[kTall], cells[kDown];
#pragma GCC unroll 6
                                for (int y = 0; y < kTall; ++y)
                                    elements[y] = *reinterpret_cast<const Vector*>(
                                        from + plan.at(y, x, tile_row, tile_col) + channel);
                                transform_back<kDown>(elements, cells);
#pragma GCC unroll 4
                                for (int y = 0; y < kDown; ++y) strip[y][x] = cells[y];
                            }
                            const Vector& offset = *reinterpret_cast<const Vector*>(bias + channel);
                            for (int y = 0; y < kDown && row + y < layout.rows; ++y) {
                                Vector cells[kAcross];
                                transform_back<kAcross>(strip[y], cells);
                                float* out = to + layout.at(row + y, col) + channel;
#pragma GCC unroll 4
                                for (int x = 0; x < kAcross; ++x, out += channels) {
                                    if (col + x >= layout.cols) break;
                                    auto& cell = *reinterpret_cast<Vector*>(out);
                                    const Vector value = is_residual ? cells[x] + offset + cell : cells[x] + offset;
                                    cell = value > Vector{} ? value : Vector{};
                                }
                            }
                        }
                    });
                });
    }

private:
    // Applies `action` to a length of cells as a constant.
    FOURFALL_INLINED static void with_length(bool is_four, const auto& action) {
        if (is_four)
            action.template operator()<4>();
        else
            action.template operator()<3>();
    }

    // Values of a length of cells and the two cells around it.
    template <int kLength>
    FOURFALL_INLINED static void transform_length(const Vector* in, Vector* out) {
        if constexpr (kLength == 4) {
            const Vector odd = in[3] - in[1] * 4.0F, even = in[4] - in[2] * 4.0F;
            const Vector step = in[3] - in[1], rest = in[4] - in[2];
            out[0] = in[0] * 4.0F - in[2] * 5.0F + in[4];
            out[1] = even + odd;
            out[2] = even - odd;
            out[3] = rest * 1.5F + step * 3.0F;
            out[4] = in[5] - in[3] * 5.0F + in[1] * 4.0F;
            out[5] = rest * 2.0F - step * 4.0F;
        } else {
            const Vector step = in[3] - in[1];
            out[0] = (in[0] - in[2]) * 4.0F + step * 2.0F;
            out[1] = (in[3] - in[2] - in[1] * 2.0F) * 3.0F;
            out[2] = in[3] - in[2] * 3.0F + in[1] * 2.0F;
            out[3] = step * 6.0F;
            out[4] = in[4] - in[2] - step * 2.0F;
        }
    }

    // The cells from the products of the elements.
    template <int kLength>
    FOURFALL_INLINED static void transform_back(const Vector* in, Vector* out) {
        const Vector sum = in[1] + in[2], difference = in[1] - in[2];
        if constexpr (kLength == 4) {
            const Vector far_sum = in[3] + in[5], far_difference = in[3] - in[5];
            out[0] = in[0] + sum + far_sum;
            out[1] = difference + far_difference * 2.0F;
            out[2] = sum + far_sum * 4.0F;
            out[3] = difference + far_difference * 8.0F + in[4];
        } else {
            out[0] = in[0] + sum + in[3];
            out[1] = difference + in[3] * 2.0F;
            out[2] = sum + in[3] * 4.0F + in[4];
        }
    }
};

}  // namespace fourfall::network
