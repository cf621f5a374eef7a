// Random number generator; the same seed gives the same numbers on every machine.
#pragma once

#include <cstdint>

#include "game/key.hpp"

namespace fourfall {

// SplitMix64 (Steele, Lea, Flood 2014): a mixed Weyl sequence.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() { return mix_bits(state_ += 0x9e3779b97f4a7c15U); }

    // Exactly uniform in 0..bound-1 (Lemire 2019: multiply; reject products in the biased range).
    std::uint32_t below(std::uint32_t bound) {
        std::uint64_t product = (next() >> 32) * bound;
        if (static_cast<std::uint32_t>(product) < bound) {
            const std::uint32_t biased_range = -bound % bound;
            while (static_cast<std::uint32_t>(product) < biased_range) product = (next() >> 32) * bound;
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

private:
    std::uint64_t state_;
};

}  // namespace fourfall
