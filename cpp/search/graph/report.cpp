// Builds the analysis of the root, the principal variation and copies of the tree.
#include "search/graph/report.hpp"

#include <algorithm>

#include "search/graph/root_choice.hpp"

namespace fourfall::graph {
namespace {

template <class L>
const Edge& choose_edge(const SharedGraph<L>& graph, const Node<L>& node) {
    return choose_edge(node.edges(), load_relaxed(node.bounds), graph.lower_confidence_bound);
}

// Score of a legal move at the root.
template <class L>
ColumnAnalysis report_column(const SharedGraph<L>& graph, const typename L::Bits& drop) {
    const int column = L::col_of(drop.lowest_index());
    if ((drop & graph.root_position.winning_drops(graph.masks)).any())
        return {column, 0, Score::exact(Proof::kWin, 1), {column}};
    if (graph.root != kNoNode) {
        const Node<L>& root = graph.store.node(graph.root);
        for (const Edge& edge : root.edges())
            if (edge.column == column) {
                const std::uint32_t visits = load_relaxed(edge.visits);
                const float value = load_relaxed(edge.value);
                const bool is_known = visits > 0 && value != kPendingValue;
                return {column,
                        visits,
                        make_score(load_relaxed(edge.bounds), is_known ? value : load_relaxed(root.value),
                                   graph.root_stones, graph.cells),
                        {column}};
            }
    }
    // Moves without an edge: they lose to the reply, or fill the board.
    const Position<L> next = graph.root_position.play(drop);
    if (next.winning_drops(graph.masks).any()) return {column, 0, Score::exact(Proof::kLoss, 2), {column}};
    return {
        column, 0, graph.root_stones + 1 == graph.cells ? Score::exact(Proof::kDraw, 1) : Score::estimate(0), {column}};
}

// A winning move, otherwise a block, otherwise none.
template <class L>
typename L::Bits win_or_block(const Position<L>& position, const Masks<L>& masks) {
    const auto drops = position.drops(masks);
    const auto wins = drops & L::completing_cells(position.mine);
    return wins.any() ? wins : drops & L::completing_cells(position.theirs);
}

// Where a variation ends: with the last visited node, or before a node that is known to be won, but not by which move.
enum class PvEnd : std::uint8_t { kVisited, kProven };

// The chosen moves as far as they were visited, beginning with `move`, whose edge is `edge` if it has one. If the
// result is proven, wins and blocks continue the variation.
template <class L>
std::vector<int> principal_variation(const SharedGraph<L>& graph, int move, const Edge* edge, bool is_proven,
                                     PvEnd end) {
    std::vector<int> pv;
    Position<L> position = graph.root_position;
    const auto add = [&](int column) {
        pv.push_back(column);
        position = graph.play(position, column);
    };
    add(move);
    while (edge != nullptr) {
        const NodeId id = edge->load_child();
        const bool is_visited = id != kNoNode && load_relaxed(graph.store.node(id).visits) > 0;
        edge = is_visited ? &choose_edge(graph, graph.store.node(id)) : nullptr;
        if (end == PvEnd::kProven && edge != nullptr && load_relaxed(graph.store.node(id).bounds).is_won() &&
            !load_relaxed(edge->bounds).is_won())
            edge = nullptr;
        if (edge != nullptr) add(edge->column);
    }
    while (is_proven && !position.is_lost()) {
        const auto forced = win_or_block(position, graph.masks);
        if (forced.none()) break;
        add(L::col_of(forced.lowest_index()));
    }
    return pv;
}

template <class L>
TreeNode copy_node(const SharedGraph<L>& graph, NodeId id, TreeNode out, int depth) {
    if (id == kNoNode || depth == 0) return out;
    const Node<L>& node = graph.store.node(id);
    for (const Edge& edge : node.edges()) {
        if (edge.visits == 0) continue;
        const Score score = make_score(edge.bounds, edge.value, node.stones, graph.cells);
        out.children.push_back(copy_node(graph, edge.child, {edge.column, edge.visits, score, {}}, depth - 1));
    }
    return out;
}

}  // namespace

template <class L>
Analysis report_root(const SharedGraph<L>& graph) {
    Analysis analysis;
    const auto drops = graph.root_position.drops(graph.masks);
    for (auto left = drops; left.any(); left &= ~left.lowest())
        analysis.columns.push_back(report_column(graph, left.lowest()));
    if (graph.root != kNoNode) {
        analysis.move = choose_edge(graph, graph.store.node(graph.root)).column;
    } else {
        const auto best = win_or_block(graph.root_position, graph.masks);
        analysis.move = L::col_of((best.any() ? best : drops).lowest_index());
    }
    analysis.score = std::ranges::find(analysis.columns, analysis.move, &ColumnAnalysis::column)->score;
    const Edge* chosen = graph.root == kNoNode ? nullptr : &choose_edge(graph, graph.store.node(graph.root));
    analysis.pv = principal_variation(graph, analysis.move, chosen, analysis.score.is_exact(), PvEnd::kVisited);
    analysis.simulations = graph.simulations.load(std::memory_order_relaxed);
    analysis.reused_visits = graph.reused_visits;
    const LockGuard lock(graph.store_mutex);
    analysis.nodes = graph.store.nodes();
    analysis.memory_bytes = graph.store.memory_bytes();
    return analysis;
}

template <class L>
std::vector<int> report_column_pv(const SharedGraph<L>& graph, int column) {
    if (graph.root != kNoNode)
        for (const Edge& edge : graph.store.node(graph.root).edges())
            if (edge.column == column)
                return principal_variation(graph, column, &edge, load_relaxed(edge.bounds).is_proven(), PvEnd::kProven);
    return {column};
}

template <class L>
TreeNode report_tree(const SharedGraph<L>& graph, int depth) {
    if (graph.root == kNoNode) return {-1, 0, Score::estimate(0), {}};
    const Node<L>& root = graph.store.node(graph.root);
    const Score score = make_score(root.bounds, root.value, graph.root_stones, graph.cells);
    return copy_node(graph, graph.root, {-1, root.visits, score, {}}, depth);
}

#define FOURFALL_INSTANTIATE(L)                                             \
    template Analysis report_root(const SharedGraph<L>&);                   \
    template std::vector<int> report_column_pv(const SharedGraph<L>&, int); \
    template TreeNode report_tree(const SharedGraph<L>&, int);
FOURFALL_FOR_EACH_LAYOUT(FOURFALL_INSTANTIATE)
#undef FOURFALL_INSTANTIATE

}  // namespace fourfall::graph
