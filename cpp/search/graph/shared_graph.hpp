// State of a graph search that all its threads share: stored nodes, root and number of simulations.
#pragma once

#include <atomic>
#include <cstdint>

#include "game/geometry.hpp"
#include "platform/mutex.hpp"
#include "search/graph/config.hpp"
#include "search/graph/node_store.hpp"

namespace fourfall::graph {

template <class L>
struct SharedGraph {
    SharedGraph(const GraphConfig& config, const Geometry& geometry, std::uint64_t memory_bytes)
        : masks(geometry),
          cells(geometry.cells()),
          lower_confidence_bound(static_cast<float>(config.lower_confidence_bound)),
          store(masks, memory_bytes) {}

    Masks<L> masks;
    int cells;
    float lower_confidence_bound;  // of the choice of the move
    mutable Mutex store_mutex;     // guards look-up and insertion; the fields of nodes are accessed without it
    NodeStore<L> store;
    NodeId root = kNoNode;  // kNoNode if the next stone or the one after it decides the game
    Position<L> root_position{};
    int root_stones = 0;
    std::uint64_t reused_visits = 0;  // visits of the root before this search
    std::atomic<std::uint64_t> simulations{0};

    // The position after a move in a column that is not full.
    Position<L> play(const Position<L>& position, int column) const {
        return position.play(position.drops(masks) & masks.column[column]);
    }
};

}  // namespace fourfall::graph
