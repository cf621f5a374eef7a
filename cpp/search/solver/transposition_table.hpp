// Transposition table of the solver: bounds on the value of positions. Entries that took the most work are kept.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "game/bits.hpp"
#include "game/key.hpp"
#include "platform/processor.hpp"
#include "search/solver/table_memory.hpp"

namespace fourfall::solver {

// Bounds on the value of a position, and the best move or the move that caused a cut-off.
struct TableBounds {
    std::int8_t lower;
    std::int8_t upper;
    std::int8_t move;  // column, or -1 if unknown
};

// A bucket is one cache line. A key of one word (at most 56 bits) is permuted, and bucket index and check together
// contain all of its bits, so a match is exact. Longer keys are identified by 64 + log2(buckets) bits of hash: the
// probability of a wrong match in 10^9 look-ups is less than 10^-9.
template <class L>
class TranspositionTable {
public:
    using Key = typename L::Bits;
    static constexpr int kSmallKeyBits = 56;

    // The memory must be empty.
    explicit TranspositionTable(std::shared_ptr<TableMemory> memory)
        : memory_(std::move(memory)),
          buckets_(reinterpret_cast<Bucket*>(memory_->get())),
          bucket_mask_(memory_->count() - 1) {}

    std::uint64_t memory_bytes() const { return memory_->count() * sizeof(Bucket); }

    // Prefetches the bucket that find() reads.
    void prefetch(const Key& key) const { fourfall::prefetch(&buckets_[locate(key).bucket]); }

    bool find(const Key& key, TableBounds& found) const {
        const Location at = locate(key);
        for (const Entry& entry : buckets_[at.bucket].entries)
            if (entry.matches(at.check)) {
                found = {entry.lower, entry.upper, static_cast<std::int8_t>(entry.move - 1)};
                return true;
            }
        return false;
    }

    // Replaces the entry of the bucket that took the fewest positions to search. `positions` is the work of the new
    // one.
    void store(const Key& key, const TableBounds& bounds, std::uint64_t positions) {
        const Location at = locate(key);
        Entry* victim = nullptr;
        Bucket& bucket = buckets_[at.bucket];
        // The first entry is the first one that is written.
        if (bucket.entries[0].work == 0) memory_->record_use(at.bucket);
        for (Entry& entry : bucket.entries) {
            if (entry.matches(at.check)) {
                victim = &entry;
                break;
            }
            if (victim == nullptr || entry.work < victim->work) victim = &entry;
        }
        victim->set_check(at.check);
        victim->lower = bounds.lower;
        victim->upper = bounds.upper;
        victim->move = static_cast<std::uint8_t>(bounds.move + 1) & 15;
        victim->work =
            static_cast<std::uint8_t>(std::min<int>(1 + static_cast<int>(std::bit_width(positions)) / 2, 15)) & 15;
    }

private:
    struct SmallEntry {
        std::uint32_t check_low;
        std::uint8_t check_high;
        std::int8_t lower, upper;
        std::uint8_t move : 4, work : 4;  // column + 1; half the binary logarithm of the positions, 0 if free
        bool matches(std::uint64_t check) const {
            return check_low == static_cast<std::uint32_t>(check) && check_high == check >> 32 && work > 0;
        }
        void set_check(std::uint64_t check) {
            check_low = static_cast<std::uint32_t>(check);
            check_high = static_cast<std::uint8_t>(check >> 32);
        }
    };
    struct LargeEntry {
        std::uint64_t check;
        std::int8_t lower, upper;
        std::uint8_t move : 4, work : 4;
        bool matches(std::uint64_t other) const { return check == other && work > 0; }
        void set_check(std::uint64_t other) { check = other; }
    };
    using Entry = std::conditional_t<L::kWords == 1, SmallEntry, LargeEntry>;
    struct Bucket {
        std::array<Entry, 64 / sizeof(Entry)> entries;
    };
    static_assert(sizeof(Bucket) == sizeof(TableMemory::Line));
    struct Location {
        std::uint64_t bucket, check;
    };

    Location locate(const Key& key) const {
        if constexpr (L::kWords == 1) {
            // Multiplication by an odd number and xor with a right shift are invertible: a permutation of 56 bits.
            constexpr std::uint64_t kMask = (std::uint64_t{1} << kSmallKeyBits) - 1;
            std::uint64_t x = key.word[0];
            x = (x * 0x9e3779b97f4a7c15U) & kMask;
            x ^= x >> 29;
            x = (x * 0xbf58476d1ce4e5b9U) & kMask;
            x ^= x >> 27;
            // The table has at least 2^16 buckets.
            return {x & bucket_mask_, x >> 16};
        } else {
            const std::uint64_t check = hash(key);
            return {mix_bits(check ^ key.word[0]) & bucket_mask_, check};
        }
    }

    std::shared_ptr<TableMemory> memory_;
    Bucket* buckets_;
    std::uint64_t bucket_mask_;
};

}  // namespace fourfall::solver
