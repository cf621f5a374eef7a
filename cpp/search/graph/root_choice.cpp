// Chooses the move to play: proven wins first, then the best move that may still win.
#include "search/graph/root_choice.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>

namespace fourfall::graph {

namespace {

// The edge with the greatest value - factor / sqrt(visits) among those that may be better than `proven` and have at
// least a fifth of the visits of the most visited one of them.
const Edge& find_greatest_lower_bound(std::span<const Edge> edges, const Edge& most_visited, ProvenValue proven,
                                      float factor) {
    constexpr std::uint32_t kVisitsDivisor = 5;
    const std::uint32_t min_visits = std::max(load_relaxed(most_visited.visits) / kVisitsDivisor, 1U);
    const Edge* best = &most_visited;
    float greatest = -std::numeric_limits<float>::infinity();
    for (const Edge& edge : edges) {
        const ProvenBounds bounds = load_relaxed(edge.bounds);
        const std::uint32_t visits = load_relaxed(edge.visits);
        if (visits < min_visits || bounds.is_lost() || bounds.upper <= proven) continue;
        const float bound = load_relaxed(edge.value) - factor / std::sqrt(static_cast<float>(visits));
        if (bound > greatest) greatest = bound, best = &edge;
    }
    return *best;
}

}  // namespace

const Edge& choose_edge(std::span<const Edge> edges, const ProvenBounds& bounds, float lower_confidence_bound) {
    constexpr float kMinValueOverDraw = 0.1F;
    const auto best_by = [&](const auto& rank) -> const Edge& { return *std::ranges::max_element(edges, {}, rank); };
    const Edge& safest = best_by([](const Edge& edge) {
        const ProvenBounds edge_bounds = load_relaxed(edge.bounds);
        return std::tuple(edge_bounds.lower, edge_bounds.upper, load_relaxed(edge.visits));
    });
    if (load_relaxed(safest.bounds).is_won()) return safest;
    if (bounds.is_lost())
        return best_by(
            [](const Edge& edge) { return std::tuple(load_relaxed(edge.bounds).upper, load_relaxed(edge.visits)); });
    const ProvenValue proven = load_relaxed(safest.bounds).lower;
    const Edge& most_visited = best_by([&](const Edge& edge) {
        const ProvenBounds edge_bounds = load_relaxed(edge.bounds);
        return std::tuple(!edge_bounds.is_lost() && edge_bounds.upper > proven, load_relaxed(edge.visits), edge.prior);
    });
    const Edge& candidate = lower_confidence_bound > 0
                                ? find_greatest_lower_bound(edges, most_visited, proven, lower_confidence_bound)
                                : most_visited;
    const bool may_win = load_relaxed(candidate.bounds).upper > std::max<ProvenValue>(proven, 0);
    const bool prefers_draw = proven >= 0 && !(may_win && load_relaxed(candidate.value) > kMinValueOverDraw);
    return prefers_draw ? safest : candidate;
}

bool is_choice_final(std::span<const Edge> edges, const Edge& chosen, double simulations) {
    std::uint32_t second = 0;
    bool has_alternative = false;
    for (const Edge& edge : edges) {
        if (&edge == &chosen || load_relaxed(edge.bounds).is_lost()) continue;
        has_alternative = true;
        second = std::max(second, load_relaxed(edge.visits));
    }
    return !has_alternative || static_cast<double>(load_relaxed(chosen.visits)) > second + simulations;
}

}  // namespace fourfall::graph
