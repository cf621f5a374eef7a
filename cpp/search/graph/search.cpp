#include "search/graph/search.hpp"

#include "search/graph/phases.hpp"
#include "search/graph/root.hpp"

namespace fourfall::graph {

// A quarter of the memory is the solver's.
template <class L>
Search<L>::Search(const Config& config, const Geometry& geometry, std::uint64_t seed, std::uint64_t memory_bytes)
    : config_(config),
      masks_(geometry),
      cells_(geometry.cells()),
      seed_(seed),
      evaluator_(std::make_unique<RolloutEvaluator<L>>(masks_, config.rollouts, config.prior)),
      pairing_(masks_),
      store_(masks_, memory_bytes - memory_bytes / 4),
      solver_(geometry, memory_bytes / 4),
      clocks_(static_cast<std::size_t>(config.threads)) {}

std::unique_ptr<Searcher> make_searcher(const Config& config, const Geometry& geometry, std::uint64_t seed,
                                        std::uint64_t memory_bytes) {
    const auto make = [&]<class L>(L) -> std::unique_ptr<Searcher> {
        return std::make_unique<Search<L>>(config, geometry, seed, memory_bytes);
    };
    return solver::with_solver_layout(geometry, make);
}

}  // namespace fourfall::graph
