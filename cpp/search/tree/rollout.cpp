// Rollouts on bitboards.
#include "search/tree/rollout.hpp"

#include "game/dispatch.hpp"

namespace fourfall::tree {
namespace {

// Samples until a column is not full, so the relative weights of the open columns do not change.
template <class Bits, class Masks>
Bits sample_drop(const Bits& drops, const Masks& masks, const ColumnSampler& sampler, Random& random) {
    Bits drop;
    do drop = drops & masks.column[sampler.sample(random)];
    while (drop.none());
    return drop;
}

// Decision of a policy in one position: either the rollout ends with a result for the side to move, or a stone is
// dropped.
template <class Bits>
struct PolicyStep {
    bool is_over;
    int result;
    Bits drop;
};

template <Rollout policy, class Lines, class L>
FOURFALL_FLATTENED inline PolicyStep<typename L::Bits> apply_policy(const Position<L>& position, const Masks<L>& masks,
                                                                    const ColumnSampler& sampler, Random& random) {
    using Bits = typename L::Bits;
    const Bits drops = position.drops(masks);
    if (drops.none()) return {true, 0, {}};
    if constexpr (policy == Rollout::kUniform || policy == Rollout::kCentre) {
        const Bits drop = sample_drop(drops, masks, sampler, random);
        return {Lines::has_four(position.mine | drop), 1, drop};
    }
    if constexpr (policy == Rollout::kEndTest) {
        const Bits drop = sample_drop(drops, masks, sampler, random);
        return {(drop & Lines::completing_cells(position.mine)).any(), 1, drop};
    }
    if ((drops & Lines::completing_cells(position.mine)).any()) return {true, 1, {}};
    const Bits threats = Lines::completing_cells(position.theirs);
    const Bits blocks = drops & threats;
    if constexpr (policy == Rollout::kWinBlock)
        return {false, 0, blocks.any() ? blocks.lowest() : sample_drop(drops, masks, sampler, random)};
    if (blocks.has_several()) return {true, -1, {}};
    const Bits drop = blocks.any() ? blocks : sample_drop(drops, masks, sampler, random);
    const Bits losing_drops = position.drops_below(masks, position.next_drops(masks) & threats);
    return {(drop & losing_drops).any(), -1, drop};
}

template <Rollout policy, class L>
int play_out(const Position<L>& start, const Masks<L>& masks, const ColumnSampler& sampler, Random& shared_random) {
    return dispatch<L>([&]<class Lines>(Lines) {
        Random random = shared_random;  // a local copy can stay in registers
        Position<L> position = start;
        for (int sign = 1;; sign = -sign) {
            const auto [is_over, result, drop] = apply_policy<policy, Lines>(position, masks, sampler, random);
            if (is_over) {
                shared_random = random;
                return sign * result;
            }
            position = position.play(drop);
        }
    });
}

}  // namespace

template <class L>
int rollout(Rollout policy, Position<L> position, const Masks<L>& masks, const ColumnSampler& sampler, Random& random) {
    switch (policy) {
        case Rollout::kUniform:
            return play_out<Rollout::kUniform>(position, masks, sampler, random);
        case Rollout::kCentre:
            return play_out<Rollout::kCentre>(position, masks, sampler, random);
        case Rollout::kEndTest:
            return play_out<Rollout::kEndTest>(position, masks, sampler, random);
        case Rollout::kWinBlock:
            return play_out<Rollout::kWinBlock>(position, masks, sampler, random);
        case Rollout::kLookahead:
            return play_out<Rollout::kLookahead>(position, masks, sampler, random);
    }
    return 0;
}

#define FOURFALL_INSTANTIATE(L) \
    template int rollout(Rollout, Position<L>, const Masks<L>&, const ColumnSampler&, Random&);
FOURFALL_FOR_EACH_LAYOUT(FOURFALL_INSTANTIATE)
#undef FOURFALL_INSTANTIATE

}  // namespace fourfall::tree
