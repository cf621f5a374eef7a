// Chooses the move to play from the edges of a node.
#pragma once

#include <span>

#include "search/graph/node.hpp"
#include "search/graph/proven_bounds.hpp"

namespace fourfall::graph {

// Returns, in this order of preference:
// 1. the shortest proven win;
// 2. the most visited move that may be better than what is proven, unless a draw is proven and the value of that move
//    is at most 0.1: then the draw;
// 3. if all moves lose, the loss with the greatest upper bound on its distance.
// `bounds` are those of the node.
const Edge& choose_edge(std::span<const Edge> edges, const ProvenBounds& bounds);

// Whether `simulations` more cannot make another move than `chosen` the most visited one.
bool is_choice_final(std::span<const Edge> edges, const Edge& chosen, double simulations);

}  // namespace fourfall::graph
