// Expansion: follows an edge to its child and adds nodes to the tree or graph. Part of search.cpp.
//
// The functions that follow an edge return the value of the position if the simulation ends there, or nothing if it
// continues from edge.child.
#include "search/tree/search.hpp"

namespace fourfall::tree {

// First visit: evaluate. Second visit: expand, if there is memory, and continue below.
template <class L>
std::optional<double> TreeSearch<L>::follow_in_tree(Edge& edge, const Position<L>& position, int ply) {
    if (config_.terminal_test == TerminalTest::kInverted) return follow_inverted(edge, position, ply);
    const std::uint32_t test_at = config_.terminal_test == TerminalTest::kNew ? 0 : 1;
    if (edge.visits == test_at) test_for_end(edge, position);
    if (edge.proof != Proof::kNone) return static_cast<double>(edge.proof);
    if (edge.visits == 0) return evaluate(position);
    return expand_child(edge, position, ply);
}

// TerminalTest::kInverted. From the second visit on, a position that has not ended counts as terminal: every simulation
// ends there with a rollout. A position in which the side that moved last has four is expanded: its moves are the drops
// of its open columns, and its children follow the same rule. A full board has no moves: it is evaluated, as a draw.
template <class L>
std::optional<double> TreeSearch<L>::follow_inverted(Edge& edge, const Position<L>& position, int ply) {
    const bool is_expanded = edge.visits > 0 && position.is_lost() && position.drops(masks_).any();
    return is_expanded ? expand_child(edge, position, ply) : evaluate(position);
}

// Creates the child of an edge, if it has none. Without memory for it, the position is evaluated again.
template <class L>
std::optional<double> TreeSearch<L>::expand_child(Edge& edge, const Position<L>& position, int ply) {
    if (edge.child != kNoNode) return std::nullopt;
    const NodeId child = expand(kNoNode, position, ply);
    if (child == kNoNode) return evaluate(position);
    pool_.link(edge, child);
    profile_.end(Phase::kExpansion);
    return std::nullopt;
}

// A position that another move order reached before returns its mean; only a new position is evaluated.
template <class L>
std::optional<double> TreeSearch<L>::follow_in_graph(Edge& edge, const Position<L>& position, int ply) {
    const NodeId child = pool_.child_of(edge);
    if (child != kNoNode && pool_.node(child).proof == Proof::kNone) {
        if (pool_.node(child).edges != nullptr) return std::nullopt;
        // Without memory for its edges the simulation ends here and counts as a visit.
        const bool is_expanded = expand(child, position, ply) != kNoNode;
        profile_.end(Phase::kExpansion);
        return is_expanded ? std::nullopt : std::optional(pool_.node(child).mean);
    }
    if (child != kNoNode) return pool_.node(child).mean;
    if (const NodeId known = pool_.find(position); known != kNoNode) {
        pool_.link(edge, known);
        profile_.end(Phase::kExpansion);
        return pool_.node(known).mean;
    }
    return add_graph_node(edge, position, ply);
}

// Evaluates a new position and creates its node. Without memory the edge stores the mean of its results.
template <class L>
std::optional<double> TreeSearch<L>::add_graph_node(Edge& edge, const Position<L>& position, int ply) {
    edge.proof = Proof::kNone;
    test_for_end(edge, position);
    const double value = edge.proof != Proof::kNone ? static_cast<double>(edge.proof) : evaluate(position);
    const NodeId created = pool_.create(position, ply);
    if (created == kNoNode) {
        is_out_of_memory_ = true;
        edge.reward += (value - edge.reward) / (edge.visits + 1);
        return value;
    }
    Node& node = pool_.node(created);
    node.proof = negate(edge.proof);
    node.distance = static_cast<std::uint8_t>(edge.proof == Proof::kNone ? 0 : edge.distance - 1);
    node.first_result = static_cast<std::int8_t>(value);
    node.mean = value;
    node.visits = 1;
    pool_.link(edge, created);
    profile_.end(Phase::kExpansion);
    return value;
}

// Allocates the edges of a node, which is created if `id` is kNoNode. Returns the node, or kNoNode if memory is full.
template <class L>
NodeId TreeSearch<L>::expand(NodeId id, const Position<L>& position, int ply) {
    Bits drops = position.drops(masks_);
    if (config_.forced_replies && position.winning_drops(masks_).none())
        if (const Bits blocks = drops & L::completing_cells(position.theirs); blocks.any()) drops = blocks.lowest();
    if (id == kNoNode) id = pool_.create(position, ply);
    if (id == kNoNode || !pool_.allocate_edges(pool_.node(id), drops.count())) {
        is_out_of_memory_ = true;
        return kNoNode;
    }
    Edge* edge = pool_.node(id).edges;
    for (; drops.any(); drops &= ~drops.lowest())
        (edge++)->column = static_cast<std::uint8_t>(L::col_of(drops.lowest_index()));
    return id;
}

}  // namespace fourfall::tree
