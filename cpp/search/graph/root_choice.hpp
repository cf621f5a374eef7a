// Chooses the move to play from the edges of a node.
#pragma once

#include <span>

#include "search/graph/node.hpp"
#include "search/graph/proven_bounds.hpp"

namespace fourfall::graph {

// Returns, in this order of preference:
// 1. the shortest proven win;
// 2. among the moves that may be better than what is proven: if `lower_confidence_bound` is 0, the most visited one,
//    otherwise, of those with at least a fifth of the most visits, the one with the greatest
//    value - lower_confidence_bound / sqrt(visits); but the draw, if one is proven and that value is at most 0.1;
// 3. if all moves lose, the loss with the greatest upper bound on its distance.
// `bounds` are those of the node.
const Edge& choose_edge(std::span<const Edge> edges, const ProvenBounds& bounds, float lower_confidence_bound);

// Whether `chosen` is the most visited move and `simulations` more cannot make another one the most visited.
bool is_choice_final(std::span<const Edge> edges, const Edge& chosen, double simulations);

}  // namespace fourfall::graph
