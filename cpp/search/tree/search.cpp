#include "search/tree/search.hpp"

#include "search/tree/phases.hpp"
#include "search/tree/root.hpp"

namespace fourfall::tree {

std::unique_ptr<Searcher> make_searcher(const Config& config, const Geometry& geometry, std::uint64_t seed,
                                        std::uint64_t memory_bytes) {
    const auto make = [&]<class L>(L) -> std::unique_ptr<Searcher> {
        return std::make_unique<Search<L>>(config, geometry, seed, memory_bytes);
    };
    if (config.representation == Representation::kWide) return make(WideLayout{});
    return with_layout(geometry.rows(), geometry.cols(), make);
}

}  // namespace fourfall::tree
