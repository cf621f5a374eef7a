// Owns the random numbers: small, fast, and the same on every machine for the same seed.
#pragma once

#include <cstdint>

#include "game/key.hpp"

namespace fourfall {

// SplitMix64 (Steele, Lea, Flood 2014): a Weyl sequence, scrambled.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() { return scramble(state_ += 0x9e3779b97f4a7c15U); }

    // Exactly uniform in 0..bound-1 (Lemire 2019: multiply, and draw again in the biased sliver).
    std::uint32_t below(std::uint32_t bound) {
        std::uint64_t product = (next() >> 32) * bound;
        if (static_cast<std::uint32_t>(product) < bound) {
            const std::uint32_t sliver = -bound % bound;
            while (static_cast<std::uint32_t>(product) < sliver) product = (next() >> 32) * bound;
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

private:
    std::uint64_t state_;
};

}  // namespace fourfall
