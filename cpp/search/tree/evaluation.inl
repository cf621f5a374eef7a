// Evaluation of a position: the result of a finished game, or a rollout. Part of search.cpp.
#include "search/tree/search.hpp"

namespace fourfall::tree {

// Sets the proof of an edge that ends the game. With TreeConfig::end_on_win, a position with an immediate win counts as
// an end too.
template <class L>
void TreeSearch<L>::test_for_end(Edge& edge, const Position<L>& position) const {
    const auto set_proof = [&](Proof proof, int distance) {
        edge.proof = proof;
        edge.distance = static_cast<std::uint8_t>(distance);
    };
    if (position.is_lost())
        set_proof(Proof::kWin, 1);
    else if (position.drops(masks_).none())
        set_proof(Proof::kDraw, 1);
    else if (config_.end_on_win && position.winning_drops(masks_).any())
        set_proof(Proof::kLoss, 2);
}

// Returns the result of one rollout, for the side that moved to the position.
template <class L>
double TreeSearch<L>::evaluate(const Position<L>& position) {
    profile_.end(Phase::kExpansion);
    const int result = uses_array_rollouts_
                           ? array_rollout(config_.rollout, position, masks_, rollout_sampler_, random_)
                           : rollout(config_.rollout, position, masks_, rollout_sampler_, random_);
    profile_.end(Phase::kEvaluation);
    return -result;
}

}  // namespace fourfall::tree
