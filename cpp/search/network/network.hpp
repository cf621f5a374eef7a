// Neural network for evaluation: value and policy of a position, computed with the best instruction set available.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "game/aligned.hpp"
#include "search/network/activation_layout.hpp"
#include "search/network/input_planes.hpp"
#include "search/network/stem_constants.hpp"
#include "search/network/weights_file.hpp"

namespace fourfall::network {

struct Kernel;
struct KernelCode;

struct NetworkOutput {
    float value = 0;                       // -1..1, for the side to move
    std::array<float, kMaxSide> logits{};  // policy before the softmax, by column; 0 for full columns
};

// Buffers of an evaluation, one per thread.
struct Workspace {
    // Elements of a tile of 2x2 cells after the Winograd transform (winograd_2x2.inl). Larger tiles have fewer in all.
    static constexpr int kTileElements = 16;

    explicit Workspace(const ActivationLayout& shape)
        : layout(shape),
          state(shape.size()),
          hidden(shape.size()),
          products(kTileElements * static_cast<std::size_t>(shape.tiles()) * shape.channels),
          transformed(products.size() * sizeof(float)) {}

    ActivationLayout layout;
    Floats state;   // activations between blocks
    Floats hidden;  // activations between the two convolutions of a block
    // Results of the matrix products, [element][tile][channel]; in winograd_4x4.inl also their left operands.
    Floats products;
    Bytes transformed;  // transformed input of a convolution, [element][tile][channel]: floats or 16-bit integers
};

// Selects single precision, and an order of operations that does not change: all processors with AVX2 and FMA then
// compute the same bits.
inline constexpr const char* kFloat32 = "float32";

class Network {
public:
    // Names of the instruction sets that this processor has, the fastest last.
    static std::vector<std::string> instruction_sets();
    // Uses the named instruction set, or the fastest if the name is empty or kFloat32. Throws std::invalid_argument if
    // this processor does not have it.
    explicit Network(WeightsFile weights, const std::string& instruction_set = "");

    NetworkOutput evaluate(const StemConstants& constants, const InputPlanes& planes, Workspace& work) const;

    std::string instruction_set() const;
    // Whether kFloat32 selected the instruction set; the result then must not depend on the C library either.
    bool is_reproducible() const { return is_reproducible_; }
    // Without the convolutions of the blocks, which are in transformed_weights().
    const WeightsFile& weights() const { return weights_; }
    // Of one convolution after the other, as the kernel stores them.
    const Bytes& transformed_weights() const { return transformed_weights_; }

private:
    const KernelCode& code() const;

    WeightsFile weights_;
    const Kernel* kernel_;
    bool is_reproducible_;
    Bytes transformed_weights_;
};

}  // namespace fourfall::network
