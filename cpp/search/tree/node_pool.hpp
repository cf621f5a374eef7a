// Memory of the tree search: nodes, edges, the transposition table, and reclamation.
//
// A node is a position with edges; an edge is a move. In a tree, the statistics of a move are stored on its edge, and
// the child node is created when the child is expanded. In a graph, several edges may lead to one node; values are
// stored on nodes, and an edge counts only its visits.
//
// Reclamation is incremental: nodes are freed one at a time when a new one is needed, so there are no pauses.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "game/key.hpp"
#include "game/position.hpp"
#include "platform/pages.hpp"
#include "search/score.hpp"
#include "search/tree/config.hpp"

namespace fourfall::tree {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0;

// Reward, proof and distance are those of the side that makes the move.
struct Edge {
    double reward = 0;  // tree: sum over the visits; graph: last known mean of the child
    std::uint32_t visits = 0;
    NodeId child = kNoNode;
    std::uint32_t serial = 0;  // low half of the child's serial number when it was linked
    std::uint8_t column = 0;
    Proof proof = Proof::kNone;
    std::uint8_t distance = 0;  // plies to the end of the game, this move included; 0 if not known
};
static_assert(sizeof(Edge) == 24);

struct Node {
    Edge* edges = nullptr;
    double mean = 0;           // graph only: for the side that moved here
    std::uint64_t serial = 0;  // number of nodes ever created, this one included; 0 in a free slot
    std::uint32_t visits = 0;
    std::uint32_t references = 0;
    std::uint8_t edge_count = 0;
    std::uint8_t visited_edges = 0;
    std::uint8_t edge_capacity = 0;  // size of the block that `edges` points to
    std::uint8_t ply = 0;
    Proof proof = Proof::kNone;  // for the side to move
    std::uint8_t distance = 0;
    std::int8_t first_result = 0;  // graph only: result of its first visit, for the side that moved here
};
static_assert(sizeof(Node) == 40);

template <class L>
class NodePool {
public:
    NodePool(const TreeConfig& config, std::uint64_t memory_bytes, int cols);
    ~NodePool();
    NodePool(const NodePool&) = delete;
    NodePool& operator=(const NodePool&) = delete;

    // Smallest memory with which a search is useful on any board.
    static constexpr std::uint64_t kMinMemoryBytes = std::uint64_t{1} << 20;
    static constexpr std::uint64_t kMinCapacity = 1000;

    Node& node(NodeId id) { return uses_heap_ ? *slots_[id] : pool_[id]; }
    const Node& node(NodeId id) const { return uses_heap_ ? *slots_[id] : pool_[id]; }
    // Returns the node that the edge is linked to, or kNoNode if there is none or it has been reclaimed.
    NodeId child_of(const Edge& edge) const {
        return edge.child != kNoNode && static_cast<std::uint32_t>(node(edge.child).serial) == edge.serial &&
                       is_alive(edge.child)
                   ? edge.child
                   : kNoNode;
    }
    bool is_alive(NodeId id) const { return node(id).serial >= oldest_serial_; }

    // Creates a node for a position; returns kNoNode if memory is full.
    NodeId create(const Position<L>& position, int ply);
    // Returns the node of a position in the transposition table, or kNoNode. Graph only.
    NodeId find(const Position<L>& position) const;
    // Allocates `count` edges for a node; returns false if memory is full.
    bool allocate_edges(Node& node, int count);
    void link(Edge& edge, NodeId child);

    // Sets the root; nodes that are not reachable from it may be reclaimed from now on.
    void set_root(NodeId root, const Position<L>& position, int ply);
    // Drops all nodes.
    void clear();
    // Call it between simulations after an allocation failed. Drops the oldest generation if the configuration uses
    // generations. Returns the root, which may have a new id; any other node may have been dropped.
    NodeId advance_generation();

    std::uint64_t nodes() const { return live_nodes_; }
    std::uint64_t memory_bytes() const;
    bool is_half_full() const { return next_node_ > node_end_ / 2 || used_edges_ > edge_capacity_ / 2; }

private:
    static constexpr int kGenerations = 8;
    static constexpr int kBucketSize = 8;

    bool counts_references() const {
        return config_.reuse && (!config_.graph || config_.reclaim == Reclaim::kReferences);
    }
    bool scans_for_unreachable() const { return config_.graph && config_.reclaim == Reclaim::kScan; }
    bool uses_generations() const { return config_.graph && config_.reclaim == Reclaim::kGenerations; }

    NodeId allocate_node();
    Edge* allocate_block(int count, std::uint8_t& capacity);

    // Each reclaims one node, if there is one, and returns whether the allocation should be tried again.
    bool reclaim_node();
    bool reclaim_unreferenced();
    bool reclaim_unreachable();
    void release(NodeId id);
    void drop_reference(NodeId id);
    bool is_reachable(NodeId id) const;
    void start_generation(int generation);

    void insert(NodeId id, std::uint64_t hash);
    std::uint64_t hash_of(const Position<L>& position) const;

    TreeConfig config_;
    bool uses_heap_;
    std::uint32_t node_capacity_;
    std::uint64_t edge_capacity_;

    Pages<Node> pool_;              // Storage::kPool
    Pages<Edge> edges_;             // Storage::kPool
    Pages<Node*> slots_;            // Storage::kHeap
    Pages<Position<L>> positions_;  // graph only
    Pages<NodeId> table_;           // graph only: transposition table
    std::uint64_t buckets_ = 0;     // of the table

    std::uint32_t next_node_ = 1, node_end_ = 1, peak_node_ = 1;
    std::uint64_t next_edge_ = 0, edge_end_ = 0, peak_edge_ = 0, used_edges_ = 0;
    std::uint64_t live_nodes_ = 0;
    std::uint64_t next_serial_ = 1, oldest_serial_ = 1;
    int generation_ = 0;
    std::array<std::uint64_t, kGenerations> first_serial_{};
    bool has_wrapped_ = false;  // whether the last generation has been filled once

    std::vector<NodeId> free_nodes_;
    std::array<std::vector<Edge*>, kMaxSide + 1> free_blocks_;    // by size
    std::vector<std::pair<NodeId, std::uint64_t>> unreferenced_;  // with the serial number at that time
    NodeId root_ = kNoNode;
    Position<L> root_position_{};
    int root_ply_ = 0;
    NodeId scan_position_ = 1, scan_remaining_ = 0;
};

}  // namespace fourfall::tree
