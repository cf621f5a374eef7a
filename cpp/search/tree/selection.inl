// Selection: the edge that a simulation follows from a node. Part of search.cpp.
#include <cassert>
#include <cmath>
#include <limits>
#include <span>

#include "search/tree/search.hpp"

namespace fourfall::tree {

template <class L>
Edge& TreeSearch<L>::select(Node& node) {
    assert(node.edge_count > 0);
    if (config_.expansion == Expansion::kAll || node.visited_edges == node.edge_count) return select_by_formula(node);
    if (config_.revisit_fresh)
        for (Edge& edge : std::span(node.edges, node.edge_count))
            if (edge.visits == 1 && edge.proof == Proof::kNone) return edge;
    return select_unvisited(node);
}

template <class L>
Edge& TreeSearch<L>::select_unvisited(Node& node) {
    for (;;) {
        const int column = expansion_sampler_.sample(random_);
        for (Edge& edge : std::span(node.edges, node.edge_count))
            if (edge.column == column && edge.visits == 0) return edge;
    }
}

// Returns the edge with the highest upper confidence bound. Skips proven losses if proofs are propagated.
template <class L>
Edge& TreeSearch<L>::select_by_formula(Node& node) {
    const bool is_smoothed = config_.formula == Formula::kSmoothed;
    const double numerator = bound_numerator(node);
    Edge* best = nullptr;
    double best_bound = -std::numeric_limits<double>::infinity();
    for (Edge& edge : std::span(node.edges, node.edge_count)) {
        if (config_.proofs != Proofs::kNone && edge.proof == Proof::kLoss) continue;
        if (edge.visits == 0 && !is_smoothed) return edge;
        const double bound = upper_bound(edge, numerator);
        if (bound > best_bound) best_bound = bound, best = &edge;
    }
    // If every move is a proven loss, any of them will do.
    return best != nullptr ? *best : node.edges[0];
}

// The numerator under the root of the formula, the same for all edges of a node.
template <class L>
double TreeSearch<L>::bound_numerator(const Node& node) const {
    const double log_visits = std::log(node.visits + (config_.formula == Formula::kSmoothed ? 1.001 : 0.0));
    return (config_.formula == Formula::kUcb1 ? 1.0 : 2.0) * log_visits;
}

template <class L>
double TreeSearch<L>::upper_bound(const Edge& edge, double numerator) const {
    const double visits = edge.visits + (config_.formula == Formula::kSmoothed ? 0.001 : 0.0);
    return mean_reward(edge) + config_.exploration * std::sqrt(numerator / visits);
}

template <class L>
double TreeSearch<L>::mean_reward(const Edge& edge) const {
    if (config_.graph) return to_reward(edge.reward);
    const double smoothing = config_.formula == Formula::kSmoothed ? 0.001 : 0.0;
    return edge.reward / (edge.visits + smoothing);
}

}  // namespace fourfall::tree
