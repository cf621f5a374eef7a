// Weights of a network, and the reader of weights files, which checks every byte.
//
// Format, little endian: "F4W1", u32 version, u32 length of the header, the header (a flat JSON object), zeros up to a
// multiple of 64 bytes; then the tensors in the order of WeightsFile below, row-major, each followed by zeros up to
// a multiple of 64 bytes; then the SHA-256 of everything before it. docs/learning.md describes the architecture.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "game/aligned.hpp"
#include "search/network/sha256.hpp"

namespace fourfall::network {

inline constexpr int kPlanes = 16;
inline constexpr int kMaxWidth = 256;  // channels, and units of the hidden layers
inline constexpr int kTaps = 9;        // of a 3x3 convolution: bottom row first, left column first

// The data is not a weights file, is damaged, or has an unsupported version or shape. The message names the file.
struct WeightsError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

struct ConvolutionWeights {
    Floats weights;  // [tap][input channel][output channel]
    Floats bias;     // [output channel]
};

struct ResidualBlock {
    ConvolutionWeights first, second;
    Floats pooled;  // [2 channels][channels], the global pooling; empty in blocks 0, 2, ...
};

// Contents of a weights file.
struct WeightsFile {
    int channels, value_hidden, policy_hidden;
    ConvolutionWeights stem;  // on the input planes
    std::vector<ResidualBlock> blocks;
    Floats value_in, value_bias, value_out, value_base;      // [2 channels][hidden], [hidden], [hidden], [1]
    Floats policy_cell, policy_in, policy_bias, policy_out;  // [channels][hidden], [2 channels][hidden], ...
    std::string header;                                      // JSON, as in the file
    Digest digest;
};

// Throws WeightsError; error messages begin with `name`.
WeightsFile read_weights(std::span<const std::uint8_t> data, const std::string& name);
WeightsFile load_weights(const std::string& path);

}  // namespace fourfall::network
