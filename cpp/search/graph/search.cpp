#include "search/graph/search.hpp"

#include <algorithm>

#include "search/graph/phases.hpp"
#include "search/graph/root.hpp"

namespace fourfall::graph {

namespace {

// The solver answers many small questions: a table that stays in the processor's caches serves it best.
constexpr std::uint64_t kSolverBytes = std::uint64_t{8} << 20;

constexpr std::uint64_t solver_bytes(std::uint64_t memory_bytes) { return std::min(memory_bytes / 4, kSolverBytes); }

}  // namespace

// An eighth of the memory is for playing on in lost positions.
template <class L>
Search<L>::Search(const Config& config, const Geometry& geometry, std::uint64_t seed, std::uint64_t memory_bytes)
    : config_(config),
      masks_(geometry),
      cells_(geometry.cells()),
      seed_(seed),
      memory_bytes_(memory_bytes),
      evaluator_(std::make_unique<RolloutEvaluator<L>>(masks_, config.rollouts, config.prior)),
      pairing_(masks_),
      store_(masks_, memory_bytes - solver_bytes(memory_bytes) - memory_bytes / 8),
      solver_(geometry, solver_bytes(memory_bytes)),
      clocks_(static_cast<std::size_t>(config.threads)) {}

std::unique_ptr<Searcher> make_searcher(const Config& config, const Geometry& geometry, std::uint64_t seed,
                                        std::uint64_t memory_bytes) {
    const auto make = [&]<class L>(L) -> std::unique_ptr<Searcher> {
        return std::make_unique<Search<L>>(config, geometry, seed, memory_bytes);
    };
    return solver::with_solver_layout(geometry, make);
}

}  // namespace fourfall::graph
