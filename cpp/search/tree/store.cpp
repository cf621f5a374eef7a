#include "search/tree/store.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace fourfall::tree {

template <class L>
Store<L>::Store(const Config& config, std::uint64_t memory_bytes, int cols)
    : config_(config), heap_(config.storage == Storage::kHeap) {
    // A tree has a node only where it has edges; a graph has one for every position and expands about one in four.
    const std::uint64_t edges_per_node = config.graph ? 4 : static_cast<std::uint64_t>(cols);
    std::uint64_t bytes_per_node = sizeof(Node) + edges_per_node * sizeof(Edge);
    if (config.graph) bytes_per_node += sizeof(Position<L>) + 2 * sizeof(NodeId);
    if (heap_) bytes_per_node += sizeof(Node*) + 2 * 16;  // the allocator's own headers
    std::uint64_t nodes = std::max(memory_bytes, kMinMemoryBytes) / bytes_per_node;
    edge_capacity_ = nodes * edges_per_node;
    if (config.capacity) {
        edge_capacity_ = std::min(edge_capacity_, std::max(*config.capacity, kMinCapacity));
        nodes = std::min(nodes, edge_capacity_);
    }
    node_capacity_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(nodes, 0xffff'fff0U));
    if (heap_) {
        slots_ = Pages<Node*>(node_capacity_ + 1);
    } else {
        pool_ = Pages<Node>(node_capacity_ + 1);
        edges_ = Pages<Edge>(edge_capacity_);
    }
    if (config.graph) {
        positions_ = Pages<Position<L>>(node_capacity_ + 1);
        buckets_ = std::bit_floor(std::max<std::uint64_t>(2 * std::uint64_t{node_capacity_} / kBucket, 1));
        table_ = Pages<NodeId>(buckets_ * kBucket);
    }
    clear();
}

template <class L>
Store<L>::~Store() {
    if (!heap_) return;
    for (NodeId id = 1; id < peak_node_; ++id) {
        if (slots_[id] != nullptr) delete[] slots_[id]->edges;
        delete slots_[id];
    }
}

template <class L>
void Store<L>::clear() {
    oldest_serial_ = next_serial_;
    free_nodes_.clear();
    for (auto& blocks : free_blocks_) blocks.clear();
    garbage_.clear();
    root_ = kNoNode;
    live_nodes_ = used_edges_ = 0;
    cycled_ = false;
    sweep_left_ = 0;
    begin_generation(0);
}

template <class L>
void Store<L>::begin_generation(int generation) {
    generation_ = generation;
    const int parts = ages() ? kGenerations : 1;
    const auto part = [&](std::uint64_t total, int at) { return total * at / parts; };
    bump_node_ = static_cast<std::uint32_t>(1 + part(node_capacity_, generation));
    node_end_ = static_cast<std::uint32_t>(1 + part(node_capacity_, generation + 1));
    bump_edge_ = part(edge_capacity_, generation);
    edge_end_ = part(edge_capacity_, generation + 1);
    first_serial_[generation] = next_serial_;
}

template <class L>
NodeId Store<L>::take_slot() {
    for (;;) {
        if (!free_nodes_.empty()) {
            const NodeId id = free_nodes_.back();
            free_nodes_.pop_back();
            return id;
        }
        if (bump_node_ < node_end_) {
            peak_node_ = std::max(peak_node_, bump_node_ + 1);
            return bump_node_++;
        }
        if (!reclaim_some()) return kNoNode;
    }
}

template <class L>
NodeId Store<L>::create(const Position<L>& position, int ply) {
    const NodeId id = take_slot();
    if (id == kNoNode) return kNoNode;
    if (heap_) {
        // What is left in the slot from before a clear() goes now: freeing it all at once would take too long.
        Node*& slot = slots_[id];
        if (slot != nullptr) delete[] slot->edges;
        delete slot;
        slot = new Node;
    }
    Node& made = node(id);
    made = Node{};
    made.serial = next_serial_++;
    made.ply = static_cast<std::uint8_t>(ply);
    ++live_nodes_;
    if (config_.graph) {
        positions_[id] = position;
        enter(id, hash_of(position));
    }
    return id;
}

template <class L>
Edge* Store<L>::take_block(int count, std::uint8_t& room) {
    for (;;) {
        for (int size = count; size <= kMaxSide; ++size) {
            if (free_blocks_[size].empty()) continue;
            Edge* block = free_blocks_[size].back();
            free_blocks_[size].pop_back();
            room = static_cast<std::uint8_t>(size);
            return block;
        }
        room = static_cast<std::uint8_t>(count);
        if (heap_ && used_edges_ + count <= edge_capacity_) return new Edge[count];
        if (!heap_ && bump_edge_ + count <= edge_end_) {
            Edge* block = &edges_[bump_edge_];
            bump_edge_ += count;
            peak_edge_ = std::max(peak_edge_, bump_edge_);
            return block;
        }
        if (!reclaim_some()) return nullptr;
    }
}

template <class L>
bool Store<L>::open(Node& node, int count) {
    assert(node.edges == nullptr);
    std::uint8_t room = 0;
    Edge* block = take_block(count, room);
    if (block == nullptr) return false;
    std::fill_n(block, count, Edge{});
    node.edges = block;
    node.block = room;
    node.count = static_cast<std::uint8_t>(count);
    used_edges_ += room;
    return true;
}

template <class L>
void Store<L>::link(Edge& edge, NodeId child) {
    edge.child = child;
    edge.serial = static_cast<std::uint32_t>(node(child).serial);
    ++node(child).references;
}

template <class L>
void Store<L>::set_root(NodeId root, const Position<L>& position, int ply) {
    if (collects()) {
        ++node(root).references;
        if (root_ != kNoNode) drop_reference(root_);
    }
    root_ = root;
    root_position_ = position;
    root_ply_ = ply;
    sweep_left_ = node_capacity_;
}

template <class L>
void Store<L>::drop_reference(NodeId id) {
    if (--node(id).references == 0) garbage_.emplace_back(id, node(id).serial);
}

template <class L>
bool Store<L>::reclaim_some() {
    if (collects()) return collect_one();
    if (scans()) return sweep_one();
    return false;
}

// Takes one node apart that nothing refers to; its children may follow.
template <class L>
bool Store<L>::collect_one() {
    if (garbage_.empty()) return false;
    const auto [id, serial] = garbage_.back();
    garbage_.pop_back();
    Node& dead = node(id);
    // Found again through the table in the meantime, or listed twice.
    if (dead.references > 0 || dead.serial != serial) return true;
    for (int i = 0; i < dead.count; ++i)
        if (const NodeId child = linked(dead.edges[i]); child != kNoNode) drop_reference(child);
    release(id);
    return true;
}

// Looks through the slots in turn for a node that the game cannot come to any more.
template <class L>
bool Store<L>::sweep_one() {
    for (; sweep_left_ > 0; --sweep_left_) {
        const NodeId id = sweep_at_;
        sweep_at_ = sweep_at_ % node_capacity_ + 1;
        if (id >= bump_node_ || !is_alive(id) || is_reachable(id)) continue;
        release(id);
        return true;
    }
    return false;
}

template <class L>
bool Store<L>::is_reachable(NodeId id) const {
    const int plies = node(id).ply - root_ply_;
    if (plies < 0) return false;
    Position<L> seen = positions_[id];
    if (plies % 2 != 0) std::swap(seen.mine, seen.theirs);
    return (root_position_.mine & ~seen.mine).none() && (root_position_.theirs & ~seen.theirs).none();
}

template <class L>
void Store<L>::release(NodeId id) {
    Node& dead = node(id);
    if (dead.edges != nullptr) {
        used_edges_ -= dead.block;
        if (heap_)
            delete[] dead.edges;
        else
            free_blocks_[dead.block].push_back(dead.edges);
        dead.edges = nullptr;
    }
    dead.serial = 0;
    dead.count = 0;
    --live_nodes_;
    free_nodes_.push_back(id);
}

template <class L>
NodeId Store<L>::make_room() {
    if (!ages()) return root_;
    const Node root = node(root_);
    const std::vector<Edge> edges(root.edges, root.edges + root.count);
    const int next = (generation_ + 1) % kGenerations;
    if (next == 0) cycled_ = true;
    // The next part of the tape is the oldest; all that was written before its successor goes with it.
    if (cycled_) oldest_serial_ = first_serial_[(next + 1) % kGenerations];
    begin_generation(next);
    if (!is_alive(root_)) {
        // The root survives its generation with all that it knows.
        root_ = create(root_position_, root_ply_);
        Node& moved = node(root_);
        [[maybe_unused]] const bool opened = open(moved, root.count);
        assert(opened);
        std::ranges::copy(edges, moved.edges);
        moved.mean = root.mean;
        moved.visits = root.visits;
        moved.opened = root.opened;
        moved.proof = root.proof;
        moved.distance = root.distance;
        moved.own = root.own;
    }
    live_nodes_ = next_serial_ - oldest_serial_;
    return root_;
}

template <class L>
std::uint64_t Store<L>::hash_of(const Position<L>& position) const {
    return hash(position.mine) ^ scramble(hash(position.theirs));
}

template <class L>
void Store<L>::enter(NodeId id, std::uint64_t hash) {
    NodeId* bucket = &table_[(hash & (buckets_ - 1)) * kBucket];
    for (int i = 0; i < kBucket; ++i) {
        if (bucket[i] != kNoNode && is_alive(bucket[i]) && bucket[i] != id) continue;
        bucket[i] = id;
        return;
    }
    // A full bucket forgets one of its positions: it stays in the graph but will not be found again.
    bucket[(hash >> 48) % kBucket] = id;
}

template <class L>
NodeId Store<L>::find(const Position<L>& position) const {
    const NodeId* bucket = &table_[(hash_of(position) & (buckets_ - 1)) * kBucket];
    for (int i = 0; i < kBucket; ++i)
        if (bucket[i] != kNoNode && is_alive(bucket[i]) && positions_[bucket[i]] == position) return bucket[i];
    return kNoNode;
}

template <class L>
std::uint64_t Store<L>::memory_bytes() const {
    std::uint64_t bytes = heap_ ? peak_node_ * sizeof(Node*) + live_nodes_ * sizeof(Node) + used_edges_ * sizeof(Edge)
                                : peak_node_ * sizeof(Node) + peak_edge_ * sizeof(Edge);
    if (config_.graph) bytes += peak_node_ * sizeof(Position<L>) + buckets_ * kBucket * sizeof(NodeId);
    return bytes;
}

#define FOURFALL_INSTANTIATE(L) template class Store<L>;
FOURFALL_FOR_EACH_LAYOUT(FOURFALL_INSTANTIATE)
#undef FOURFALL_INSTANTIATE

}  // namespace fourfall::tree
