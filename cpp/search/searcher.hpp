// Owns what the engine asks of a search, whichever it is.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "game/board.hpp"
#include "search/analysis.hpp"
#include "search/limits.hpp"

namespace fourfall {

// A part of the search tree, for people and tests to look at.
struct TreeNode {
    int column;  // that led here; -1 at the root
    std::uint64_t visits;
    Score score;  // for the side that chose the column; at the root for the side to move
    std::vector<TreeNode> children;
};

// A search on boards of one geometry; what it keeps between two calls depends on its configuration.
class Searcher {
public:
    virtual ~Searcher() = default;
    // Searches a game that is not over until the limit (counted from `asked`), a proof or control.stop. Calls
    // on_snapshot, between two simulations, whenever control.snapshot_wanted is set, and clears it.
    virtual Analysis run(const Board& board, const Limit& limit, Clock::Time asked, Control& control,
                         const std::function<void(const Analysis&)>& on_snapshot) = 0;
    virtual TreeNode tree(int depth) const = 0;
};

}  // namespace fourfall
