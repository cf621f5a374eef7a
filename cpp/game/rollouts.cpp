// Plays uniform random games in the fastest layout that holds the board.
#include "game/rollouts.hpp"

#include <algorithm>

#include "game/dispatch.hpp"
#include "game/random.hpp"

namespace fourfall {
namespace {

constexpr std::uint64_t kGamesPerPoll = 4096;

// Adds to `counts`, where `first` is the side to move in `start`.
template <class L>
void play_games(const Position<L>& start, const Masks<L>& masks, std::uint64_t games, Random& shared_random,
                RolloutCounts& counts) {
    dispatch<L>([&]<class Lines>(Lines) {
        Random random = shared_random;  // a local copy stays in registers
        for (std::uint64_t game = 0; game < games; ++game) {
            Position<L> position = start;
            for (int ply = 0;; ++ply) {
                const auto drops = position.drops(masks);
                if (drops.none()) {
                    ++counts.draws;
                    counts.plies += ply;
                    break;
                }
                // Draw columns until one is not full: uniform among the legal ones, and fast because few columns are
                // full.
                typename L::Bits drop;
                do drop = drops & masks.column[random.below(masks.cols)];
                while (drop.none());
                position = position.play(drop);
                if (Lines::has_four(position.theirs)) {
                    ++(ply % 2 == 0 ? counts.first : counts.second);
                    counts.plies += ply + 1;
                    break;
                }
            }
        }
        shared_random = random;
    });
}

}  // namespace

RolloutCounts rollouts(const Board& board, std::uint64_t games, std::uint64_t seed, const Poll& poll) {
    RolloutCounts counts;
    if (const auto outcome = board.outcome()) {
        (!outcome->winner ? counts.draws : *outcome->winner == 0 ? counts.first : counts.second) = games;
        return counts;
    }
    with_layout(board.geometry().rows(), board.geometry().cols(), [&]<class L>(L) {
        const Masks<L> masks(board.geometry());
        const Position<L> start = convert_layout<L, WideLayout>(board.position());
        Random random(seed);
        for (std::uint64_t done = 0; done < games; done += kGamesPerPoll) {
            play_games(start, masks, std::min(kGamesPerPoll, games - done), random, counts);
            poll();
        }
    });
    if (board.turn() == 1) std::swap(counts.first, counts.second);
    return counts;
}

}  // namespace fourfall
