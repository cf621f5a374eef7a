// Owns the games that a tree search plays to their end by rule and chance, on bits.
#pragma once

#include "game/position.hpp"
#include "game/random.hpp"
#include "search/tree/config.hpp"
#include "search/tree/weights.hpp"

namespace fourfall::tree {

// The result (1 won, 0 drawn, -1 lost) of one game for the side to move, which must not have lost already.
template <class L>
int rollout(Rollout policy, Position<L> position, const Masks<L>& masks, const ColumnLottery& lottery, Random& random);

// The same game, move for move, on an array of cells that is walked along the lines to find fours.
template <class L>
int array_rollout(Rollout policy, const Position<L>& position, const Masks<L>& masks, const ColumnLottery& lottery,
                  Random& random);

}  // namespace fourfall::tree
