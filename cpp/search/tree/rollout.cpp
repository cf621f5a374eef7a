#include "search/tree/rollout.hpp"

#include "game/dispatch.hpp"

namespace fourfall::tree {
namespace {

// Draws until an open column comes up: every open column keeps its share.
template <class Bits, class Masks>
Bits draw(const Bits& drops, const Masks& masks, const ColumnLottery& lottery, Random& random) {
    Bits drop;
    do drop = drops & masks.column[lottery.draw(random)];
    while (drop.none());
    return drop;
}

// What a policy does in one position: the game ends with a result for the side to move, or a stone is dropped.
template <class Bits>
struct Step {
    bool over;
    int result;
    Bits drop;
};

template <Rollout policy, class Lines, class L>
Step<typename L::Bits> step(const Position<L>& position, const Masks<L>& masks, const ColumnLottery& lottery,
                            Random& random) {
    using Bits = typename L::Bits;
    const Bits drops = position.drops(masks);
    if (drops.none()) return {true, 0, {}};
    if constexpr (policy == Rollout::kUniform || policy == Rollout::kCentre) {
        const Bits drop = draw(drops, masks, lottery, random);
        return {Lines::has_four(position.mine | drop), 1, drop};
    }
    if constexpr (policy == Rollout::kEndTest) {
        const Bits drop = draw(drops, masks, lottery, random);
        return {(drop & Lines::completing(position.mine)).any(), 1, drop};
    }
    if ((drops & Lines::completing(position.mine)).any()) return {true, 1, {}};
    const Bits threats = Lines::completing(position.theirs);
    const Bits blocks = drops & threats;
    if constexpr (policy == Rollout::kWinBlock)
        return {false, 0, blocks.any() ? blocks.lowest() : draw(drops, masks, lottery, random)};
    if (blocks.several()) return {true, -1, {}};
    const Bits drop = blocks.any() ? blocks : draw(drops, masks, lottery, random);
    const Bits gifts = position.under(masks, position.seconds(masks) & threats);
    return {(drop & gifts).any(), -1, drop};
}

template <Rollout policy, class L>
int play_out(const Position<L>& start, const Masks<L>& masks, const ColumnLottery& lottery, Random& shared_random) {
    return dispatch<L>([&]<class Lines>(Lines) {
        Random random = shared_random;  // a local copy lives in registers
        Position<L> position = start;
        for (int sign = 1;; sign = -sign) {
            const auto [over, result, drop] = step<policy, Lines>(position, masks, lottery, random);
            if (over) {
                shared_random = random;
                return sign * result;
            }
            position = position.play(drop);
        }
    });
}

}  // namespace

template <class L>
int rollout(Rollout policy, Position<L> position, const Masks<L>& masks, const ColumnLottery& lottery, Random& random) {
    switch (policy) {
        case Rollout::kUniform:
            return play_out<Rollout::kUniform>(position, masks, lottery, random);
        case Rollout::kCentre:
            return play_out<Rollout::kCentre>(position, masks, lottery, random);
        case Rollout::kEndTest:
            return play_out<Rollout::kEndTest>(position, masks, lottery, random);
        case Rollout::kWinBlock:
            return play_out<Rollout::kWinBlock>(position, masks, lottery, random);
        case Rollout::kLookahead:
            return play_out<Rollout::kLookahead>(position, masks, lottery, random);
    }
    return 0;
}

#define FOURFALL_INSTANTIATE(L) \
    template int rollout(Rollout, Position<L>, const Masks<L>&, const ColumnLottery&, Random&);
FOURFALL_FOR_EACH_LAYOUT(FOURFALL_INSTANTIATE)
#undef FOURFALL_INSTANTIATE

}  // namespace fourfall::tree
