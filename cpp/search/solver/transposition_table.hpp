// Transposition table of the solver: bounds on the value of positions. Entries that took the most work are kept.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
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
// contain all of its bits, so a match is exact. Longer keys are identified by 96 bits of hash: the probability of a
// wrong match in 10^9 look-ups is less than 10^-18.
//
// Several threads may use tables with the same memory: they read and write words atomically but without ordering. An
// entry of two words that two threads wrote at the same time does not match any key.
template <class L>
class TranspositionTable {
public:
    using Key = typename L::Bits;
    static constexpr int kSmallKeyBits = 56;

    // The memory must be empty or from another table of the same geometry.
    explicit TranspositionTable(std::shared_ptr<TableMemory> memory)
        : memory_(std::move(memory)), buckets_(reinterpret_cast<Bucket*>(memory_->get())) {
        begin();
    }

    // Removes all entries. No other table may use the memory.
    void clear() {
        memory_->clear();
        begin();
    }

    std::uint64_t memory_bytes() const { return memory_->max_count() * sizeof(Bucket); }

    // Prefetches the bucket that find() reads.
    void prefetch(const Key& key) const { fourfall::prefetch(&buckets_[locate(key).hash & bucket_mask_]); }

    FOURFALL_FLATTENED bool find(const Key& key, TableBounds& found) const {
        const Location at = locate(key);
        for (const Entry& slot : buckets_[at.hash & bucket_mask_])
            if (const Entry entry = slot.load(); entry.matches(at)) {
                found = entry.bounds();
                return true;
            }
        return false;
    }

    // Replaces the entry of the bucket that took the fewest positions to search. `positions` is the work of the new
    // one.
    FOURFALL_FLATTENED void store(const Key& key, const TableBounds& bounds, std::uint64_t positions) {
        const Location at = locate(key);
        Entry* victim = nullptr;
        unsigned least = 0;
        for (Entry& slot : buckets_[at.hash & bucket_mask_]) {
            const Entry entry = slot.load();
            if (entry.matches(at)) {
                victim = &slot;
                least = 1;
                break;
            }
            if (victim == nullptr || entry.work() < least) victim = &slot, least = entry.work();
        }
        victim->store(Entry(at, bounds, std::min(1U + static_cast<unsigned>(std::bit_width(positions)) / 2, 15U)));
        if (least == 0 && ++used_ >= next_event_) handle_new_entry(at.hash & bucket_mask_);
    }

    // Takes all of the memory into use. After that, other threads may use tables with the same memory.
    void grow_to_maximum() {
        while (can_grow()) grow();
    }

private:
    // The upper bits of `hash`, or all of `check`, complete what the bucket index, its lower bits, says about the key.
    struct Location {
        std::uint64_t hash, check;
    };

    static std::uint64_t load_relaxed(const std::uint64_t& word) {
        return std::atomic_ref(const_cast<std::uint64_t&>(word)).load(std::memory_order_relaxed);
    }
    static void store_relaxed(std::uint64_t& word, std::uint64_t value) {
        std::atomic_ref(word).store(value, std::memory_order_relaxed);
    }
    // Bounds in 2 * kBits bits, move + 1 in four and work, half the binary logarithm of the positions, in the lowest
    // four. Work is 0 in a free entry.
    template <int kBits>
    struct Packed {
        static constexpr int kSize = 2 * kBits + 8;
        static constexpr int kOffset = 1 << (kBits - 1);
        static constexpr std::uint64_t kMask = (1 << kBits) - 1;

        static std::uint64_t pack(const TableBounds& bounds, unsigned work) {
            const int lower = bounds.lower + kOffset, upper = bounds.upper + kOffset;
            return static_cast<std::uint64_t>(lower) << (kBits + 8) | static_cast<std::uint64_t>(upper) << 8 |
                   static_cast<std::uint64_t>(bounds.move + 1) << 4 | work;
        }
        static TableBounds unpack(std::uint64_t word) {
            const auto unpack_bound = [](std::uint64_t bits) {
                return static_cast<std::int8_t>(static_cast<int>(bits & kMask) - kOffset);
            };
            return {unpack_bound(word >> (kBits + 8)), unpack_bound(word >> 8),
                    static_cast<std::int8_t>(static_cast<int>(word >> 4 & 15) - 1)};
        }
    };

    // The value of a board with one word is at most 24.
    struct SmallEntry : private Packed<6> {
        using Packed<6>::kSize;
        static constexpr int kCheckBits = 64 - kSize;
        std::uint64_t word = 0;

        SmallEntry() = default;
        SmallEntry(const Location& at, const TableBounds& bounds, unsigned work)
            : word(at.check << kSize | Packed<6>::pack(bounds, work)) {}
        SmallEntry load() const {
            SmallEntry out;
            out.word = load_relaxed(word);
            return out;
        }
        void store(const SmallEntry& other) { store_relaxed(word, other.word); }

        bool matches(const Location& at) const { return word >> kSize == at.check && work() > 0; }
        TableBounds bounds() const { return Packed<6>::unpack(word); }
        unsigned work() const { return word & 15; }
        // The bits of the hash that the check contains; `bucket` is the index of the entry.
        std::uint64_t hash() const { return word >> kSize << (kSmallKeyBits - kCheckBits); }
    };
    struct LargeEntry : private Packed<8> {
        std::uint64_t data = 0;     // 32 bits of the hash above the packed bounds
        std::uint64_t checked = 0;  // check ^ data

        LargeEntry() = default;
        LargeEntry(const Location& at, const TableBounds& bounds, unsigned work)
            : data(at.hash << 32 | Packed<8>::pack(bounds, work)), checked(at.check ^ data) {}
        LargeEntry load() const {
            LargeEntry out;
            out.data = load_relaxed(data), out.checked = load_relaxed(checked);
            return out;
        }
        void store(const LargeEntry& other) {
            store_relaxed(data, other.data);
            store_relaxed(checked, other.checked);
        }

        bool matches(const Location& at) const {
            return (checked ^ data) == at.check && data >> 32 == (at.hash & 0xffffffffU) && work() > 0;
        }
        TableBounds bounds() const { return Packed<8>::unpack(data); }
        unsigned work() const { return data & 15; }
        std::uint64_t hash() const { return data >> 32; }
    };
    using Entry = std::conditional_t<L::kWords == 1, SmallEntry, LargeEntry>;
    using Bucket = std::array<Entry, 64 / sizeof(Entry)>;
    static_assert(sizeof(Bucket) == sizeof(TableMemory::Line));

    Location locate(const Key& key) const {
        if constexpr (L::kWords == 1) {
            // Multiplication by an odd number and xor with a right shift are invertible: a permutation of 56 bits.
            constexpr std::uint64_t kMask = (std::uint64_t{1} << kSmallKeyBits) - 1;
            std::uint64_t x = key.word[0];
            x = (x * 0x9e3779b97f4a7c15U) & kMask;
            x ^= x >> 29;
            x = (x * 0xbf58476d1ce4e5b9U) & kMask;
            x ^= x >> 27;
            // The table has at least 2^12 buckets.
            return {x, x >> (kSmallKeyBits - SmallEntry::kCheckBits)};
        } else {
            const std::uint64_t check = hash(key);
            return {mix_bits(check ^ key.word[0]), check};
        }
    }

    // Begins to use the memory.
    void begin() {
        bucket_mask_ = memory_->count() - 1;
        used_ = 0;
        next_event_ = can_grow() ? 0 : kNever;
    }
    bool can_grow() const { return memory_->count() < memory_->max_count(); }
    // The table grows when half of its entries are used.
    std::uint64_t count_at_growth() const {
        return can_grow() ? memory_->count() * std::tuple_size_v<Bucket> / 2 : kNever;
    }
    // Lists the bucket of a new entry, or makes the table grow if it is time. Not part of store(), because few entries
    // need it.
    [[gnu::noinline]] void handle_new_entry(std::uint64_t bucket) {
        if (memory_->list_line(bucket)) return;
        if (used_ < count_at_growth())
            next_event_ = count_at_growth();
        else
            grow();
    }
    // Doubles the buckets: of each bucket, the entries whose next bit of the hash is set move to its new twin.
    [[gnu::noinline]] void grow() {
        const std::uint64_t count = memory_->count();
        memory_->grow();
        for (std::uint64_t i = 0; i < count; ++i) {
            Bucket kept{}, moved{};
            std::size_t kept_count = 0, moved_count = 0;
            for (const Entry& entry : buckets_[i]) {
                if (entry.work() == 0) continue;
                if ((entry.hash() & count) != 0)
                    moved[moved_count++] = entry;
                else
                    kept[kept_count++] = entry;
            }
            buckets_[i] = kept;
            if (moved_count > 0) buckets_[i + count] = moved;
        }
        bucket_mask_ = memory_->count() - 1;
        next_event_ = count_at_growth();
    }

    static constexpr std::uint64_t kNever = ~std::uint64_t{0};

    std::shared_ptr<TableMemory> memory_;
    Bucket* buckets_;
    std::uint64_t bucket_mask_ = 0;
    std::uint64_t used_ = 0;        // entries that were free
    std::uint64_t next_event_ = 0;  // number of used entries from which on handle_new_entry() is called
};

}  // namespace fourfall::solver
