// Reports of a search: the analysis, the principal variation, and a part of the tree. Part of search.cpp.
#include <span>

#include "search/tree/search.hpp"

namespace fourfall::tree {

template <class L>
Analysis TreeSearch<L>::make_report() const {
    const Node& root = pool_.node(root_);
    Analysis analysis;
    for (Bits drops = root_position_.drops(masks_); drops.any(); drops &= ~drops.lowest()) {
        const int column = L::col_of(drops.lowest_index());
        analysis.columns.push_back({column, 0, Score::estimate(0), {column}});
        for (const Edge& edge : std::span(root.edges, root.edge_count))
            if (edge.column == column) analysis.columns.back() = {column, edge.visits, score_of(edge), {column}};
    }
    const Edge* best = choose_move(root);
    analysis.move = best->column;
    analysis.score = score_of(*best);
    analysis.pv = principal_variation(best);
    analysis.simulations = analysis.evaluations = simulations_;
    analysis.depth = depth_;
    analysis.reused_visits = reused_visits_;
    analysis.nodes = pool_.nodes();
    analysis.memory_bytes = pool_.memory_bytes();
    analysis.seconds = clock_.seconds();
    analysis.profile = profile_;
    return analysis;
}

template <class L>
std::vector<int> TreeSearch<L>::principal_variation(const Edge* first) const {
    std::vector<int> columns;
    for (const Edge* edge = first; edge != nullptr && columns.size() < kMaxCells;) {
        columns.push_back(edge->column);
        const NodeId child = reported_child(*edge);
        const bool has_visits = child != kNoNode && pool_.node(child).visited_edges > 0;
        edge = has_visits ? choose_among(pool_.node(child), ColumnSet().set()) : nullptr;
        if (edge != nullptr && edge->visits == 0) edge = nullptr;
    }
    return columns;
}

template <class L>
std::vector<int> TreeSearch<L>::column_pv(int column) const {
    const Node& root = pool_.node(root_);
    for (const Edge& edge : std::span(root.edges, root.edge_count))
        if (edge.column == column && edge.visits > 0) return principal_variation(&edge);
    return {column};
}

template <class L>
TreeNode TreeSearch<L>::tree(int depth) const {
    if (root_ == kNoNode || !pool_.is_alive(root_)) return {-1, 0, Score::estimate(0), {}};
    const Node& root = pool_.node(root_);
    double sum = 0;
    for (const Edge& edge : std::span(root.edges, root.edge_count)) sum += edge.visits * value_of(edge);
    const Score score = root.proof != Proof::kNone ? Score::exact(root.proof, root.distance)
                                                   : Score::estimate(root.visits > 0 ? sum / root.visits : 0);
    return report_node(-1, root.visits, score, root_, depth);
}

// The child of an edge, or kNoNode if its moves come after the end of the game: with TerminalTest::kInverted, every
// child node is a position that has ended.
template <class L>
NodeId TreeSearch<L>::reported_child(const Edge& edge) const {
    return config_.terminal_test == TerminalTest::kInverted ? kNoNode : pool_.child_of(edge);
}

template <class L>
TreeNode TreeSearch<L>::report_node(int column, std::uint64_t visits, Score score, NodeId id, int depth) const {
    TreeNode report{column, visits, score, {}};
    if (id == kNoNode || depth == 0) return report;
    const Node& node = pool_.node(id);
    for (const Edge& edge : std::span(node.edges, node.edge_count))
        if (edge.visits > 0)
            report.children.push_back(
                report_node(edge.column, edge.visits, score_of(edge), reported_child(edge), depth - 1));
    return report;
}

template <class L>
double TreeSearch<L>::value_of(const Edge& edge) const {
    if (edge.visits == 0) return 0;
    const double mean = mean_reward(edge);
    return config_.reward == Reward::kUnit ? 2 * mean - 1 : mean;
}

template <class L>
Score TreeSearch<L>::score_of(const Edge& edge) const {
    return edge.proof == Proof::kNone ? Score::estimate(value_of(edge)) : Score::exact(edge.proof, edge.distance);
}

}  // namespace fourfall::tree
