// Owns what is proven of a position: the worst and the best that can still come of it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "search/score.hpp"

namespace fourfall::graph {

// A result with its length as one number, for one side: won with the e-th stone of the game kEnd - e, lost with it
// e - kEnd, drawn 0. Sooner wins and later losses are greater, and the other side sees the negative.
using Value = std::int16_t;
inline constexpr Value kEnd = 256;

constexpr Value won_with(int stone) { return static_cast<Value>(kEnd - stone); }
constexpr Value lost_with(int stone) { return static_cast<Value>(stone - kEnd); }

// The true value lies between the two, ends included. Bounds only ever get narrower.
struct alignas(4) Bounds {
    Value lower = -kEnd;
    Value upper = kEnd;

    constexpr bool is_won() const { return lower > 0; }
    constexpr bool is_lost() const { return upper < 0; }
    constexpr bool is_drawn() const { return lower == 0 && upper == 0; }
    // Whether the result is known, its length perhaps not.
    constexpr bool is_settled() const { return is_won() || is_lost() || is_drawn(); }

    constexpr Bounds operator-() const { return {static_cast<Value>(-upper), static_cast<Value>(-lower)}; }
    constexpr void narrow(const Bounds& other) {
        lower = std::max(lower, other.lower);
        upper = std::min(upper, other.upper);
    }
    friend constexpr bool operator==(const Bounds&, const Bounds&) = default;
};

// An estimate, brought inside what is proven.
constexpr float clamped(float value, const Bounds& bounds) {
    const float low = bounds.lower > 0 ? 1.0F : bounds.lower == 0 ? 0.0F : -1.0F;
    const float high = bounds.upper < 0 ? -1.0F : bounds.upper == 0 ? 0.0F : 1.0F;
    return std::clamp(value, low, high);
}

// The score of a position with `stones` on a board of `cells`. The length of a win is the one that is assured, of a
// loss the one that cannot be exceeded.
constexpr Score score_of(const Bounds& bounds, float value, int stones, int cells) {
    if (bounds.is_won()) return Score::exact(Proof::kWin, kEnd - bounds.lower - stones);
    if (bounds.is_lost()) return Score::exact(Proof::kLoss, kEnd + bounds.upper - stones);
    if (bounds.is_drawn()) return Score::exact(Proof::kDraw, cells - stones);
    return Score::estimate(value);
}

}  // namespace fourfall::graph
