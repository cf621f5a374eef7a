// Owns the nodes of the graph: contiguous storage of a fixed size, found by position, reused without ever pausing.
//
// Nothing is collected between moves. A node is dead when its position cannot arise from the root's any more, which
// two subset tests on its stones tell. Once all storage has been handed out, every new node takes the place of a dead
// one, which a hand finds by walking round the storage a few nodes at a time. A living node links to living ones only,
// so no link ever leads to a place that was reused.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstdint>
#include <span>

#include "game/key.hpp"
#include "game/position.hpp"
#include "search/graph/bounds.hpp"
#include "search/pages.hpp"

namespace fourfall::graph {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = ~NodeId{0};

// What threads share is read and written whole but in no particular order (docs/search.md says why that is enough).
template <class T>
T shared(const T& place) {
    return std::atomic_ref(const_cast<T&>(place)).load(std::memory_order_relaxed);
}
template <class T>
void share(T& place, T value) {
    std::atomic_ref(place).store(value, std::memory_order_relaxed);
}

// A move from a node; value and bounds are those of the side that makes it. Prior and column never change.
struct Edge {
    NodeId child;  // kNoNode until a simulation has gone this way
    std::uint32_t visits;
    float value;  // of the child when it was last looked at from here; nothing before the first visit
    float prior;  // the move's share of the first impression; over all moves of the node 1
    Bounds bounds;
    std::uint8_t column;
};

// In storage a node is followed by its edges, one for every safe move, with room for one in every column.
template <class L>
struct Node {
    Position<L> position;
    NodeId next;           // in the chain of nodes whose hashes share a bucket
    std::uint32_t visits;  // of all edges together
    float value;           // for the side to move
    float first;           // what the evaluator said of it
    Bounds bounds;         // for the side to move
    std::uint8_t stones;
    std::uint8_t count;   // of edges
    std::uint8_t probes;  // how often the solver has been asked

    std::span<Edge> edges() { return {reinterpret_cast<Edge*>(this + 1), count}; }
    std::span<const Edge> edges() const { return {reinterpret_cast<const Edge*>(this + 1), count}; }
};

template <class L>
class Store {
public:
    Store(const Masks<L>& masks, std::uint64_t memory_bytes)
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

    // From now on only what can arise from this position is alive. Where that brings dead nodes back to life although
    // some have been reused, everything is forgotten instead.
    void set_root(const Position<L>& root, int stones) {
        if (reused_ && !can_arise(root, stones)) clear();
        root_ = root;
        root_stones_ = stones;
        walked_ = 0;
    }

    void clear() {
        std::fill_n(heads_.get(), buckets_, 0);
        used_ = walked_ = 0;
        reused_ = false;
    }

    NodeId find(const Position<L>& position) const {
        for (NodeId next = heads_[bucket(position)]; next != 0; next = node(next - 1).next)
            if (node(next - 1).position == position) return next - 1;
        return kNoNode;
    }

    // A node for a position that has none yet, with these edges; kNoNode where no room was found.
    NodeId add(const Position<L>& position, int stones, float value, std::span<const Edge> edges) {
        const NodeId id = place();
        if (id == kNoNode) return id;
        NodeId& head = heads_[bucket(position)];
        Node<L>* added = new (&node(id)) Node<L>{};
        added->position = position;
        added->next = head;
        added->value = added->first = value;
        added->stones = static_cast<std::uint8_t>(stones);
        added->count = static_cast<std::uint8_t>(edges.size());
        std::ranges::copy(edges, added->edges().begin());
        head = id + 1;
        return id;
    }

private:
    static constexpr std::uint64_t kSteps = 64;  // nodes the hand looks at for one new one

    std::uint64_t bucket(const Position<L>& position) const { return hash(position.key(masks_)) & (buckets_ - 1); }

    // Whether a position can arise from the root's.
    bool can_arise(const Position<L>& position, int stones) const {
        if (stones <= root_stones_) return position == root_;
        const bool same_side = (stones - root_stones_) % 2 == 0;
        const auto& mine = same_side ? position.mine : position.theirs;
        const auto& theirs = same_side ? position.theirs : position.mine;
        return (root_.mine & ~mine).none() && (root_.theirs & ~theirs).none();
    }

    NodeId place() {
        if (used_ < capacity_) return static_cast<NodeId>(used_++);
        // After a whole round under one root everything is alive.
        for (std::uint64_t step = 0; step < kSteps && walked_ < capacity_; ++step, ++walked_) {
            const NodeId id = hand_;
            hand_ = hand_ + 1 == capacity_ ? 0 : hand_ + 1;
            if (can_arise(node(id).position, node(id).stones)) continue;
            unlink(id);
            reused_ = true;
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
    std::uint64_t walked_ = 0;  // steps of the hand since the root was set
    NodeId hand_ = 0;
    bool reused_ = false;
    Pages<std::byte> memory_;
    Pages<NodeId> heads_;  // id + 1 of the first node of each chain, 0 where there is none
    Position<L> root_{};
    int root_stones_ = 0;
};

}  // namespace fourfall::graph
