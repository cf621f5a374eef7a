// Owns the solver's memory of positions: bounds on their value, kept by how much work they cost.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "game/bits.hpp"
#include "game/key.hpp"
#include "search/pages.hpp"

namespace fourfall::solver {

// What is known of a position's value, and the move that proved it best or good enough.
struct Bounds {
    std::int8_t lower;
    std::int8_t upper;
    std::int8_t move;  // column, -1 where none is known
};

// Buckets of one cache line. Keys of one word (56 bits at most) are permuted, and bucket and check together hold all
// of their bits: what is found is the position. Longer keys are known by 64 + log2(buckets) bits of hash: among 10^9
// look-ups a wrong answer is less likely than 10^-9.
template <class L>
class Table {
public:
    using Key = typename L::Bits;
    static constexpr std::uint64_t kMinMemoryBytes = std::uint64_t{1} << 22;
    static constexpr int kSmallKeyBits = 56;

    explicit Table(std::uint64_t memory_bytes)
        : buckets_(std::bit_floor(std::max(memory_bytes, kMinMemoryBytes) / sizeof(Bucket))), memory_(buckets_) {}

    std::uint64_t memory_bytes() const { return buckets_ * sizeof(Bucket); }

    // Starts reading what find() will want.
    void prefetch(const Key& key) const { __builtin_prefetch(&memory_[place(key).bucket]); }

    bool find(const Key& key, Bounds& found) const {
        const Place at = place(key);
        for (const Entry& entry : memory_[at.bucket].entries)
            if (entry.holds(at.check)) {
                found = {entry.lower, entry.upper, static_cast<std::int8_t>(entry.move - 1)};
                return true;
            }
        return false;
    }

    // Keeps what cost the most nodes.
    void store(const Key& key, const Bounds& bounds, std::uint64_t nodes) {
        const Place at = place(key);
        Entry* victim = nullptr;
        for (Entry& entry : memory_[at.bucket].entries) {
            if (entry.holds(at.check)) {
                victim = &entry;
                break;
            }
            if (victim == nullptr || entry.work < victim->work) victim = &entry;
        }
        victim->set(at.check);
        victim->lower = bounds.lower;
        victim->upper = bounds.upper;
        victim->move = static_cast<std::uint8_t>(bounds.move + 1) & 15;
        victim->work =
            static_cast<std::uint8_t>(std::min<int>(1 + static_cast<int>(std::bit_width(nodes)) / 2, 15)) & 15;
    }

private:
    struct SmallEntry {
        std::uint32_t check_low;
        std::uint8_t check_high;
        std::int8_t lower, upper;
        std::uint8_t move : 4, work : 4;  // the column + 1; half the logarithm of the nodes, 0 in a free entry
        bool holds(std::uint64_t check) const {
            return check_low == static_cast<std::uint32_t>(check) && check_high == check >> 32 && work > 0;
        }
        void set(std::uint64_t check) {
            check_low = static_cast<std::uint32_t>(check);
            check_high = static_cast<std::uint8_t>(check >> 32);
        }
    };
    struct LargeEntry {
        std::uint64_t check;
        std::int8_t lower, upper;
        std::uint8_t move : 4, work : 4;
        bool holds(std::uint64_t wanted) const { return check == wanted && work > 0; }
        void set(std::uint64_t wanted) { check = wanted; }
    };
    using Entry = std::conditional_t<L::kWords == 1, SmallEntry, LargeEntry>;
    struct Bucket {
        std::array<Entry, 64 / sizeof(Entry)> entries;
    };
    static_assert(sizeof(Bucket) == 64);
    struct Place {
        std::uint64_t bucket, check;
    };

    Place place(const Key& key) const {
        if constexpr (L::kWords == 1) {
            // Multiplying by odd numbers and folding high bits down can both be undone: a permutation of 56 bits.
            constexpr std::uint64_t kMask = (std::uint64_t{1} << kSmallKeyBits) - 1;
            std::uint64_t x = key.word[0];
            x = (x * 0x9e3779b97f4a7c15U) & kMask;
            x ^= x >> 29;
            x = (x * 0xbf58476d1ce4e5b9U) & kMask;
            x ^= x >> 27;
            // The table has 2^16 buckets at least.
            return {x & (buckets_ - 1), x >> 16};
        } else {
            const std::uint64_t check = hash(key);
            return {scramble(check ^ key.word[0]) & (buckets_ - 1), check};
        }
    }

    std::uint64_t buckets_;
    Pages<Bucket> memory_;
};

}  // namespace fourfall::solver
