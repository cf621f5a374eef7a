// Tactics of the next few plies by bit operations: wins, forced losses, and moves that do not lose immediately.
#pragma once

#include "game/position.hpp"

namespace fourfall::graph {

// A position and the winning cells of both sides, updated move by move: only the side that moved gets new ones.
template <class L, class Lines>
struct ThreatPosition {
    using Bits = typename L::Bits;

    Position<L> position;
    Bits my_winning_cells;     // complete four for the side to move; may contain occupied cells
    Bits their_winning_cells;  // the same for the opponent

    explicit ThreatPosition(const Position<L>& start)
        : position(start),
          my_winning_cells(Lines::completing_cells(start.mine)),
          their_winning_cells(Lines::completing_cells(start.theirs)) {}

    void play(const Bits& drop) {
        const Bits cells = Lines::completing_cells(position.mine | drop);
        position = position.play(drop);
        my_winning_cells = their_winning_cells;
        their_winning_cells = cells;
    }
};

enum class TacticalOutcome : std::uint8_t {
    kUndecided,
    kWin,         // with this stone
    kStackedWin,  // with the next stone: two winning cells on top of each other
    kLoss,        // the opponent wins with the next stone
    kDraw         // the board is full
};

template <class Bits>
struct Tactics {
    TacticalOutcome outcome;
    Bits moves;             // the winning moves of a win; if undecided, the moves that do not lose immediately
    Bits gives_up_threats;  // those of the moves that let the opponent occupy a winning cell of the side to move
};

template <class L, class Lines>
FOURFALL_FLATTENED inline Tactics<typename L::Bits> find_tactics(const ThreatPosition<L, Lines>& current,
                                                                 const Masks<L>& masks) {
    using Bits = typename L::Bits;
    const Bits occupied = current.position.occupied(masks);
    const Bits drops = L::landing_cells(occupied, masks.bottom) & masks.board;
    if (drops.none()) return {TacticalOutcome::kDraw, {}, {}};
    if (const Bits wins = drops & current.my_winning_cells; wins.any()) return {TacticalOutcome::kWin, wins, {}};
    // The cells above the drops, and above those.
    const Bits with_drops = occupied | drops;
    const Bits next_drops = L::landing_cells(with_drops, masks.bottom) & masks.board;
    Bits moves = drops;
    if (const Bits forced = drops & current.their_winning_cells; forced.any()) {
        if (forced.has_several()) return {TacticalOutcome::kLoss, {}, {}};
        moves = forced;
    }
    moves &= ~Position<L>::drops_below(masks, next_drops & current.their_winning_cells);
    if (moves.none()) return {TacticalOutcome::kLoss, {}, {}};
    const Bits second_wins = next_drops & current.my_winning_cells;
    if (second_wins.none()) return {TacticalOutcome::kUndecided, moves, {}};
    const Bits gives_up_threats = moves & Position<L>::drops_below(masks, second_wins);
    // The opponent must block on the second cell, and the third one wins.
    const Bits thirds =
        L::landing_cells(with_drops | next_drops, masks.bottom) & masks.board & current.my_winning_cells;
    if (const Bits stacked =
            gives_up_threats & Position<L>::drops_below(masks, Position<L>::drops_below(masks, thirds));
        stacked.any())
        return {TacticalOutcome::kStackedWin, stacked, {}};
    return {TacticalOutcome::kUndecided, moves, gives_up_threats};
}

}  // namespace fourfall::graph
