// Node storage of the graph search: a hash table of fixed size with clock-sweep eviction.
//
// There is no garbage collection between moves. A node is unreachable when its position can no longer arise from the
// root position; two subset tests on the stones decide this. When the storage is full, each new node replaces an
// unreachable one, which a clock sweep over the storage finds in a few steps. A reachable node has links to reachable
// nodes only, so no link ever leads to a replaced node.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <span>

#include "game/key.hpp"
#include "game/position.hpp"
#include "platform/pages.hpp"
#include "search/graph/node.hpp"

namespace fourfall::graph {

template <class L>
class NodeStore {
public:
    NodeStore(const Masks<L>& masks, std::uint64_t memory_bytes)
        : masks_(masks),
          stride_(sizeof(Node<L>) + static_cast<std::uint64_t>(masks.cols) * sizeof(Edge)),
          capacity_(std::min<std::uint64_t>(memory_bytes / (stride_ + sizeof(NodeId)), kNoNode - 1)),
          buckets_(std::bit_floor(capacity_)),
          memory_(capacity_ * stride_),
          heads_(buckets_) {}

    Node<L>& node(NodeId id) { return *reinterpret_cast<Node<L>*>(memory_.get() + id * stride_); }
    const Node<L>& node(NodeId id) const { return *reinterpret_cast<const Node<L>*>(memory_.get() + id * stride_); }
    std::uint64_t nodes() const { return used_; }
    std::uint64_t memory_bytes() const { return used_ * stride_ + buckets_ * sizeof(NodeId); }

    // Sets the position from which nodes must be reachable. A new root that is not reachable from the old one would
    // make unreachable nodes reachable again; if some of those were replaced, all nodes are dropped.
    void set_root(const Position<L>& root, int stones) {
        if (has_replaced_ && !is_reachable(root, stones)) clear();
        root_ = root;
        root_stones_ = stones;
        swept_ = 0;
    }

    void clear() {
        std::fill_n(heads_.get(), buckets_, 0);
        used_ = swept_ = 0;
        has_replaced_ = false;
    }

    NodeId find(const Position<L>& position) const {
        for (NodeId next = heads_[bucket(position)]; next != 0; next = node(next - 1).next)
            if (node(next - 1).position == position) return next - 1;
        return kNoNode;
    }

    struct NewNode {
        const Position<L>& position;
        int stones;
        float evaluation;
        bool is_evaluated;
        std::span<const Edge> edges;
    };
    // Stores a position that is not stored yet. Returns kNoNode if no storage is free.
    NodeId add(const NewNode& made) {
        const NodeId id = allocate();
        if (id == kNoNode) return id;
        NodeId& head = heads_[bucket(made.position)];
        Node<L>* added = new (&node(id)) Node<L>{};
        added->position = made.position;
        added->next = head;
        added->value = added->evaluation = made.evaluation;
        added->is_evaluated = made.is_evaluated;
        added->stones = static_cast<std::uint8_t>(made.stones);
        added->edge_count = static_cast<std::uint8_t>(made.edges.size());
        std::ranges::copy(made.edges, added->edges().begin());
        head = id + 1;
        return id;
    }

private:
    static constexpr std::uint64_t kMaxSweep = 64;  // nodes tested per allocation

    std::uint64_t bucket(const Position<L>& position) const { return hash(position.key(masks_)) & (buckets_ - 1); }

    // Whether the position can arise from the root position.
    bool is_reachable(const Position<L>& position, int stones) const {
        if (stones <= root_stones_) return position == root_;
        const bool same_side = (stones - root_stones_) % 2 == 0;
        const auto& mine = same_side ? position.mine : position.theirs;
        const auto& theirs = same_side ? position.theirs : position.mine;
        return (root_.mine & ~mine).none() && (root_.theirs & ~theirs).none();
    }

    NodeId allocate() {
        if (used_ < capacity_) return static_cast<NodeId>(used_++);
        // After one whole round under the same root, every node is reachable.
        for (std::uint64_t step = 0; step < kMaxSweep && swept_ < capacity_; ++step, ++swept_) {
            const NodeId id = sweep_position_;
            sweep_position_ = sweep_position_ + 1 == capacity_ ? 0 : sweep_position_ + 1;
            if (is_reachable(node(id).position, node(id).stones)) continue;
            unlink(id);
            has_replaced_ = true;
            return id;
        }
        return kNoNode;
    }

    void unlink(NodeId id) {
        NodeId* link = &heads_[bucket(node(id).position)];
        while (*link != id + 1) {
            assert(*link != 0);
            link = &node(*link - 1).next;
        }
        *link = node(id).next;
    }

    Masks<L> masks_;
    std::uint64_t stride_, capacity_, buckets_, used_ = 0;
    std::uint64_t swept_ = 0;  // nodes tested since the root was set
    NodeId sweep_position_ = 0;
    bool has_replaced_ = false;
    Pages<std::byte> memory_;
    Pages<NodeId> heads_;  // id + 1 of the first node of each bucket's chain, 0 if the bucket is empty
    Position<L> root_{};
    int root_stones_ = 0;
};

}  // namespace fourfall::graph
