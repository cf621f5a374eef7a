// Allocation of nodes and edges, and the transposition table.
#include "search/tree/node_pool.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "platform/heap.hpp"
#include "search/tree/reclamation.inl"

namespace fourfall::tree {
namespace {}  // namespace

template <class L>
NodePool<L>::NodePool(const TreeConfig& config, std::uint64_t memory_bytes, int cols)
    : config_(config), uses_heap_(config.storage == Storage::kHeap) {
    // A tree has a node for each expanded position; a graph has one for every position and expands about one in four.
    const std::uint64_t edges_per_node = config.graph ? 4 : static_cast<std::uint64_t>(cols);
    std::uint64_t bytes_per_node = sizeof(Node) + edges_per_node * sizeof(Edge);
    if (config.graph) bytes_per_node += sizeof(Position<L>) + 2 * sizeof(NodeId);
    if (uses_heap_) bytes_per_node += sizeof(Node*) + 2 * 16;  // headers of the allocator
    std::uint64_t nodes = std::max(memory_bytes, kMinMemoryBytes) / bytes_per_node;
    edge_capacity_ = nodes * edges_per_node;
    if (config.capacity) {
        edge_capacity_ = std::min(edge_capacity_, std::max(*config.capacity, kMinCapacity));
        nodes = std::min(nodes, edge_capacity_);
    }
    node_capacity_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(nodes, 0xffff'fff0U));
    if (uses_heap_) {
        disable_fast_bins();
        slots_ = Pages<Node*>(node_capacity_ + 1);
    } else {
        pool_ = Pages<Node>(node_capacity_ + 1);
        edges_ = Pages<Edge>(edge_capacity_);
    }
    if (config.graph) {
        positions_ = Pages<Position<L>>(node_capacity_ + 1);
        buckets_ = std::bit_floor(std::max<std::uint64_t>(2 * std::uint64_t{node_capacity_} / kBucketSize, 1));
        table_ = Pages<NodeId>(buckets_ * kBucketSize);
    }
    clear();
}

template <class L>
NodePool<L>::~NodePool() {
    if (!uses_heap_) return;
    for (NodeId id = 1; id < peak_node_; ++id) {
        if (slots_[id] != nullptr) delete[] slots_[id]->edges;
        delete slots_[id];
    }
}

template <class L>
void NodePool<L>::clear() {
    oldest_serial_ = next_serial_;
    free_nodes_.clear();
    for (auto& blocks : free_blocks_) blocks.clear();
    unreferenced_.clear();
    root_ = kNoNode;
    live_nodes_ = used_edges_ = 0;
    has_wrapped_ = false;
    scan_remaining_ = 0;
    start_generation(0);
}

template <class L>
NodeId NodePool<L>::allocate_node() {
    for (;;) {
        if (!free_nodes_.empty()) {
            const NodeId id = free_nodes_.back();
            free_nodes_.pop_back();
            return id;
        }
        if (next_node_ < node_end_) {
            peak_node_ = std::max(peak_node_, next_node_ + 1);
            return next_node_++;
        }
        if (!reclaim_node()) return kNoNode;
    }
}

template <class L>
NodeId NodePool<L>::create(const Position<L>& position, int ply) {
    const NodeId id = allocate_node();
    if (id == kNoNode) return kNoNode;
    if (uses_heap_) {
        // Frees what clear() left in this slot: freeing all slots at once in clear() would take too long.
        Node*& slot = slots_[id];
        if (slot != nullptr) delete[] slot->edges;
        delete slot;
        slot = new Node;
    }
    Node& created = node(id);
    created = Node{};
    created.serial = next_serial_++;
    created.ply = static_cast<std::uint8_t>(ply);
    ++live_nodes_;
    if (config_.graph) {
        positions_[id] = position;
        insert(id, hash_of(position));
    }
    return id;
}

template <class L>
Edge* NodePool<L>::allocate_block(int count, std::uint8_t& capacity) {
    for (;;) {
        for (int size = count; size <= kMaxSide; ++size) {
            if (free_blocks_[size].empty()) continue;
            Edge* block = free_blocks_[size].back();
            free_blocks_[size].pop_back();
            capacity = static_cast<std::uint8_t>(size);
            return block;
        }
        capacity = static_cast<std::uint8_t>(count);
        if (uses_heap_ && used_edges_ + count <= edge_capacity_) return new Edge[count];
        if (!uses_heap_ && next_edge_ + count <= edge_end_) {
            Edge* block = &edges_[next_edge_];
            next_edge_ += count;
            peak_edge_ = std::max(peak_edge_, next_edge_);
            return block;
        }
        if (!reclaim_node()) return nullptr;
    }
}

template <class L>
bool NodePool<L>::allocate_edges(Node& node, int count) {
    assert(node.edges == nullptr);
    std::uint8_t capacity = 0;
    Edge* block = allocate_block(count, capacity);
    if (block == nullptr) return false;
    std::fill_n(block, count, Edge{});
    node.edges = block;
    node.edge_capacity = capacity;
    node.edge_count = static_cast<std::uint8_t>(count);
    used_edges_ += capacity;
    return true;
}

template <class L>
void NodePool<L>::link(Edge& edge, NodeId child) {
    edge.child = child;
    edge.serial = static_cast<std::uint32_t>(node(child).serial);
    ++node(child).references;
}

template <class L>
void NodePool<L>::set_root(NodeId root, const Position<L>& position, int ply) {
    if (counts_references()) {
        ++node(root).references;
        if (root_ != kNoNode) drop_reference(root_);
    }
    root_ = root;
    root_position_ = position;
    root_ply_ = ply;
    scan_remaining_ = node_capacity_;
}

template <class L>
std::uint64_t NodePool<L>::hash_of(const Position<L>& position) const {
    return hash(position.mine) ^ mix_bits(hash(position.theirs));
}

template <class L>
void NodePool<L>::insert(NodeId id, std::uint64_t hash) {
    NodeId* bucket = &table_[(hash & (buckets_ - 1)) * kBucketSize];
    for (int i = 0; i < kBucketSize; ++i) {
        if (bucket[i] != kNoNode && is_alive(bucket[i]) && bucket[i] != id) continue;
        bucket[i] = id;
        return;
    }
    // The bucket is full: replace one entry. Its node stays in the graph, but find() no longer returns it.
    bucket[(hash >> 48) % kBucketSize] = id;
}

template <class L>
NodeId NodePool<L>::find(const Position<L>& position) const {
    const NodeId* bucket = &table_[(hash_of(position) & (buckets_ - 1)) * kBucketSize];
    for (int i = 0; i < kBucketSize; ++i)
        if (bucket[i] != kNoNode && is_alive(bucket[i]) && positions_[bucket[i]] == position) return bucket[i];
    return kNoNode;
}

template <class L>
std::uint64_t NodePool<L>::memory_bytes() const {
    std::uint64_t bytes = uses_heap_
                              ? peak_node_ * sizeof(Node*) + live_nodes_ * sizeof(Node) + used_edges_ * sizeof(Edge)
                              : peak_node_ * sizeof(Node) + peak_edge_ * sizeof(Edge);
    if (config_.graph) bytes += peak_node_ * sizeof(Position<L>) + buckets_ * kBucketSize * sizeof(NodeId);
    return bytes;
}

#define FOURFALL_INSTANTIATE(L) template class NodePool<L>;
FOURFALL_FOR_EACH_LAYOUT(FOURFALL_INSTANTIATE)
#undef FOURFALL_INSTANTIATE

}  // namespace fourfall::tree
