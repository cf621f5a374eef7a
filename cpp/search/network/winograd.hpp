// Owns the 3x3 convolution: Winograd's F(2x2, 3x3) (Lavin and Gray 2016), which needs 4 products where the plain sum
// needs 9.
//
// The image is cut into tiles of 2x2 cells. Each tile is seen with its frame as 4x4 numbers a channel, which are mixed
// with each other (spread); each of the 16 mixtures is multiplied with its own matrix over all channels; and the 16
// results are mixed back into the 2x2 cells (gather). All steps take whole registers of channels.
#pragma once

#include <cstddef>
#include <span>

#include "search/network/paths.hpp"

namespace fourfall::network {

inline constexpr int kMixtures = 16;

// Where the numbers of a board lie: cell by cell in rows from the bottom, `channels` for each. A frame of zeros is one
// cell wide, and one more on top and right where a side is odd; nobody ever writes there.
struct Image {
    int rows, cols;
    std::size_t channels;

    int tile_rows() const { return (rows + 1) / 2; }
    int tile_cols() const { return (cols + 1) / 2; }
    int tiles() const { return tile_rows() * tile_cols(); }
    int width() const { return 2 * tile_cols() + 2; }
    int height() const { return 2 * tile_rows() + 2; }
    std::size_t size() const { return static_cast<std::size_t>(width() * height()) * channels; }
    std::size_t at(int row, int col) const {
        return static_cast<std::size_t>((row + 1) * width() + col + 1) * channels;
    }
};

// Everything that is inlined into the functions compiled for a path.
#define FOURFALL_INLINED [[gnu::always_inline]] inline

template <class Path>
FOURFALL_INLINED void spread(const Image& image, const float* from, typename Path::Factor* to) {
    using Lanes = typename Path::Lanes;
    const std::size_t channels = image.channels;
    const auto row = static_cast<std::size_t>(image.width()) * channels;
    const auto plane = static_cast<std::size_t>(image.tiles()) * channels;
    for (int tile_row = 0; tile_row < image.tile_rows(); ++tile_row)
        for (std::size_t channel = 0; channel < channels; channel += Path::kLanes) {
            const float* in = from + 2 * static_cast<std::size_t>(tile_row) * row + channel;
            auto* out = to + static_cast<std::size_t>(tile_row * image.tile_cols()) * channels + channel;
            Lanes mixed[4][4];  // [column of the tile's frame][row]
            const auto mix_column = [&](Lanes(&column)[4]) __attribute__((always_inline)) {
                const auto at = [&](std::size_t y) { return reinterpret_cast<const Lanes*>(in + y * row); };
                const Lanes &a = *at(0), &b = *at(1), &c = *at(2), &d = *at(3);
                column[0] = a - c, column[1] = b + c, column[2] = c - b, column[3] = b - d;
                in += channels;
            };
            mix_column(mixed[0]);
            mix_column(mixed[1]);
            for (int tile_col = 0; tile_col < image.tile_cols(); ++tile_col, out += channels) {
                mix_column(mixed[2]);
                mix_column(mixed[3]);
#pragma GCC unroll 4
                for (std::size_t y = 0; y < 4; ++y) {
                    const Lanes &a = mixed[0][y], &b = mixed[1][y], &c = mixed[2][y], &d = mixed[3][y];
                    Path::store(a - c, out + (4 * y + 0) * plane);
                    Path::store(b + c, out + (4 * y + 1) * plane);
                    Path::store(c - b, out + (4 * y + 2) * plane);
                    Path::store(b - d, out + (4 * y + 3) * plane);
                    mixed[0][y] = c, mixed[1][y] = d;
                }
            }
        }
}

// Adds the bias, and what was there before if `onto`, and leaves what is positive.
template <class Path>
FOURFALL_INLINED void gather(const Image& image, const float* from, const float* bias, bool onto, float* to) {
    using Lanes = typename Path::Lanes;
    const std::size_t channels = image.channels;
    const auto plane = static_cast<std::size_t>(image.tiles()) * channels;
    for (int row = 0; row < image.rows; row += 2)
        for (int col = 0; col < image.cols; col += 2, from += channels)
            for (std::size_t channel = 0; channel < channels; channel += Path::kLanes) {
                Lanes low[4], high[4];
#pragma GCC unroll 4
                for (std::size_t x = 0; x < 4; ++x) {
                    const auto at = [&](std::size_t y) {
                        return reinterpret_cast<const Lanes*>(from + (4 * y + x) * plane + channel);
                    };
                    const Lanes &b = *at(1), &c = *at(2);
                    low[x] = *at(0) + b + c, high[x] = b - c - *at(3);
                }
                const Lanes& offset = *reinterpret_cast<const Lanes*>(bias + channel);
                const auto put = [&](int up, const Lanes(&line)[4]) __attribute__((always_inline)) {
                    const auto finish = [&](int right, const Lanes& sum) __attribute__((always_inline)) {
                        auto& place = *reinterpret_cast<Lanes*>(to + image.at(row + up, col + right) + channel);
                        const Lanes value = onto ? sum + offset + place : sum + offset;
                        place = value > Lanes{} ? value : Lanes{};
                    };
                    finish(0, line[0] + line[1] + line[2]);
                    if (col + 1 < image.cols) finish(1, line[1] - line[2] - line[3]);
                };
                put(0, low);
                if (row + 1 < image.rows) put(1, high);
            }
}

// One convolution's matrices, as the path wants them. `weights` is [tap][from][to].
template <class Path>
void pack_mixtures(std::span<const float> weights, std::size_t channels, typename Path::Factor* to) {
    constexpr float kMix[4][3] = {{1, 0, 0}, {0.5F, 0.5F, 0.5F}, {0.5F, -0.5F, 0.5F}, {0, 0, 1}};
    constexpr std::size_t kColumns = 2 * Path::kLanes, kTogether = Path::kTogether;
    for (std::size_t y = 0; y < 4; ++y)
        for (std::size_t x = 0; x < 4; ++x, to += channels * channels)
            for (std::size_t in = 0; in < channels; ++in)
                for (std::size_t out = 0; out < channels; ++out) {
                    float sum = 0;
                    for (std::size_t ky = 0; ky < 3; ++ky)
                        for (std::size_t kx = 0; kx < 3; ++kx)
                            sum +=
                                kMix[y][ky] * kMix[x][kx] * weights[((3 * ky + kx) * channels + in) * channels + out];
                    const std::size_t line = (out / kColumns * channels + in) / kTogether;
                    to[(line * kColumns + out % kColumns) * kTogether + in % kTogether] = Path::factor(sum);
                }
}

}  // namespace fourfall::network
