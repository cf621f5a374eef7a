// Reclamation of nodes: reference counting, scanning for unreachable nodes, and generations. Part of node_pool.cpp.
#include <algorithm>
#include <cassert>

#include "search/tree/node_pool.hpp"

namespace fourfall::tree {

template <class L>
bool NodePool<L>::reclaim_node() {
    if (counts_references()) return reclaim_unreferenced();
    if (scans_for_unreachable()) return reclaim_unreachable();
    return false;
}

template <class L>
void NodePool<L>::drop_reference(NodeId id) {
    if (--node(id).references == 0) unreferenced_.emplace_back(id, node(id).serial);
}

// Releases one node without references. Its children lose a reference each and may be next.
template <class L>
bool NodePool<L>::reclaim_unreferenced() {
    if (unreferenced_.empty()) return false;
    const auto [id, serial] = unreferenced_.back();
    unreferenced_.pop_back();
    Node& dead = node(id);
    // Found again through the transposition table since, or listed twice.
    if (dead.references > 0 || dead.serial != serial) return true;
    for (int i = 0; i < dead.edge_count; ++i)
        if (const NodeId child = child_of(dead.edges[i]); child != kNoNode) drop_reference(child);
    release(id);
    return true;
}

// Scans the slots in turn for a node that is not reachable from the root. One full scan per root is enough.
template <class L>
bool NodePool<L>::reclaim_unreachable() {
    for (; scan_remaining_ > 0; --scan_remaining_) {
        const NodeId id = scan_position_;
        scan_position_ = scan_position_ % node_capacity_ + 1;
        if (id >= next_node_ || !is_alive(id) || is_reachable(id)) continue;
        release(id);
        return true;
    }
    return false;
}

// A position can arise from the root only if it contains all stones of the root.
template <class L>
bool NodePool<L>::is_reachable(NodeId id) const {
    const int plies = node(id).ply - root_ply_;
    if (plies < 0) return false;
    Position<L> position = positions_[id];
    if (plies % 2 != 0) std::swap(position.mine, position.theirs);
    return (root_position_.mine & ~position.mine).none() && (root_position_.theirs & ~position.theirs).none();
}

template <class L>
void NodePool<L>::release(NodeId id) {
    Node& dead = node(id);
    if (dead.edges != nullptr) {
        used_edges_ -= dead.edge_capacity;
        if (uses_heap_)
            delete[] dead.edges;
        else
            free_blocks_[dead.edge_capacity].push_back(dead.edges);
        dead.edges = nullptr;
    }
    dead.serial = 0;
    dead.edge_count = 0;
    --live_nodes_;
    free_nodes_.push_back(id);
}

template <class L>
void NodePool<L>::start_generation(int generation) {
    generation_ = generation;
    const int parts = uses_generations() ? kGenerations : 1;
    const auto part_start = [&](std::uint64_t total, int index) { return total * index / parts; };
    next_node_ = static_cast<std::uint32_t>(1 + part_start(node_capacity_, generation));
    node_end_ = static_cast<std::uint32_t>(1 + part_start(node_capacity_, generation + 1));
    next_edge_ = part_start(edge_capacity_, generation);
    edge_end_ = part_start(edge_capacity_, generation + 1);
    first_serial_[generation] = next_serial_;
}

template <class L>
NodeId NodePool<L>::advance_generation() {
    if (!uses_generations()) return root_;
    const Node root = node(root_);
    const std::vector<Edge> edges(root.edges, root.edges + root.edge_count);
    const int next = (generation_ + 1) % kGenerations;
    if (next == 0) has_wrapped_ = true;
    // The next part of the memory holds the oldest generation: drop every node created before the one after it.
    if (has_wrapped_) oldest_serial_ = first_serial_[(next + 1) % kGenerations];
    start_generation(next);
    if (!is_alive(root_)) {
        // The root is copied into the new generation with its edges and statistics.
        root_ = create(root_position_, root_ply_);
        Node& moved = node(root_);
        [[maybe_unused]] const bool allocated = allocate_edges(moved, root.edge_count);
        assert(allocated);
        std::ranges::copy(edges, moved.edges);
        moved.mean = root.mean;
        moved.visits = root.visits;
        moved.visited_edges = root.visited_edges;
        moved.proof = root.proof;
        moved.distance = root.distance;
        moved.first_result = root.first_result;
    }
    live_nodes_ = next_serial_ - oldest_serial_;
    return root_;
}

}  // namespace fourfall::tree
