// One simulation of the graph search: selection, expansion, evaluation, backup.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "game/dispatch.hpp"
#include "search/graph/evaluator.hpp"
#include "search/graph/node_store.hpp"
#include "search/graph/shared_graph.hpp"
#include "search/graph/solver_probe.hpp"
#include "search/graph/tactics.hpp"
#include "search/graph/worker.hpp"

namespace fourfall::graph {

// Several threads may use one simulator at the same time, each with its own worker.
template <class L>
class Simulator {
public:
    Simulator(const GraphConfig& config, SharedGraph<L>& graph, const Evaluator<L>& evaluator, SolverProbe<L>& solver)
        : exploration_(static_cast<float>(config.exploration)),
          first_play_urgency_(static_cast<float>(config.first_play_urgency)),
          graph_(graph),
          evaluator_(evaluator),
          solver_(solver) {}

    void simulate(Worker& worker);

    struct ExpansionResult {
        NodeId node;       // kNoNode if no storage is free
        float evaluation;  // for the side to move
    };
    // Evaluates a position and stores it.
    ExpansionResult expand(Worker& worker, const Position<L>& position, int stones);

private:
    using Bits = typename L::Bits;

    struct Descent {
        NodeId node;
        bool continues;
    };

    Edge* select(Node<L>& node) const;
    Descent follow(Worker& worker, Edge& edge, const Position<L>& position, int stones);
    std::size_t make_edges(const Position<L>& position, int stones, std::array<Edge, kMaxSide>& edges) const;
    Evaluation evaluate(Worker& worker, const Position<L>& position) const;
    void back_up(const Worker& worker);

    float exploration_, first_play_urgency_;
    SharedGraph<L>& graph_;
    const Evaluator<L>& evaluator_;
    SolverProbe<L>& solver_;
};

template <class L>
void Simulator<L>::simulate(Worker& worker) {
    const std::uint64_t simulations = graph_.simulations.load(std::memory_order_relaxed);
    worker.profile.begin(simulations);
    worker.path.clear();
    worker.has_probed = false;
    Descent descent{graph_.root, true};
    Position<L> position = graph_.root_position;
    int stones = graph_.root_stones;
    while (descent.continues) {
        Node<L>& node = graph_.store.node(descent.node);
        if (const bool is_root = descent.node == graph_.root; solver_.is_due(node, is_root, simulations))
            worker.profile.measure_rare(
                Phase::kSolver, [&] { worker.has_probed |= solver_.run(node, is_root, simulations, *worker.clock); });
        Edge* edge = select(node);
        if (edge == nullptr) {
            // Another thread may have replaced the bounds that prove the node by older ones.
            update(node);
            break;
        }
        // Counted before the result is known, so that other threads prefer other moves.
        const std::uint32_t visits = load_relaxed(edge->visits);
        if (visits == 0) store_relaxed(edge->value, kPendingValue);
        store_relaxed(edge->visits, visits + 1);
        worker.path.push_back({descent.node, edge});
        position = graph_.play(position, edge->column);
        ++stones;
        worker.profile.end(Phase::kSelection);
        descent = follow(worker, *edge, position, stones);
    }
    store_relaxed(worker.depth, std::max(worker.depth, static_cast<int>(worker.path.size())));
    back_up(worker);
    worker.profile.end(Phase::kBackup);
}

// Returns the edge with the greatest value + c p sqrt(N + 1) / (1 + n) among those that may improve on the proven lower
// bound of the node; nullptr if the node is proven.
template <class L>
Edge* Simulator<L>::select(Node<L>& node) const {
    const ProvenBounds bounds = load_relaxed(node.bounds);
    if (bounds.is_proven()) return nullptr;
    float visited_prior = 0;
    for (const Edge& edge : node.edges())
        if (load_relaxed(edge.visits) > 0) visited_prior += edge.prior;
    const float unvisited_value = load_relaxed(node.value) - first_play_urgency_ * std::sqrt(visited_prior);
    const float scale = exploration_ * std::sqrt(static_cast<float>(load_relaxed(node.visits) + 1));
    float best = 0;
    Edge* selected = nullptr;
    for (Edge& edge : node.edges()) {
        const ProvenBounds edge_bounds = load_relaxed(edge.bounds);
        if (edge_bounds.is_lost() || edge_bounds.upper <= bounds.lower) continue;
        const std::uint32_t visits = load_relaxed(edge.visits);
        const float value = visits > 0 ? load_relaxed(edge.value) : clamp_to(edge_bounds, unvisited_value);
        const float index = value + scale * edge.prior / static_cast<float>(1 + visits);
        if (selected == nullptr || index > best) best = index, selected = &edge;
    }
    return selected;
}

// Follows `edge` to its child, creating the child if the position is new. The descent continues if the child has at
// most as many visits as the edge (a transposition that other parents have visited more often ends it), or if the child
// is new and has a single safe move.
template <class L>
auto Simulator<L>::follow(Worker& worker, Edge& edge, const Position<L>& position, int stones) -> Descent {
    if (const NodeId child = edge.load_child(); child != kNoNode)
        return {child, load_relaxed(graph_.store.node(child).visits) <= load_relaxed(edge.visits)};
    NodeId child;
    {
        const LockGuard lock(graph_.store_mutex);
        child = graph_.store.find(position);
    }
    bool continues = false;
    if (child == kNoNode) {
        const ExpansionResult expansion = expand(worker, position, stones);
        child = expansion.node;
        if (child == kNoNode) {
            // Without a node, the edge keeps the running mean of the evaluations.
            const float value = load_relaxed(edge.value);
            const float mean = value == kPendingValue ? -expansion.evaluation : value;
            const float step = (expansion.evaluation + mean) / static_cast<float>(load_relaxed(edge.visits));
            store_relaxed(edge.value, clamp_to(load_relaxed(edge.bounds), mean - step));
            return {kNoNode, false};
        }
        continues = graph_.store.node(child).edge_count == 1;
    }
    edge.link(child);
    return {child, continues};
}

template <class L>
auto Simulator<L>::expand(Worker& worker, const Position<L>& position, int stones) -> ExpansionResult {
    std::array<Edge, kMaxSide> buffer;
    const std::span<Edge> edges(buffer.data(), make_edges(position, stones, buffer));
    worker.profile.end(Phase::kExpansion);

    // With a slow evaluator, the value of a position with an only move is that of the move.
    const bool is_evaluated = edges.size() != 1 || !evaluator_.is_slow();
    const Evaluation evaluation = is_evaluated ? evaluate(worker, position) : Evaluation{};
    worker.profile.end(Phase::kEvaluation);

    float greatest = -std::numeric_limits<float>::infinity(), total = 0;
    for (const Edge& edge : edges) greatest = std::max(greatest, evaluation.logits[edge.column]);
    for (Edge& edge : edges) total += edge.prior = std::exp(evaluation.logits[edge.column] - greatest);
    for (Edge& edge : edges) edge.prior /= total;
    const LockGuard lock(graph_.store_mutex);
    // Another thread may have stored the position in the meantime.
    if (const NodeId id = graph_.store.find(position); id != kNoNode) return {id, evaluation.value};
    const NodeId id = graph_.store.add({position, stones, evaluation.value, is_evaluated, edges});
    if (id != kNoNode) update(graph_.store.node(id));
    worker.profile.end(Phase::kExpansion);
    return {id, evaluation.value};
}

template <class L>
Evaluation Simulator<L>::evaluate(Worker& worker, const Position<L>& position) const {
    Evaluation result;
    const typename Evaluator<L>::Request request{position, position.safe_drops(graph_.masks)};
    evaluator_.evaluate({&request, 1}, {&result, 1}, {worker.random, worker.number});
    store_relaxed(worker.evaluations, worker.evaluations + (result.is_cached ? 0 : 1));
    return result;
}

// Makes an edge for every safe move, with the bounds that tactics and follow-up play prove. Returns their number.
template <class L>
std::size_t Simulator<L>::make_edges(const Position<L>& position, int stones, std::array<Edge, kMaxSide>& edges) const {
    return dispatch<L>([&]<class Lines>(Lines) {
        std::size_t count = 0;
        for (Bits moves = position.safe_drops(graph_.masks); moves.any(); moves &= ~moves.lowest()) {
            const Bits drop = moves.lowest();
            const ThreatPosition<L, Lines> next(position.play(drop));
            ProvenBounds bounds;  // for the opponent
            switch (find_tactics(next, graph_.masks).outcome) {
                case TacticalOutcome::kWin:  // impossible after a safe move
                    bounds = {win_at(stones + 2), win_at(stones + 2)};
                    break;
                case TacticalOutcome::kStackedWin:
                    bounds = {win_at(stones + 4), win_at(stones + 4)};
                    break;
                case TacticalOutcome::kLoss:
                    bounds = {loss_at(stones + 3), loss_at(stones + 3)};
                    break;
                case TacticalOutcome::kDraw:
                    bounds = {0, 0};
                    break;
                case TacticalOutcome::kUndecided:
                    bounds = {loss_at(stones + 5), win_at(stones + 4)};
                    // With more free cells, follow-up play hardly ever proves anything.
                    if (solver_.is_near_end(stones)) bounds.narrow(solver_.static_bounds(next.position));
            }
            bounds = -bounds;
            const auto column = static_cast<std::uint8_t>(L::col_of(drop.lowest_index()));
            edges[count++] = {kNoNode, 0, clamp_to(bounds, 0), 0, bounds, column};
        }
        return count;
    });
}

template <class L>
void Simulator<L>::back_up(const Worker& worker) {
    for (std::size_t i = worker.path.size(); i-- > 0;) {
        Edge& edge = *worker.path[i].edge;
        if (const NodeId id = edge.load_child(); id != kNoNode) {
            const Node<L>& child = graph_.store.node(id);
            ProvenBounds bounds = load_relaxed(edge.bounds);
            bounds.narrow(-load_relaxed(child.bounds));
            store_relaxed(edge.bounds, bounds);
            store_relaxed(edge.value, clamp_to(bounds, -load_relaxed(child.value)));
        }
        update(graph_.store.node(worker.path[i].node));
    }
}

}  // namespace fourfall::graph
