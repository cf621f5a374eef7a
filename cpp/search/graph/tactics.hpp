// Owns what one look at a position shows: winning cells, moves that do not lose at once, wins and losses in a few
// plies.
#pragma once

#include "game/position.hpp"

namespace fourfall::graph {

// A position with the winning cells of both sides, which are kept up to date from move to move: only the side that
// moved gets new ones.
template <class L, class Lines>
struct Scene {
    using Bits = typename L::Bits;

    Position<L> position;
    Bits my_cells;     // would complete four for the side to move; occupied cells may be among them
    Bits their_cells;  // likewise for the other side

    explicit Scene(const Position<L>& start)
        : position(start), my_cells(Lines::completing(start.mine)), their_cells(Lines::completing(start.theirs)) {}

    void play(const Bits& drop) {
        const Bits cells = Lines::completing(position.mine | drop);
        position = position.play(drop);
        my_cells = their_cells;
        their_cells = cells;
    }
};

enum class Verdict : std::uint8_t { kOpen, kWin, kStackedWin, kLoss, kDraw };

// What a look says: the game is decided (a win with this stone, with the next but one, a loss with the opponent's
// next stone, a full board), or these are the moves that make sense.
template <class Bits>
struct Look {
    Verdict verdict;
    Bits moves;      // drops after which the opponent cannot win at once; the winning ones where the verdict is a win
    Bits sacrifice;  // those of them that let the opponent block a winning cell of the mover's
};

template <class L, class Lines>
Look<typename L::Bits> look(const Scene<L, Lines>& scene, const Masks<L>& masks) {
    using Bits = typename L::Bits;
    const Bits filled = scene.position.occupied(masks);
    const Bits drops = L::landing(filled, masks.bottom) & masks.board;
    if (drops.none()) return {Verdict::kDraw, {}, {}};
    if (const Bits wins = drops & scene.my_cells; wins.any()) return {Verdict::kWin, wins, {}};
    const Bits once_more = filled | drops;
    const Bits seconds = L::landing(once_more, masks.bottom) & masks.board;
    Bits moves = drops;
    if (const Bits forced = drops & scene.their_cells; forced.any()) {
        if (forced.several()) return {Verdict::kLoss, {}, {}};
        moves = forced;
    }
    moves &= ~Position<L>::under(masks, seconds & scene.their_cells);
    if (moves.none()) return {Verdict::kLoss, {}, {}};
    const Bits second_wins = seconds & scene.my_cells;
    if (second_wins.none()) return {Verdict::kOpen, moves, {}};
    const Bits sacrifice = moves & Position<L>::under(masks, second_wins);
    // The opponent has to answer on the second cell, and the third one wins.
    const Bits thirds = L::landing(once_more | seconds, masks.bottom) & masks.board & scene.my_cells;
    if (const Bits stacked = sacrifice & Position<L>::under(masks, Position<L>::under(masks, thirds)); stacked.any())
        return {Verdict::kStackedWin, stacked, {}};
    return {Verdict::kOpen, moves, sacrifice};
}

}  // namespace fourfall::graph
