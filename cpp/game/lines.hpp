// Detection of fours and of cells that would complete one: scalar code, and vector code for 256-bit registers.
#pragma once

#include <cstdint>

#include "game/bits.hpp"

namespace fourfall {

// Scalar code: one direction after the other.
template <class L>
struct ScalarLines {
    using Bits = typename L::Bits;
    static bool has_four(const Bits& stones) { return L::has_four(stones); }
    static Bits completing_cells(const Bits& stones) { return L::completing_cells(stones); }
};

#if defined(__GNUC__)
// For targets without 256-bit registers, where this code is compiled but never called, GCC splits the vectors into
// halves and then warns of uninitialised values without reason.
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

// Vector code: all four directions at once, one in each 64-bit lane of a 256-bit register. About twice as fast as the
// scalar code with per-lane shifts (AVX2), slower without them.
template <class L>
struct VectorLines {
    using Bits = typename L::Bits;

    static bool has_four(const Bits& stones) {
        Lanes all[kWords], pairs[kWords], found{};
        for (int i = 0; i < kWords; ++i) {
            const std::uint64_t word = stones.word[i];
            all[i] = Lanes{word, word, word, word};
        }
        for (int i = 0; i < kWords; ++i) {
            Lanes next = all[i] >> kOne;
            if (i + 1 < kWords) next |= all[i + 1] << (64 - kOne);
            pairs[i] = all[i] & next;
        }
        for (int i = 0; i < kWords; ++i) {
            Lanes next = pairs[i] >> kTwo;
            if (i + 1 < kWords) next |= pairs[i + 1] << (64 - kTwo);
            found |= pairs[i] & next;
        }
        return (found[0] | found[1] | found[2] | found[3]) != 0;
    }

    static Bits completing_cells(const Bits& stones) {
        Lanes all[kWords];
        Bits out;
        for (int i = 0; i < kWords; ++i) {
            const std::uint64_t word = stones.word[i];
            all[i] = Lanes{word, word, word, word};
        }
        for (int i = 0; i < kWords; ++i) {
            Lanes left1 = all[i] << kOne, left2 = all[i] << kTwo, left3 = all[i] << kThree;
            Lanes right1 = all[i] >> kOne, right2 = all[i] >> kTwo, right3 = all[i] >> kThree;
            if (i > 0) {
                left1 |= all[i - 1] >> (64 - kOne);
                left2 |= all[i - 1] >> (64 - kTwo);
                left3 |= all[i - 1] >> (64 - kThree);
            }
            if (i + 1 < kWords) {
                right1 |= all[i + 1] << (64 - kOne);
                right2 |= all[i + 1] << (64 - kTwo);
                right3 |= all[i + 1] << (64 - kThree);
            }
            const Lanes found = (left1 & left2 & (left3 | right1)) | (right1 & right2 & (right3 | left1));
            out.word[i] = found[0] | found[1] | found[2] | found[3];
        }
        return out;
    }

private:
    using Lanes = std::uint64_t __attribute__((vector_size(32)));
    static constexpr int kWords = L::kWords;
    static constexpr std::uint64_t kStep = L::kStride;
    static constexpr Lanes kOne{1, kStep - 1, kStep, kStep + 1};
    static constexpr Lanes kTwo{2, 2 * kStep - 2, 2 * kStep, 2 * kStep + 2};
    static constexpr Lanes kThree{3, 3 * kStep - 3, 3 * kStep, 3 * kStep + 3};
};

#pragma GCC diagnostic pop
#endif

}  // namespace fourfall
