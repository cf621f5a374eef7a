// Owns the network at play: weights made ready for one path through the processor, and a position's value and policy.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "search/network/ground.hpp"
#include "search/network/picture.hpp"
#include "search/network/weights.hpp"

namespace fourfall::network {

inline constexpr std::size_t kMaxChannels = 256;

struct Opinion {
    float value = 0;                       // -1..1, for the side to move
    std::array<float, kMaxSide> logits{};  // by column: a move's share before the softmax; 0 where a column is full
};

// What an evaluation writes to: one for each thread.
struct Workspace {
    explicit Workspace(const Image& shape)
        : image(shape),
          state(shape.size()),
          hidden(shape.size()),
          products(kMixtures * static_cast<std::size_t>(shape.tiles()) * shape.channels),
          factors(products.size() * sizeof(float)) {}

    Image image;
    Floats state, hidden, products;
    Bytes factors;
};

class Network {
public:
    // The paths that this processor has, the fastest last.
    static std::vector<std::string> paths();
    // On the named path, or the fastest if the name is empty. Throws WeightsError, and std::invalid_argument for a path
    // that this processor does not have.
    explicit Network(Weights weights, const std::string& path = "");

    Opinion evaluate(const Ground& ground, const Picture& picture, Workspace& work) const;

    std::string path() const;
    // The convolutions of the blocks are gone from these: they are in the mixtures.
    const Weights& weights() const { return weights_; }
    const Bytes& mixtures() const { return mixtures_; }

private:
    struct Path;
    static std::span<const Path> known_paths();

    Weights weights_;
    const Path* path_;
    Bytes mixtures_;  // [convolution][mixture], each as the path wants it
};

}  // namespace fourfall::network
