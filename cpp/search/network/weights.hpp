// Owns the weights file: what a network was made of, read and checked to the last byte.
//
// Little endian: "F4W1", u32 version, u32 length of the header, the header (a flat JSON object), zeros up to a multiple
// of 64 bytes; then the tensors in the order of Weights below, row by row, each followed by zeros up to a multiple of
// 64 bytes; then the SHA-256 of everything before. docs/learning.md tells what the tensors do.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "search/network/aligned.hpp"
#include "search/network/sha256.hpp"

namespace fourfall::network {

inline constexpr int kPlanes = 16;
inline constexpr int kTaps = 9;  // of a 3x3 convolution: the row below first, in it the left column first

// A weights file that is none, is damaged, or was made for another program; one line that names the file.
struct WeightsError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

struct Convolution {
    Floats weights;  // [tap][from][to]
    Floats bias;     // [to]
};

struct Block {
    Convolution first, second;
    Floats pooled;  // [2 channels][channels]; empty in blocks 0, 2, ...
};

struct Weights {
    int channels, value_hidden, policy_hidden;
    Convolution stem;  // from the planes
    std::vector<Block> blocks;
    Floats value_in, value_bias, value_out, value_base;      // [2 channels][hidden], [hidden], [hidden], [1]
    Floats policy_cell, policy_in, policy_bias, policy_out;  // [channels][hidden], [2 channels][hidden], ...
    std::string header;                                      // as it is written in the file
    Digest digest;
};

// Throws WeightsError; `name` is what the complaint calls the data.
Weights read_weights(std::span<const std::uint8_t> data, const std::string& name);
Weights load_weights(const std::string& path);

}  // namespace fourfall::network
