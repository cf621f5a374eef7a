#include "search/graph/search.hpp"

#include <algorithm>
#include <utility>

#include "search/graph/network_evaluator.hpp"
#include "search/graph/phases.hpp"
#include "search/graph/rollout_evaluator.hpp"
#include "search/graph/root.hpp"

namespace fourfall::graph {

namespace {

// The solver answers many small questions: a table that stays in the processor's caches serves it best.
constexpr std::uint64_t kSolverBytes = std::uint64_t{8} << 20;

constexpr std::uint64_t solver_bytes(std::uint64_t memory_bytes) { return std::min(memory_bytes / 4, kSolverBytes); }

// For what a network has said of positions.
constexpr std::uint64_t cache_bytes(const Config& config, std::uint64_t memory_bytes) {
    return config.evaluator == EvaluatorKind::kNetwork ? memory_bytes / 8 : 0;
}

template <class L>
std::shared_ptr<const Evaluator<L>> make_evaluator(const Config& config, const Geometry& geometry, std::uint64_t seed,
                                                   std::uint64_t memory_bytes) {
    if (config.evaluator == EvaluatorKind::kRollouts)
        return std::make_shared<RolloutEvaluator<L>>(Masks<L>(geometry), config.rollouts, config.prior);
    const typename NetworkEvaluator<L>::Settings settings{config.prior, config.threads, seed,
                                                          cache_bytes(config, memory_bytes)};
    return std::make_shared<NetworkEvaluator<L>>(config.network, geometry, settings);
}

}  // namespace

// An eighth of the memory is for playing on in lost positions.
template <class L>
Search<L>::Search(const Config& config, const Geometry& geometry, std::uint64_t seed, std::uint64_t memory_bytes,
                  std::shared_ptr<const Evaluator<L>> evaluator)
    : config_(config),
      masks_(geometry),
      cells_(geometry.cells()),
      seed_(seed),
      memory_bytes_(memory_bytes),
      evaluator_(evaluator ? std::move(evaluator) : make_evaluator<L>(config, geometry, seed, memory_bytes)),
      pairing_(masks_),
      store_(masks_, memory_bytes - solver_bytes(memory_bytes) - cache_bytes(config, memory_bytes) - memory_bytes / 8),
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
