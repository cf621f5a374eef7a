// Score of a position or move for one side: an estimate, or a proven result with its distance.
#pragma once

#include <cassert>
#include <compare>
#include <cstdint>

namespace fourfall {

// Proven result for the side to move; kNone if nothing is proven.
enum class Proof : std::int8_t { kLoss = -1, kDraw = 0, kWin = 1, kNone = 2 };

// The same result for the other side.
constexpr Proof negate(Proof proof) {
    return proof == Proof::kNone ? proof : static_cast<Proof>(-static_cast<int>(proof));
}

class Score {
public:
    // Expected result between -1 (loss) and 1 (win).
    static constexpr Score estimate(double value) { return Score(Proof::kNone, value, 0); }
    // Proven result, `distance` plies before the end of the game; a win at distance 1 wins with the next stone.
    static constexpr Score exact(Proof proof, int distance) {
        assert(proof != Proof::kNone);
        return Score(proof, static_cast<double>(proof), distance);
    }

    constexpr bool is_exact() const { return proof_ != Proof::kNone; }
    constexpr Proof proof() const { return proof_; }
    constexpr double value() const { return value_; }
    constexpr double win_chance() const { return (1 + value_) / 2; }
    constexpr int distance() const { return distance_; }

    constexpr Score operator-() const { return Score(negate(proof_), -value_, distance_); }

    // Better scores are greater. Proven wins are above all estimates and proven losses below; a shorter win and a
    // longer loss are better.
    friend constexpr std::partial_ordering operator<=>(const Score& a, const Score& b) { return a.rank() <=> b.rank(); }
    friend constexpr bool operator==(const Score& a, const Score& b) {
        return a.proof_ == b.proof_ && a.value_ == b.value_ && a.distance_ == b.distance_;
    }

private:
    constexpr Score(Proof proof, double value, int distance) : proof_(proof), value_(value), distance_(distance) {}
    constexpr double rank() const {
        constexpr double kPly = 1e-3;
        if (proof_ == Proof::kWin) return 3 - kPly * distance_;
        if (proof_ == Proof::kLoss) return -3 + kPly * distance_;
        return value_;
    }

    Proof proof_;
    double value_;
    int distance_;
};

}  // namespace fourfall
