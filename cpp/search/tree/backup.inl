// Backup: updates values, visits and proofs along the path of a simulation. Part of search.cpp.
#include <span>

#include "search/tree/search.hpp"

namespace fourfall::tree {

// Adds the value to each edge of the path, with alternating sign. If a node becomes proven, its result replaces the
// value for the edges above it.
template <class L>
void TreeSearch<L>::back_up_tree(double value) {
    for (std::size_t i = path_.size(); i-- > 0;) {
        Edge& edge = *path_[i].edge;
        Node& node = pool_.node(path_[i].node);
        if (edge.visits++ == 0) ++node.visited_edges;
        ++node.visits;
        edge.reward += to_reward(value);
        if (config_.sums == Sums::kSingle) edge.reward = static_cast<float>(edge.reward);
        if (config_.proofs != Proofs::kNone && edge.proof != Proof::kNone && node.proof == Proof::kNone) {
            update_proof(node, edge);
            if (node.proof != Proof::kNone) {
                value = static_cast<double>(node.proof);
                if (i > 0) {
                    Edge& parent_edge = *path_[i - 1].edge;
                    parent_edge.proof = negate(node.proof);
                    parent_edge.distance = static_cast<std::uint8_t>(node.distance + 1);
                }
            }
        }
        value = -value;
    }
}

// Recomputes the nodes of the path from their children, so that all parents of a shared node use the same value.
template <class L>
void TreeSearch<L>::back_up_graph() {
    for (std::size_t i = path_.size(); i-- > 0;) {
        Node& node = pool_.node(path_[i].node);
        if (path_[i].edge->visits++ == 0) ++node.visited_edges;
        double sum = node.first_result;
        std::uint32_t visits = 1;
        for (Edge& edge : std::span(node.edges, node.edge_count)) {
            if (const NodeId id = pool_.child_of(edge); id != kNoNode) {
                const Node& child = pool_.node(id);
                edge.reward = child.mean;
                edge.proof = negate(child.proof);
                edge.distance = static_cast<std::uint8_t>(child.proof == Proof::kNone ? 0 : child.distance + 1);
            }
            sum -= edge.visits * edge.reward;
            visits += edge.visits;
        }
        node.visits = visits;
        node.mean = sum / visits;
        if (config_.proofs == Proofs::kNone) continue;
        if (node.proof == Proof::kNone) update_proof(node, *path_[i].edge);
        if (node.proof != Proof::kNone) node.mean = -static_cast<double>(node.proof);
    }
}

// Proves a node, for its side to move, if its edges allow it: by one winning edge, or when all edges are proven.
// `latest` is the edge that changed.
template <class L>
void TreeSearch<L>::update_proof(Node& node, const Edge& latest) const {
    bool all_proven = true;
    Proof best = Proof::kLoss;
    int distance = 0;
    for (const Edge& edge : std::span(node.edges, node.edge_count)) {
        if (edge.proof == Proof::kNone) {
            all_proven = false;
            continue;
        }
        if (edge.proof < best) continue;
        // Among equal results, take the shortest win, otherwise the longest game.
        const bool prefers_shorter = edge.proof == Proof::kWin;
        if (edge.proof > best || (prefers_shorter ? edge.distance < distance : edge.distance > distance))
            distance = edge.distance;
        best = edge.proof;
    }
    if (!all_proven && best != Proof::kWin) return;
    if (config_.proofs == Proofs::kLatest && best == Proof::kLoss) distance = latest.distance;
    node.proof = best;
    node.distance = static_cast<std::uint8_t>(distance);
}

}  // namespace fourfall::tree
