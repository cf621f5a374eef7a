// Owns what a network has said of positions before: each has one place in a table, and the latest stays.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <mutex>
#include <optional>

#include "game/key.hpp"
#include "search/network/network.hpp"
#include "search/pages.hpp"

namespace fourfall::graph {

template <class Bits>
class EvaluationCache {
public:
    explicit EvaluationCache(std::uint64_t memory_bytes)
        : size_(std::bit_floor(std::max<std::uint64_t>(memory_bytes / sizeof(Entry), 1))), entries_(size_) {}

    std::optional<network::Opinion> find(const Bits& key) {
        const std::uint64_t place = place_of(key);
        const std::lock_guard lock(mutex_of(place));
        const Entry& entry = entries_[place];
        return entry.key == key ? std::optional(entry.opinion) : std::nullopt;
    }
    void keep(const Bits& key, const network::Opinion& opinion) {
        const std::uint64_t place = place_of(key);
        const std::lock_guard lock(mutex_of(place));
        used_ += entries_[place].key.none() ? 1 : 0;
        entries_[place] = {key, opinion};
    }
    std::uint64_t memory_bytes() const { return used_ * sizeof(Entry); }

private:
    // No position has the key 0: every column has its marker.
    struct Entry {
        Bits key;
        network::Opinion opinion;
    };
    static constexpr std::size_t kMutexes = 64;

    std::uint64_t place_of(const Bits& key) const { return hash(key) & (size_ - 1); }
    std::mutex& mutex_of(std::uint64_t place) { return mutexes_[place % kMutexes]; }

    std::uint64_t size_;
    std::atomic<std::uint64_t> used_{0};
    Pages<Entry> entries_;
    std::array<std::mutex, kMutexes> mutexes_;  // threads wait for each other only at the same few places
};

}  // namespace fourfall::graph
