// Rollouts of the tree search: games played to the end by a random policy.
#pragma once

#include "game/position.hpp"
#include "game/random.hpp"
#include "search/tree/column_sampler.hpp"
#include "search/tree/config.hpp"

namespace fourfall::tree {

// Plays one rollout on bitboards. Returns 1 (win), 0 (draw) or -1 (loss) for the side to move, which must not have lost
// already.
template <class L>
int rollout(Rollout policy, Position<L> position, const Masks<L>& masks, const ColumnSampler& sampler, Random& random);

// Plays the same rollout, move for move, on an array of cells that is scanned along the lines to find fours.
template <class L>
int array_rollout(Rollout policy, const Position<L>& position, const Masks<L>& masks, const ColumnSampler& sampler,
                  Random& random);

}  // namespace fourfall::tree
