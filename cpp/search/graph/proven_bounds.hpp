// Proven lower and upper bounds on the result of a position.
#pragma once

#include <algorithm>
#include <cstdint>

#include "search/score.hpp"

namespace fourfall::graph {

// A result and its distance as one number, for one side: won with the e-th stone of the game is kWinBase - e, lost with
// it e - kWinBase, drawn 0. Earlier wins and later losses are greater; the value for the other side is the negative.
using ProvenValue = std::int16_t;
inline constexpr ProvenValue kWinBase = 256;

constexpr ProvenValue win_at(int stone) { return static_cast<ProvenValue>(kWinBase - stone); }
constexpr ProvenValue loss_at(int stone) { return static_cast<ProvenValue>(stone - kWinBase); }

// The true value is in [lower, upper]. Bounds of a position only become narrower.
struct alignas(4) ProvenBounds {
    ProvenValue lower = -kWinBase;
    ProvenValue upper = kWinBase;

    constexpr bool is_won() const { return lower > 0; }
    constexpr bool is_lost() const { return upper < 0; }
    constexpr bool is_drawn() const { return lower == 0 && upper == 0; }
    // Whether the result is proven; its distance may still be unknown.
    constexpr bool is_proven() const { return is_won() || is_lost() || is_drawn(); }

    constexpr ProvenBounds operator-() const {
        return {static_cast<ProvenValue>(-upper), static_cast<ProvenValue>(-lower)};
    }
    constexpr void narrow(const ProvenBounds& other) {
        lower = std::max(lower, other.lower);
        upper = std::min(upper, other.upper);
    }
    friend constexpr bool operator==(const ProvenBounds&, const ProvenBounds&) = default;
};

// Moves an estimated value into the range that the bounds allow.
constexpr float clamp_to(const ProvenBounds& bounds, float value) {
    const float low = bounds.lower > 0 ? 1.0F : bounds.lower == 0 ? 0.0F : -1.0F;
    const float high = bounds.upper < 0 ? -1.0F : bounds.upper == 0 ? 0.0F : 1.0F;
    return std::clamp(value, low, high);
}

// Score of a position with `stones` stones on a board of `cells` cells. The distance of a win is the longest that the
// bounds allow, and so is that of a loss.
constexpr Score make_score(const ProvenBounds& bounds, float value, int stones, int cells) {
    if (bounds.is_won()) return Score::exact(Proof::kWin, kWinBase - bounds.lower - stones);
    if (bounds.is_lost()) return Score::exact(Proof::kLoss, kWinBase + bounds.upper - stones);
    if (bounds.is_drawn()) return Score::exact(Proof::kDraw, cells - stones);
    return Score::estimate(value);
}

}  // namespace fourfall::graph
