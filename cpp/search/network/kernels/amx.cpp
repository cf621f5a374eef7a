// Kernel for processors with AMX: the matrix unit multiplies bf16 numbers of tiles, registers of 16 rows of 64 bytes.
//
// A 3x3 convolution is the direct sum of nine matrix products, one for each tap: their left operands are the same
// activations, shifted. All activations are stored cell by cell in one line, each row of the board after one cell of
// zeros, so that 16 consecutive cells are the rows of a tile, whichever the tap. The cells between the rows are
// computed, too, and ignored. Winograd's method would save products, but its transforms cost as much.
#include "search/network/kernels/kernel.hpp"

#ifdef FOURFALL_X86_KERNELS

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "platform/processor.hpp"
#include "search/network/forward.inl"
#include "search/network/transform_weights.inl"

#define FOURFALL_AMX __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16")))

namespace fourfall::network {
namespace {

constexpr int kTileRows = 16, kTileBytes = 64;
constexpr int kProducts = 4;  // tiles of sums that are computed at the same time: registers 0 to 3

// Sizes of the tile registers, as the processor reads them.
struct TileSizes {
    std::uint8_t palette = 1, first_row = 0;
    std::array<std::uint8_t, 14> reserved{};
    std::array<std::uint16_t, 16> bytes{};  // per row
    std::array<std::uint8_t, 16> rows{};
};

// The instructions, in assembly because GCC 12 does not know that its intrinsics access memory.
void set_tile_sizes(const TileSizes& sizes) { asm volatile("ldtilecfg %0" : : "m"(sizes) : "memory"); }
void release_tiles() { asm volatile("tilerelease" : : : "memory"); }
template <int kTile>
FOURFALL_INLINED void clear_tile() {
    asm volatile("tilezero %%tmm%c0" : : "i"(kTile));
}
template <int kTile>
FOURFALL_INLINED void load_tile(const void* from, std::size_t stride) {
    asm volatile("tileloadd (%1,%2), %%tmm%c0" : : "i"(kTile), "r"(from), "r"(stride) : "memory");
}
template <int kTile>
FOURFALL_INLINED void store_tile(void* to, std::size_t stride) {
    asm volatile("tilestored %%tmm%c0, (%1,%2)" : : "i"(kTile), "r"(to), "r"(stride) : "memory");
}
template <int kSums, int kLeft, int kRight>
FOURFALL_INLINED void add_tile_product() {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(kSums), "i"(kLeft), "i"(kRight));
}

struct AmxVectors {
    static constexpr int kLanes = 16;
    typedef float Vector __attribute__((vector_size(64), may_alias));
};

class AmxConvolution {
public:
    static std::size_t weights_bytes(std::size_t channels) {
        return kTaps * channels * channels * sizeof(std::uint16_t);
    }

    // Rounds the weights [tap][input channel][output channel] to tiles [output channel / 16][tap][input channel / 32],
    // whose rows are pairs of input channels.
    static void transform_weights(std::span<const float> weights, std::size_t channels, std::byte* to) {
        auto* tiles = reinterpret_cast<std::uint16_t*>(to);
        for (std::size_t tap = 0; tap < kTaps; ++tap)
            for (std::size_t in = 0; in < channels; ++in)
                for (std::size_t out = 0; out < channels; ++out) {
                    const std::size_t pair = (out / kColumns * kTaps + tap) * channels / 2 + in / 2;
                    tiles[(pair * kColumns + out % kColumns) * 2 + in % 2] =
                        round_to_bf16(weights[(tap * channels + in) * channels + out]);
                }
    }

    // The same as in Winograd4x4.
    FOURFALL_INLINED static void convolve(const float* from, const std::byte* weights, const float* bias,
                                          bool is_residual, Workspace& work, float* to) {
        const ActivationLayout& layout = work.layout;
        const Line line(layout);
        auto* inputs = reinterpret_cast<std::uint16_t*>(work.transformed.data());
        round_inputs(layout, line, from, inputs);
        multiply(layout, line, inputs, weights, work.products.data());
        add_bias(layout, line, work.products.data(), bias, is_residual, to);
    }

private:
    using Vector = AmxVectors::Vector;
    static constexpr std::size_t kColumns = kTileBytes / sizeof(float);           // output channels of a tile
    static constexpr std::size_t kChannels = kTileBytes / sizeof(std::uint16_t);  // input channels of a tile

    // Where the cells are: a line of cells with a cell of zeros before each row, and whole rows of zeros below and
    // above.
    struct Line {
        explicit Line(const ActivationLayout& layout)
            : width(static_cast<std::size_t>(layout.cols) + 1),
              sums(static_cast<std::size_t>(layout.rows) * width - 1),
              tiles((sums + kTileRows - 1) / kTileRows),
              tile_rows((sums + tiles - 1) / tiles) {}

        std::size_t width;      // from a cell to the cell above it
        std::size_t sums;       // cells from the first of the lowest row to the last of the highest
        std::size_t tiles;      // of the sums
        std::size_t tile_rows;  // of each of these tiles
    };

    // Rounds to nearest, ties to even, as the processor does.
    static std::uint16_t round_to_bf16(float value) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    }

    // The cells of zeros are never written.
    FOURFALL_AMX static void round_inputs(const ActivationLayout& layout, const Line& line, const float* from,
                                          std::uint16_t* inputs) {
        const auto row_size = static_cast<std::size_t>(layout.cols) * layout.channels;
        for (int row = 0; row < layout.rows; ++row) {
            const float* in = from + layout.at(row, 0);
            std::uint16_t* out = inputs + ((static_cast<std::size_t>(row) + 1) * line.width + 1) * layout.channels;
            for (std::size_t i = 0; i < row_size; i += kChannels) {
                const __m512 low = _mm512_load_ps(in + i), high = _mm512_load_ps(in + i + kColumns);
                _mm512_store_si512(out + i, (__m512i)_mm512_cvtne2ps_pbh(high, low));
            }
        }
    }

    static void multiply(const ActivationLayout& layout, const Line& line, const std::uint16_t* inputs,
                         const std::byte* weights, float* sums) {
        TileSizes sizes;
        std::fill_n(sizes.bytes.begin(), 8, std::uint16_t{kTileBytes});
        std::fill_n(sizes.rows.begin(), 8, static_cast<std::uint8_t>(line.tile_rows));
        sizes.rows[kWeights] = kTileRows;
        set_tile_sizes(sizes);
        const std::size_t channels = layout.channels, step = line.tile_rows * channels;
        for (std::size_t tile = 0, parts = (line.tiles + kProducts - 1) / kProducts; parts > 0; --parts) {
            const std::size_t count = (line.tiles - tile + parts - 1) / parts;
            constexpr std::array kMultiply{&multiply_tiles<1>, &multiply_tiles<2>, &multiply_tiles<3>,
                                           &multiply_tiles<4>};
            kMultiply[count - 1](line, inputs + tile * step, weights, channels, sums + tile * step);
            tile += count;
        }
        release_tiles();
    }

    // Computes `kCount` consecutive tiles of cells, all output channels.
    template <int kCount>
    static void multiply_tiles(const Line& line, const std::uint16_t* inputs, const std::byte* weights,
                               std::size_t channels, float* sums) {
        const std::size_t step = line.tile_rows * channels;
        for (std::size_t column = 0; column < channels; column += kColumns) {
            for_each<kCount>([]<int kTile>() { clear_tile<kTile>(); });
            for (std::size_t tap = 0; tap < kTaps; ++tap) {
                const std::uint16_t* shifted = inputs + (tap / 3 * line.width + tap % 3) * channels;
                for (std::size_t channel = 0; channel < channels; channel += kChannels) {
                    load_tile<kWeights>(weights, kTileBytes);
                    weights += static_cast<std::size_t>(kTileRows) * kTileBytes;
                    for_each<kCount>([&]<int kTile>() {
                        load_tile<kInputs + kTile % 2>(shifted + kTile * step + channel,
                                                       channels * sizeof(std::uint16_t));
                        add_tile_product<kTile, kInputs + kTile % 2, kWeights>();
                    });
                }
            }
            for_each<kCount>(
                [&]<int kTile>() { store_tile<kTile>(sums + kTile * step + column, channels * sizeof(float)); });
        }
    }

    FOURFALL_INLINED static void add_bias(const ActivationLayout& layout, const Line& line, const float* sums,
                                          const float* bias, bool is_residual, float* to) {
        const std::size_t channels = layout.channels;
        for (int row = 0; row < layout.rows; ++row) {
            const float* in = sums + static_cast<std::size_t>(row) * line.width * channels;
            float* out = to + layout.at(row, 0);
            for (int col = 0; col < layout.cols; ++col, in += channels, out += channels)
                for (std::size_t channel = 0; channel < channels; channel += AmxVectors::kLanes) {
                    Vector value = *reinterpret_cast<const Vector*>(in + channel) +
                                   *reinterpret_cast<const Vector*>(bias + channel);
                    auto& cell = *reinterpret_cast<Vector*>(out + channel);
                    if (is_residual) value += cell;
                    cell = value > Vector{} ? value : Vector{};
                }
        }
    }

    // Registers of the operands: of the weights, and the first of two for the inputs.
    static constexpr int kWeights = 4, kInputs = 6;

    // Calls `action` with the constants 0 to kCount - 1.
    template <int kCount>
    FOURFALL_INLINED static void for_each(const auto& action) {
        [&]<int... kTiles>(std::integer_sequence<int, kTiles...>) __attribute__((always_inline)) {
            (action.template operator()<kTiles>(), ...);
        }(std::make_integer_sequence<int, kCount>{});
    }
};

[[gnu::flatten]] FOURFALL_AMX NetworkOutput forward_amx(const Network& network, const StemConstants& constants,
                                                        const InputPlanes& planes, Workspace& work) {
    return forward<AmxVectors, AmxConvolution>(network, constants, planes, work);
}

bool has_amx() { return kAvx512Kernel.is_available() && enable_bf16_tiles(); }

}  // namespace

constinit const Kernel kAmxKernel{
    "amx", &has_amx, {&transform_weights<AmxConvolution>, &forward_amx}, &kAvx512Float32Code};

}  // namespace fourfall::network

#endif
