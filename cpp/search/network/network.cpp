#include "search/network/network.hpp"

#include <algorithm>
#include <stdexcept>

#include "search/network/forward.hpp"

namespace fourfall::network {
namespace {

// All that is a template is inlined here, into a function compiled for the path.
[[gnu::flatten]] Opinion forward_portable(const Network& network, const Ground& ground, const Picture& picture,
                                          Workspace& work) {
    return forward<Portable>(network, ground, picture, work);
}
#ifdef FOURFALL_WIDE_PATHS
FOURFALL_AVX2 [[gnu::flatten]] Opinion forward_avx2(const Network& network, const Ground& ground,
                                                    const Picture& picture, Workspace& work) {
    return forward<Avx2>(network, ground, picture, work);
}
FOURFALL_AVX512 [[gnu::flatten]] Opinion forward_avx512(const Network& network, const Ground& ground,
                                                        const Picture& picture, Workspace& work) {
    return forward<Avx512>(network, ground, picture, work);
}
#endif

template <class Path>
Bytes packed(const Weights& weights) {
    const auto channels = static_cast<std::size_t>(weights.channels);
    const std::size_t convolution = kMixtures * channels * channels * sizeof(typename Path::Factor);
    Bytes out(2 * weights.blocks.size() * convolution);
    std::byte* to = out.data();
    for (const Block& block : weights.blocks)
        for (const Convolution* each : {&block.first, &block.second}) {
            pack_mixtures<Path>(each->weights, channels, reinterpret_cast<typename Path::Factor*>(to));
            to += convolution;
        }
    return out;
}

}  // namespace

struct Network::Path {
    const char* name;
    bool (*is_available)();
    Bytes (*pack)(const Weights&);
    Opinion (*forward)(const Network&, const Ground&, const Picture&, Workspace&);
};

std::span<const Network::Path> Network::known_paths() {
    static constexpr Path kPaths[] = {
        {Portable::kName, &Portable::is_available, &packed<Portable>, &forward_portable},
#ifdef FOURFALL_WIDE_PATHS
        {Avx2::kName, &Avx2::is_available, &packed<Avx2>, &forward_avx2},
        {Avx512::kName, &Avx512::is_available, &packed<Avx512>, &forward_avx512},
#endif
    };
    return kPaths;
}

std::vector<std::string> Network::paths() {
    std::vector<std::string> names;
    for (const Path& path : known_paths())
        if (path.is_available()) names.emplace_back(path.name);
    return names;
}

Network::Network(Weights weights, const std::string& path) : weights_(std::move(weights)) {
    const std::string wanted = path.empty() ? paths().back() : path;
    path_ = std::ranges::find_if(known_paths(), [&](const Path& known) {
                return known.name == wanted && known.is_available();
            }).base();
    if (path_ == known_paths().data() + known_paths().size()) {
        std::string listed;
        for (const std::string& name : paths()) listed += (listed.empty() ? "" : ", ") + name;
        throw std::invalid_argument("this processor has no path '" + wanted + "'; it has " + listed);
    }
    mixtures_ = path_->pack(weights_);
    for (Block& block : weights_.blocks) block.first.weights = block.second.weights = {};
}

Opinion Network::evaluate(const Ground& ground, const Picture& picture, Workspace& work) const {
    return path_->forward(*this, ground, picture, work);
}

std::string Network::path() const { return path_->name; }

}  // namespace fourfall::network
