// Owns the phases of one simulation: selection, arrival, expansion, rollout, backup. Included by search.cpp alone.
#pragma once

#include <cassert>
#include <cmath>
#include <limits>
#include <span>

#include "search/tree/search.hpp"

namespace fourfall::tree {

template <class L>
Search<L>::Search(const Config& config, const Geometry& geometry, std::uint64_t seed, std::uint64_t memory_bytes)
    : config_(config),
      masks_(geometry),
      seed_(seed),
      store_(config, memory_bytes, geometry.cols()),
      expansion_lottery_(config.expansion_weights, geometry.cols()),
      rollout_lottery_(config.rollout == Rollout::kCentre ? Weights::kCentre : Weights::kUniform, geometry.cols()),
      array_rollouts_(config.representation == Representation::kArray ||
                      (config.representation == Representation::kNarrow && L::kWords > 2)) {
    path_.reserve(kMaxCells);
}

// One simulation: walk down to a position that is new or settled, value it, and pass the value up.
template <class L>
void Search<L>::simulate() {
    profile_.begin(simulations_++);
    path_.clear();
    Position<L> position = root_position_;
    NodeId id = root_;
    for (int ply = root_ply_ + 1;; ++ply) {
        Edge& edge = pick(store_.node(id));
        path_.push_back({id, &edge});
        position = position.play(position.drops(masks_) & masks_.column[edge.column]);
        profile_.end(Phase::kSelection);
        const auto value = config_.graph ? arrive_in_graph(edge, position, ply) : arrive_in_tree(edge, position, ply);
        if (value) {
            depth_ = std::max(depth_, ply - root_ply_);
            config_.graph ? back_up_graph() : back_up_tree(*value);
            profile_.end(Phase::kBackup);
            return;
        }
        id = edge.child;
    }
}

template <class L>
Edge& Search<L>::pick(Node& node) {
    assert(node.count > 0);
    if (config_.expansion == Expansion::kAll || node.opened == node.count) return select(node);
    if (config_.revisit_fresh)
        for (Edge& edge : std::span(node.edges, node.count))
            if (edge.visits == 1 && edge.proof == Proof::kNone) return edge;
    return open_next(node);
}

template <class L>
Edge& Search<L>::open_next(Node& node) {
    for (;;) {
        const int column = expansion_lottery_.draw(random_);
        for (Edge& edge : std::span(node.edges, node.count))
            if (edge.column == column && edge.visits == 0) return edge;
    }
}

template <class L>
double Search<L>::mean_of(const Edge& edge) const {
    if (config_.graph) return reward_of(edge.reward);
    const double smoothing = config_.formula == Formula::kSmoothed ? 0.001 : 0.0;
    return edge.reward / (edge.visits + smoothing);
}

template <class L>
Edge& Search<L>::select(Node& node) {
    const bool smoothed = config_.formula == Formula::kSmoothed;
    const double log_visits = std::log(node.visits + (smoothed ? 1.001 : 0.0));
    const double inside = (config_.formula == Formula::kUcb1 ? 1.0 : 2.0) * log_visits;
    Edge* best = nullptr;
    double best_index = -std::numeric_limits<double>::infinity();
    for (Edge& edge : std::span(node.edges, node.count)) {
        if (config_.proofs != Proofs::kNone && edge.proof == Proof::kLoss) continue;
        if (edge.visits == 0 && !smoothed) return edge;
        const double visits = edge.visits + (smoothed ? 0.001 : 0.0);
        const double index = mean_of(edge) + config_.exploration * std::sqrt(inside / visits);
        if (index > best_index) best_index = index, best = &edge;
    }
    // Where every move is known to lose it does not matter which one is looked at.
    return best != nullptr ? *best : node.edges[0];
}

// Records that the game is over behind an edge, or decided at once.
template <class L>
void Search<L>::examine(Edge& edge, const Position<L>& position) const {
    const auto settle = [&](Proof proof, int distance) {
        edge.proof = proof;
        edge.distance = static_cast<std::uint8_t>(distance);
    };
    if (position.is_lost())
        settle(Proof::kWin, 1);
    else if (position.drops(masks_).none())
        settle(Proof::kDraw, 1);
    else if (config_.end_on_win && position.wins(masks_).any())
        settle(Proof::kLoss, 2);
}

template <class L>
double Search<L>::roll(const Position<L>& position) {
    profile_.end(Phase::kExpansion);
    const int result = array_rollouts_ ? array_rollout(config_.rollout, position, masks_, rollout_lottery_, random_)
                                       : rollout(config_.rollout, position, masks_, rollout_lottery_, random_);
    profile_.end(Phase::kEvaluation);
    return -result;
}

// The value behind the edge if the walk ends there, nothing if it goes on to edge.child.
template <class L>
std::optional<double> Search<L>::arrive_in_tree(Edge& edge, const Position<L>& position, int ply) {
    const std::uint32_t test_at = config_.terminal_test == TerminalTest::kNew ? 0 : 1;
    if (edge.visits == test_at) examine(edge, position);
    if (edge.proof != Proof::kNone) return static_cast<double>(edge.proof);
    if (edge.visits == 0) return roll(position);
    if (edge.child == kNoNode) {
        const NodeId child = expand(kNoNode, position, ply);
        if (child == kNoNode) return roll(position);
        store_.link(edge, child);
        profile_.end(Phase::kExpansion);
    }
    return std::nullopt;
}

template <class L>
std::optional<double> Search<L>::arrive_in_graph(Edge& edge, const Position<L>& position, int ply) {
    const NodeId child = store_.linked(edge);
    if (child != kNoNode && store_.node(child).proof == Proof::kNone) {
        if (store_.node(child).edges != nullptr) return std::nullopt;
        // Without memory for its edges the walk ends here and counts as a visit.
        const bool expanded = expand(child, position, ply) != kNoNode;
        profile_.end(Phase::kExpansion);
        return expanded ? std::nullopt : std::optional(store_.node(child).mean);
    }
    if (child != kNoNode) return store_.node(child).mean;
    // A position that other moves led to before brings its value along; only a new one is played out.
    if (const NodeId known = store_.find(position); known != kNoNode) {
        store_.link(edge, known);
        profile_.end(Phase::kExpansion);
        return store_.node(known).mean;
    }
    edge.proof = Proof::kNone;
    examine(edge, position);
    const double value = edge.proof != Proof::kNone ? static_cast<double>(edge.proof) : roll(position);
    const NodeId made = store_.create(position, ply);
    if (made == kNoNode) {
        out_of_memory_ = true;
        edge.reward += (value - edge.reward) / (edge.visits + 1);
        return value;
    }
    Node& node = store_.node(made);
    node.proof = negate(edge.proof);
    node.distance = static_cast<std::uint8_t>(edge.proof == Proof::kNone ? 0 : edge.distance - 1);
    node.own = static_cast<std::int8_t>(value);
    node.mean = value;
    node.visits = 1;
    store_.link(edge, made);
    profile_.end(Phase::kExpansion);
    return value;
}

// Gives a node (a new one unless it exists) its edges; kNoNode when memory is full.
template <class L>
NodeId Search<L>::expand(NodeId id, const Position<L>& position, int ply) {
    Bits drops = position.drops(masks_);
    if (config_.forced_replies && position.wins(masks_).none())
        if (const Bits blocks = drops & L::completing(position.theirs); blocks.any()) drops = blocks.lowest();
    if (id == kNoNode) id = store_.create(position, ply);
    if (id == kNoNode || !store_.open(store_.node(id), drops.count())) {
        out_of_memory_ = true;
        return kNoNode;
    }
    Edge* edge = store_.node(id).edges;
    for (; drops.any(); drops &= ~drops.lowest())
        (edge++)->column = static_cast<std::uint8_t>(L::col_of(drops.lowest_index()));
    return id;
}

// Settles a node from its edges where they allow it, `latest` being the one that changed; from the side to move.
template <class L>
void Search<L>::update_proof(Node& node, const Edge& latest) const {
    bool complete = true;
    Proof best = Proof::kLoss;
    int distance = 0;
    for (const Edge& edge : std::span(node.edges, node.count)) {
        if (edge.proof == Proof::kNone) {
            complete = false;
            continue;
        }
        if (edge.proof < best) continue;
        // Among equal results a win is taken soonest and anything else latest.
        const bool shorter = edge.proof == Proof::kWin;
        if (edge.proof > best || (shorter ? edge.distance < distance : edge.distance > distance))
            distance = edge.distance;
        best = edge.proof;
    }
    if (!complete && best != Proof::kWin) return;
    if (config_.proofs == Proofs::kLatest && best == Proof::kLoss) distance = latest.distance;
    node.proof = best;
    node.distance = static_cast<std::uint8_t>(distance);
}

template <class L>
void Search<L>::back_up_tree(double value) {
    for (std::size_t i = path_.size(); i-- > 0;) {
        Edge& edge = *path_[i].edge;
        Node& node = store_.node(path_[i].node);
        if (edge.visits++ == 0) ++node.opened;
        ++node.visits;
        edge.reward += reward_of(value);
        if (config_.sums == Sums::kSingle) edge.reward = static_cast<float>(edge.reward);
        if (config_.proofs != Proofs::kNone && edge.proof != Proof::kNone && node.proof == Proof::kNone) {
            update_proof(node, edge);
            if (node.proof != Proof::kNone) {
                value = static_cast<double>(node.proof);
                if (i > 0) {
                    Edge& above = *path_[i - 1].edge;
                    above.proof = negate(node.proof);
                    above.distance = static_cast<std::uint8_t>(node.distance + 1);
                }
            }
        }
        value = -value;
    }
}

// Values are computed anew from the children on the way up, so that every parent of a shared node sees the same.
template <class L>
void Search<L>::back_up_graph() {
    for (std::size_t i = path_.size(); i-- > 0;) {
        Node& node = store_.node(path_[i].node);
        if (path_[i].edge->visits++ == 0) ++node.opened;
        double sum = node.own;
        std::uint32_t visits = 1;
        for (Edge& edge : std::span(node.edges, node.count)) {
            if (const NodeId child = store_.linked(edge); child != kNoNode) {
                const Node& below = store_.node(child);
                edge.reward = below.mean;
                edge.proof = negate(below.proof);
                edge.distance = static_cast<std::uint8_t>(below.proof == Proof::kNone ? 0 : below.distance + 1);
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

}  // namespace fourfall::tree
