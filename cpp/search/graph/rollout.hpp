// Owns the games that estimate a position: played by what each look shows, and by chance among the rest.
#pragma once

#include <cstdint>

#include "game/position.hpp"
#include "game/random.hpp"
#include "search/graph/tactics.hpp"

namespace fourfall::graph {

// One of the cells, each equally likely.
template <class Bits>
Bits drawn(Bits cells, Random& random) {
    for (auto skip = random.below(static_cast<std::uint32_t>(cells.count())); skip > 0; --skip)
        cells &= ~cells.lowest();
    return cells.lowest();
}

// The result (1 won, 0 drawn, -1 lost) of one game for the side to move. Any further preference among the moves that
// are left made the engine weaker (docs/strength.md).
template <class L, class Lines>
int rollout(Scene<L, Lines> scene, const Masks<L>& masks, Random& random) {
    for (int sign = 1;; sign = -sign) {
        const auto [verdict, moves, sacrifice] = look(scene, masks);
        switch (verdict) {
            case Verdict::kDraw:
                return 0;
            case Verdict::kWin:
            case Verdict::kStackedWin:
                return sign;
            case Verdict::kLoss:
                return -sign;
            case Verdict::kOpen:
                break;
        }
        // A winning cell that the opponent dares not open is worth keeping.
        const auto kept = moves & ~sacrifice;
        scene.play(drawn(kept.any() ? kept : moves, random));
    }
}

}  // namespace fourfall::graph
