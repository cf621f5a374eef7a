// 64-bit hashing of position keys.
#pragma once

#include <cstdint>

#include "game/bits.hpp"

namespace fourfall {

// Mixes 64 bits so that every input bit affects every output bit (finaliser of SplitMix64, Steele et al. 2014).
constexpr std::uint64_t mix_bits(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

// Equal keys of layouts with the same number of words have equal hashes. Different keys collide with probability 2^-64.
template <int kWords>
constexpr std::uint64_t hash(const Bits<kWords>& key) {
    std::uint64_t h = 0;
    for (std::uint64_t w : key.word) h = mix_bits(h ^ (w + 0x9e3779b97f4a7c15U));
    return h;
}

}  // namespace fourfall
