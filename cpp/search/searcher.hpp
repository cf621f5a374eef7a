// Interface of a search, as the engine uses it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "game/board.hpp"
#include "search/analysis.hpp"
#include "search/limits.hpp"

namespace fourfall {

// Copy of a part of the search tree, for display and tests.
struct TreeNode {
    int column;  // the move to this node; -1 at the root
    std::uint64_t visits;
    Score score;  // for the side that played the column; at the root for the side to move
    std::vector<TreeNode> children;
};

// A search on boards of one geometry. The configuration determines what it keeps between two calls.
class Searcher {
public:
    virtual ~Searcher() = default;
    // Searches until the limit (counted from `requested`), a proof or control.stop. The game must not be over. When
    // control.snapshot_wanted is set, clears it and calls on_snapshot between two simulations.
    virtual Analysis run(const Board& board, const Limit& limit, Clock::Time requested, Control& control,
                         const std::function<void(const Analysis&)>& on_snapshot) = 0;
    // Expected moves of the last search if `column` is played at its root, as far as they were visited. Begins with the
    // column. If the result of the column is proven, the winner's moves keep the proof. May be called from on_snapshot.
    virtual std::vector<int> column_pv(int column) const = 0;
    virtual TreeNode tree(int depth) const = 0;
};

}  // namespace fourfall
