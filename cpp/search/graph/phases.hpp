// Owns the phases of a simulation: select, arrive, expand, back up; and the calls of the solver. Included by search.cpp
// alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "game/dispatch.hpp"
#include "search/graph/search.hpp"
#include "search/graph/tactics.hpp"

namespace fourfall::graph {

template <class L>
void Search<L>::simulate(Worker& worker) {
    worker.profile.begin(simulations_.load(std::memory_order_relaxed));
    worker.path.clear();
    worker.probed = false;
    NodeId id = root_;
    Position<L> position = root_position_;
    int stones = root_stones_;
    for (bool goes_on = true; goes_on;) {
        probe(worker, id);
        Edge* edge = select(store_.node(id));
        if (edge == nullptr) {
            // Another thread may have written older bounds over the ones that settle the node.
            refresh(store_.node(id));
            break;
        }
        share(edge->visits, shared(edge->visits) + 1);
        worker.path.push_back({id, edge});
        position = position.play(position.drops(masks_) & masks_.column[edge->column]);
        ++stones;
        worker.profile.end(Phase::kSelection);
        id = arrive(worker, *edge, position, stones, goes_on);
    }
    share(worker.depth, std::max(worker.depth, static_cast<int>(worker.path.size())));
    back_up(worker);
    worker.profile.end(Phase::kBackup);
}

// The edge with the greatest value + c p sqrt(N + 1) / (1 + n) among those that may still improve on what is assured;
// none where the result is known.
template <class L>
Edge* Search<L>::select(Node<L>& node) const {
    const Bounds bounds = shared(node.bounds);
    if (bounds.is_settled()) return nullptr;
    float seen = 0;
    for (const Edge& edge : node.edges())
        if (shared(edge.visits) > 0) seen += edge.prior;
    const float unvisited = shared(node.value) - static_cast<float>(config_.first_play_urgency) * std::sqrt(seen);
    const float scale =
        static_cast<float>(config_.exploration) * std::sqrt(static_cast<float>(shared(node.visits) + 1));
    float best = 0;
    Edge* chosen = nullptr;
    for (Edge& edge : node.edges()) {
        const Bounds own = shared(edge.bounds);
        if (own.is_lost() || own.upper <= bounds.lower) continue;
        const std::uint32_t visits = shared(edge.visits);
        const float value = visits > 0 ? shared(edge.value) : clamped(unvisited, own);
        const float merit = value + scale * edge.prior / static_cast<float>(1 + visits);
        if (chosen == nullptr || merit > best) best = merit, chosen = &edge;
    }
    return chosen;
}

// Links the edge to its child, which is made if it is new. The walk goes on below a linked child that has been no more
// often visited than the edge, and through a new one with a single move, which there is nothing to choose about.
template <class L>
NodeId Search<L>::arrive(Worker& worker, Edge& edge, const Position<L>& position, int stones, bool& goes_on) {
    goes_on = false;
    const std::atomic_ref link(edge.child);
    // Pairs with the release below: who sees the link sees the node.
    NodeId id = link.load(std::memory_order_acquire);
    if (id != kNoNode) {
        goes_on = shared(store_.node(id).visits) <= shared(edge.visits);
        return id;
    }
    {
        const std::lock_guard lock(store_mutex_);
        id = store_.find(position);
    }
    if (id == kNoNode) {
        float value = 0;
        id = expand(worker, position, stones, value);
        if (id == kNoNode) {
            // The edge itself keeps the mean of what was seen.
            const float mean = shared(edge.value);
            share(edge.value,
                  clamped(mean - (value + mean) / static_cast<float>(shared(edge.visits)), shared(edge.bounds)));
            return id;
        }
        goes_on = store_.node(id).count == 1;
    }
    link.store(id, std::memory_order_release);
    return id;
}

// Evaluates a position and gives it a node; kNoNode where there is no room. `value` is for the side to move.
template <class L>
NodeId Search<L>::expand(Worker& worker, const Position<L>& position, int stones, float& value) {
    std::array<Edge, kMaxSide> edges;
    const std::size_t count = open_edges(position, stones, edges);
    worker.profile.end(Phase::kExpansion);

    Evaluation answer;
    if (!is_passed(count)) {
        const typename Evaluator<L>::Question question{position, position.safe(masks_)};
        evaluator_->evaluate({&question, 1}, {&answer, 1}, {worker.random, worker.number});
        share(worker.evaluations, worker.evaluations + (answer.is_new ? 1 : 0));
    }
    value = answer.value;
    worker.profile.end(Phase::kRollout);

    const std::span<Edge> opened(edges.data(), count);
    float best = -std::numeric_limits<float>::infinity(), total = 0;
    for (const Edge& edge : opened) best = std::max(best, answer.policy[edge.column]);
    for (Edge& edge : opened) total += edge.prior = std::exp(answer.policy[edge.column] - best);
    for (Edge& edge : opened) edge.prior /= total;
    const std::lock_guard lock(store_mutex_);
    // Another thread may have been faster.
    if (const NodeId id = store_.find(position); id != kNoNode) return id;
    const NodeId id = store_.add(position, stones, answer.value, opened);
    if (id != kNoNode) refresh(store_.node(id));
    worker.profile.end(Phase::kExpansion);
    return id;
}

// An edge for every safe move, with what a look at the position after it proves.
template <class L>
std::size_t Search<L>::open_edges(const Position<L>& position, int stones, std::array<Edge, kMaxSide>& edges) const {
    return dispatch<L>([&]<class Lines>(Lines) {
        std::size_t count = 0;
        for (Bits moves = position.safe(masks_); moves.any(); moves &= ~moves.lowest()) {
            const Bits drop = moves.lowest();
            const Scene<L, Lines> scene(position.play(drop));
            Bounds next;
            switch (look(scene, masks_).verdict) {
                case Verdict::kWin:  // not after a safe move
                    next = {won_with(stones + 2), won_with(stones + 2)};
                    break;
                case Verdict::kStackedWin:
                    next = {won_with(stones + 4), won_with(stones + 4)};
                    break;
                case Verdict::kLoss:
                    next = {lost_with(stones + 3), lost_with(stones + 3)};
                    break;
                case Verdict::kDraw:
                    next = {0, 0};
                    break;
                case Verdict::kOpen:
                    next = {lost_with(stones + 5), won_with(stones + 4)};
                    // With more cells left it hardly ever says anything.
                    if (is_near_the_end(stones)) next.narrow(promised(pairing_.bound_result(scene.position)));
            }
            const Bounds bounds = -next;
            const auto column = static_cast<std::uint8_t>(L::col_of(drop.lowest_index()));
            edges[count++] = {kNoNode, 0, clamped(0, bounds), 0, bounds, column};
        }
        return count;
    });
}

template <class L>
void Search<L>::back_up(Worker& worker) {
    for (std::size_t i = worker.path.size(); i-- > 0;) {
        Node<L>& node = store_.node(worker.path[i].node);
        Edge& edge = *worker.path[i].edge;
        if (const NodeId id = std::atomic_ref(edge.child).load(std::memory_order_acquire); id != kNoNode) {
            const Node<L>& child = store_.node(id);
            Bounds bounds = shared(edge.bounds);
            bounds.narrow(-shared(child.bounds));
            share(edge.bounds, bounds);
            share(edge.value, clamped(-shared(child.value), bounds));
        }
        refresh(node);
    }
}

// A node's value is the mean of its first evaluation and of its edges' values, each as often as it was visited; moves
// that lose do not count. Its bounds are those of its best edges.
template <class L>
void Search<L>::refresh(Node<L>& node) const {
    Bounds best{-kEnd, -kEnd};
    std::uint32_t visits = 0;
    float weight = is_passed(node.count) ? 0 : 1, sum = weight * node.first;
    for (const Edge& edge : node.edges()) {
        const Bounds bounds = shared(edge.bounds);
        best.lower = std::max(best.lower, bounds.lower);
        best.upper = std::max(best.upper, bounds.upper);
        const std::uint32_t count = shared(edge.visits);
        visits += count;
        if (bounds.is_lost()) continue;
        sum += static_cast<float>(count) * shared(edge.value);
        weight += static_cast<float>(count);
    }
    Bounds bounds = shared(node.bounds);
    bounds.narrow(best);
    share(node.bounds, bounds);
    share(node.visits, visits);
    share(node.value, clamped(weight > 0 ? sum / weight : node.first, bounds));
}

// Asks the solver about a node whenever its visits have grown fourfold, with a budget that grows alike, as long as the
// simulations have earned it. At the root a result is worth nothing without its move, so there the moves are asked
// about.
template <class L>
void Search<L>::probe(Worker& worker, NodeId id) {
    constexpr int kMaxProbes = 7;  // the last one takes some seconds
    Node<L>& node = store_.node(id);
    if (!is_near_the_end(node.stones)) return;
    const int asked = shared(node.probes);
    const SolverShare own = evaluator_->solver_share();
    if (asked >= kMaxProbes || shared(node.visits) >> (2 * asked) < own.first_visits) return;
    const std::uint64_t budget = own.first_nodes << (2 * asked);
    // The root and all other nodes together earn alike.
    constexpr std::uint64_t kInAdvance = 64;  // simulations
    const std::uint64_t earned = own.earned_nodes * (simulations_.load(std::memory_order_relaxed) + kInAdvance);
    std::uint64_t& spent = spent_[id == root_ ? 1 : 0];
    if (shared(spent) + budget > earned + own.first_nodes) return;
    const std::unique_lock lock(solver_mutex_, std::try_to_lock);
    if (!lock || shared(node.bounds).is_settled() || is_out_of_time(worker)) return;
    worker.probed = true;
    share(node.probes, static_cast<std::uint8_t>(asked + 1));
    if (id == root_) {
        probe_moves(worker, node, budget);
        return;
    }
    const Bounds found = settled(worker, node.position, node.stones, shared(node.bounds), budget, spent);
    Bounds bounds = shared(node.bounds);
    bounds.narrow(found);
    share(node.bounds, bounds);
    share(node.value, clamped(shared(node.value), bounds));
}

template <class L>
void Search<L>::probe_moves(Worker& worker, Node<L>& node, std::uint64_t budget) {
    for (Edge& edge : node.edges()) {
        if (shared(edge.bounds).is_settled()) continue;
        const Position<L> next = node.position.play(node.position.drops(masks_) & masks_.column[edge.column]);
        const Bounds found =
            -settled(worker, next, node.stones + 1, -shared(edge.bounds), budget / node.count, spent_[1]);
        Bounds bounds = shared(edge.bounds);
        bounds.narrow(found);
        share(edge.bounds, bounds);
        share(edge.value, clamped(shared(edge.value), bounds));
        if (bounds.is_won() || is_out_of_time(worker)) break;
    }
    refresh(node);
}

// Narrows the bounds of a position as far as a number of solver nodes goes, which are added to those spent: first
// whether it is lost, then whether it is won.
template <class L>
Bounds Search<L>::settled(Worker& worker, const Position<L>& position, int stones, Bounds known, std::uint64_t budget,
                          std::uint64_t& spent) {
    solver_.begin(budget, *worker.clock, solver_control_);
    for (const int alpha : {-1, 0}) {
        if (alpha < 0 ? known.lower >= 0 : known.upper <= 0) continue;
        const int solved = solver_.search(position, stones, alpha, alpha + 1);
        if (solver_.is_stopped()) break;
        known.narrow(solved <= alpha ? Bounds{-kEnd, value_of(solved, stones)}
                                     : Bounds{value_of(solved, stones), kEnd});
    }
    share(spent, spent + solver_.positions());
    return known;
}

template <class L>
Bounds Search<L>::promised(const solver::ResultBounds& promise) const {
    Bounds out;
    if (promise.lower >= 0) out.lower = promise.lower > 0 ? won_with(cells_) : Value{0};
    if (promise.upper <= 0) out.upper = promise.upper < 0 ? lost_with(cells_) : Value{0};
    return out;
}

// A value of the solver, which counts the stones that are left over, as one that counts those on the board.
template <class L>
Value Search<L>::value_of(int solved, int stones) const {
    if (solved > 0) return won_with(stones + 2 * (solver_.win_value(stones) - solved) + 1);
    if (solved < 0) return lost_with(stones + 2 * (solved - solver_.loss_value(stones)) + 2);
    return 0;
}

}  // namespace fourfall::graph
