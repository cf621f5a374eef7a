// Owns the memory of a tree search: nodes, their edges, the table of transpositions, and how all of it is reclaimed.
//
// A node is a position whose children are (or may become) known; an edge is a move from it. In a tree the statistics
// of a move live on its edge and the child node is made only when the child is expanded; in a graph several edges may
// lead to one node, so values live on nodes and an edge only counts its own visits.
//
// Nothing here ever pauses: memory that the game has left behind is reclaimed piece by piece, when new is asked for.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "game/key.hpp"
#include "game/position.hpp"
#include "search/pages.hpp"
#include "search/score.hpp"
#include "search/tree/config.hpp"

namespace fourfall::tree {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0;

struct Edge {
    double reward = 0;  // for the side that chooses: the sum over its visits; in a graph the child's last known mean
    std::uint32_t visits = 0;
    NodeId child = kNoNode;
    std::uint32_t serial = 0;  // the low half of that of the node in the child's slot when it was linked
    std::uint8_t column = 0;
    Proof proof = Proof::kNone;  // for the side that chooses
    std::uint8_t distance = 0;   // plies to the end of the game, this move included; 0 where none is kept
};
static_assert(sizeof(Edge) == 24);

struct Node {
    Edge* edges = nullptr;
    double mean = 0;           // graph only, for the side that moved here
    std::uint64_t serial = 0;  // counts all nodes ever made; 0 in a free slot
    std::uint32_t visits = 0;
    std::uint32_t references = 0;
    std::uint8_t count = 0;   // edges
    std::uint8_t opened = 0;  // of them visited
    std::uint8_t block = 0;   // edges that the block behind `edges` has room for
    std::uint8_t ply = 0;
    Proof proof = Proof::kNone;  // for the side to move
    std::uint8_t distance = 0;
    std::int8_t own = 0;  // graph only: the result of its own simulation, for the side that moved here
};
static_assert(sizeof(Node) == 40);

template <class L>
class Store {
public:
    Store(const Config& config, std::uint64_t memory_bytes, int cols);
    ~Store();
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    // The smallest budget with which a search on any board makes sense.
    static constexpr std::uint64_t kMinMemoryBytes = std::uint64_t{1} << 20;
    static constexpr std::uint64_t kMinCapacity = 1000;

    Node& node(NodeId id) { return heap_ ? *slots_[id] : pool_[id]; }
    const Node& node(NodeId id) const { return heap_ ? *slots_[id] : pool_[id]; }
    // The node an edge was linked to, unless it has been reclaimed since.
    NodeId linked(const Edge& edge) const {
        return edge.child != kNoNode && static_cast<std::uint32_t>(node(edge.child).serial) == edge.serial &&
                       is_alive(edge.child)
                   ? edge.child
                   : kNoNode;
    }
    bool is_alive(NodeId id) const { return node(id).serial >= oldest_serial_; }

    // A fresh node for a position, or kNoNode when memory is full.
    NodeId create(const Position<L>& position, int ply);
    // The node of a position in the table, or kNoNode.
    NodeId find(const Position<L>& position) const;
    // Gives a node room for `count` edges; false when memory is full.
    bool open(Node& node, int count);
    void link(Edge& edge, NodeId child);

    // Declares what the search starts from; memory that cannot be reached from there is free game from now on.
    void set_root(NodeId root, const Position<L>& position, int ply);
    // Drops everything.
    void clear();
    // Between simulations, after something could not be had: makes room if the scheme knows how. Any node may be gone
    // then but the root, which may have moved: returns it.
    NodeId make_room();

    std::uint64_t nodes() const { return live_nodes_; }
    std::uint64_t memory_bytes() const;
    bool is_half_full() const { return bump_node_ > node_end_ / 2 || used_edges_ > edge_capacity_ / 2; }

private:
    static constexpr int kGenerations = 8;
    static constexpr int kBucket = 8;

    bool collects() const { return config_.reuse && (!config_.graph || config_.reclaim == Reclaim::kReferences); }
    bool scans() const { return config_.graph && config_.reclaim == Reclaim::kScan; }
    bool ages() const { return config_.graph && config_.reclaim == Reclaim::kGenerations; }

    NodeId take_slot();
    Edge* take_block(int count, std::uint8_t& room);
    void release(NodeId id);
    void drop_reference(NodeId id);
    bool reclaim_some();
    bool collect_one();
    bool sweep_one();
    bool is_reachable(NodeId id) const;
    void begin_generation(int generation);
    void enter(NodeId id, std::uint64_t hash);
    std::uint64_t hash_of(const Position<L>& position) const;

    Config config_;
    bool heap_;
    std::uint32_t node_capacity_;
    std::uint64_t edge_capacity_;

    Pages<Node> pool_;
    Pages<Node*> slots_;
    Pages<Edge> edges_;
    Pages<Position<L>> positions_;
    Pages<NodeId> table_;
    std::uint64_t buckets_ = 0;

    std::uint32_t bump_node_ = 1, node_end_ = 1, peak_node_ = 1;
    std::uint64_t bump_edge_ = 0, edge_end_ = 0, peak_edge_ = 0, used_edges_ = 0;
    std::uint64_t live_nodes_ = 0;
    std::uint64_t next_serial_ = 1, oldest_serial_ = 1;
    int generation_ = 0;
    std::array<std::uint64_t, kGenerations> first_serial_{};
    bool cycled_ = false;

    std::vector<NodeId> free_nodes_;
    std::array<std::vector<Edge*>, kMaxSide + 1> free_blocks_;
    std::vector<std::pair<NodeId, std::uint64_t>> garbage_;  // with the serial it had then
    NodeId root_ = kNoNode;
    Position<L> root_position_{};
    int root_ply_ = 0;
    NodeId sweep_at_ = 1, sweep_left_ = 0;
};

}  // namespace fourfall::tree
