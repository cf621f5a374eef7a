// Nodes and edges of the search graph, and the formula for the value of a node.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>

#include "game/position.hpp"
#include "search/graph/proven_bounds.hpp"

namespace fourfall::graph {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = ~NodeId{0};

// Threads read and write shared fields atomically but without ordering; docs/graph_search.md explains why that is
// enough.
template <class T>
T load_relaxed(const T& field) {
    return std::atomic_ref(const_cast<T&>(field)).load(std::memory_order_relaxed);
}
template <class T>
void store_relaxed(T& field, T value) {
    std::atomic_ref(field).store(value, std::memory_order_relaxed);
}

// Value of an edge while the result of its first visit is not known: less than any result, so that other threads select
// other moves.
inline constexpr float kPendingValue = -2;

// A move from a node. Value and bounds are for the side that makes the move. Prior and column never change.
struct Edge {
    NodeId child;  // kNoNode until a simulation links it
    std::uint32_t visits;
    float value;  // negated value of the child at the last backup through this edge; meaningless before the first visit
    float prior;  // probability of the move; the priors of a node add up to 1
    ProvenBounds bounds;
    std::uint8_t column;

    NodeId load_child() const { return std::atomic_ref(const_cast<NodeId&>(child)).load(std::memory_order_acquire); }
    // A thread that loads the link also sees the complete node.
    void link(NodeId id) { std::atomic_ref(child).store(id, std::memory_order_release); }
};

// A stored position. Its edges, one for every safe move, follow it in storage; there is room for one per column.
template <class L>
struct Node {
    Position<L> position;
    NodeId next;           // next node in the chain of a hash bucket
    std::uint32_t visits;  // sum over the edges
    float value;           // for the side to move
    float evaluation;      // result of the evaluator, for the side to move
    ProvenBounds bounds;   // for the side to move
    std::uint8_t stones;
    std::uint8_t edge_count;
    std::uint8_t solver_probes;  // number of solver calls on this position
    bool is_evaluated;           // false for an only move that skipped the evaluator

    std::span<Edge> edges() { return {reinterpret_cast<Edge*>(this + 1), edge_count}; }
    std::span<const Edge> edges() const { return {reinterpret_cast<const Edge*>(this + 1), edge_count}; }
};

// Recomputes value, visits and bounds of a node from its edges. The value is the mean of the evaluation and of the edge
// values, weighted by visits; moves that are proven lost do not count. The bounds are those of the best edges.
template <class L>
void update(Node<L>& node) {
    ProvenBounds best{-kWinBase, -kWinBase};
    std::uint32_t visits = 0;
    float weight = node.is_evaluated ? 1 : 0, sum = weight * node.evaluation;
    for (const Edge& edge : node.edges()) {
        const ProvenBounds bounds = load_relaxed(edge.bounds);
        best.lower = std::max(best.lower, bounds.lower);
        best.upper = std::max(best.upper, bounds.upper);
        const std::uint32_t count = load_relaxed(edge.visits);
        visits += count;
        const float value = load_relaxed(edge.value);
        if (bounds.is_lost() || value == kPendingValue) continue;
        sum += static_cast<float>(count) * value;
        weight += static_cast<float>(count);
    }
    ProvenBounds bounds = load_relaxed(node.bounds);
    bounds.narrow(best);
    store_relaxed(node.bounds, bounds);
    store_relaxed(node.visits, visits);
    store_relaxed(node.value, clamp_to(bounds, weight > 0 ? sum / weight : node.evaluation));
}

}  // namespace fourfall::graph
