// Chooses the move to play: proven wins first, then the most visited move that may still win.
#include "search/graph/root_choice.hpp"

#include <algorithm>
#include <tuple>

namespace fourfall::graph {

const Edge& choose_edge(std::span<const Edge> edges, const ProvenBounds& bounds) {
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
    const bool may_win = load_relaxed(most_visited.bounds).upper > std::max<ProvenValue>(proven, 0);
    const bool prefers_draw = proven >= 0 && !(may_win && load_relaxed(most_visited.value) > kMinValueOverDraw);
    return prefers_draw ? safest : most_visited;
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
