// Interface of a search, as the engine uses it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
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
    using OnSnapshot = std::function<void(const Analysis&)>;

    // Starts a search, which ends at the limit (counted from `requested`), with a proof or on control.stop. The game
    // must not be over. `control` must exist until the search has ended or the next one starts.
    virtual void start(const Board& board, const Limit& limit, Clock::Time requested, Control& control) = 0;
    // Searches until the end of the search and returns true, or until about `pause_at` and returns false; then the next
    // call continues the search as if it had not been interrupted. When control.snapshot_wanted is set, clears it and
    // calls on_snapshot between two simulations.
    virtual bool advance(std::optional<Clock::Time> pause_at, const OnSnapshot& on_snapshot) = 0;
    // Result of the search so far; `stopped_by` is empty until it has ended.
    virtual Analysis report() const = 0;

    // Searches without a pause and returns the result.
    Analysis run(const Board& board, const Limit& limit, Clock::Time requested, Control& control,
                 const OnSnapshot& on_snapshot) {
        start(board, limit, requested, control);
        advance(std::nullopt, on_snapshot);
        return report();
    }
    // Expected moves of the last search if `column` is played at its root, as far as they were visited. Begins with the
    // column. If the result of the column is proven, the winner's moves keep the proof. May be called from on_snapshot.
    virtual std::vector<int> column_pv(int column) const = 0;
    virtual TreeNode tree(int depth) const = 0;
};

}  // namespace fourfall
