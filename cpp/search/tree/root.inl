// Set-up of the root: reuse of nodes from the previous search. Part of search.cpp.
#include <algorithm>
#include <span>

#include "search/tree/search.hpp"

namespace fourfall::tree {

template <class L>
void TreeSearch<L>::set_up_root(const Board& board) {
    root_position_ = convert_layout<L, WideLayout>(board.position());
    root_ply_ = board.ply();
    root_ = find_reusable_root(board);
    if (root_ == kNoNode || pool_.node(root_).edges == nullptr) root_ = expand(root_, root_position_, root_ply_);
    if (root_ == kNoNode) {
        pool_.clear();
        root_ = expand(kNoNode, root_position_, root_ply_);
    }
    is_out_of_memory_ = false;
    // A proven node may have no visited edge, but the search must return a move: search it without its proof.
    if (Node& root = pool_.node(root_); root.visited_edges == 0) root.proof = Proof::kNone;
    pool_.set_root(root_, root_position_, root_ply_);
    root_moves_.assign(board.moves().begin(), board.moves().end());
}

// Returns the node that an earlier search created for this position, or kNoNode.
template <class L>
NodeId TreeSearch<L>::find_reusable_root(const Board& board) {
    if (!config_.reuse || (config_.graph && config_.reclaim == Reclaim::kRestart && pool_.is_half_full())) {
        pool_.clear();
        return kNoNode;
    }
    if (config_.graph) return pool_.find(root_position_);
    const auto moves = board.moves();
    if (root_ == kNoNode || moves.size() < root_moves_.size() ||
        !std::ranges::equal(root_moves_, moves.first(root_moves_.size())))
        return kNoNode;
    NodeId id = root_;
    for (const int column : moves.subspan(root_moves_.size())) {
        const auto edges = std::span(pool_.node(id).edges, pool_.node(id).edge_count);
        const auto edge = std::ranges::find(edges, column, &Edge::column);
        if (edge == edges.end() || edge->child == kNoNode) return kNoNode;
        id = edge->child;
    }
    return id;
}

}  // namespace fourfall::tree
