// State that several threads share while they search one position with a common transposition table.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace fourfall::solver {

// All threads search the same position and window, and the first one that finishes has the result. They divide the work
// by two means: a thread finds the results of the others in the table, and it postpones a move that another thread is
// searching (simplified ABDADA: T. Kerrigan, J.-C. Weill 1996). No lock is needed: a wrong answer of is_busy() changes
// the order of moves only.
class SharedSearch {
public:
    // Returns whether a thread has the result or the search is stopped.
    bool is_over() const { return is_over_.load(std::memory_order_relaxed); }
    void stop() { is_over_.store(true, std::memory_order_relaxed); }

    void finish(int value) {
        value_.store(value, std::memory_order_relaxed);
        stop();
    }
    // The result of the first thread; nullopt if all of them were stopped.
    std::optional<int> value() const {
        const int value = value_.load(std::memory_order_relaxed);
        return value == kNoValue ? std::nullopt : std::optional(value);
    }

    // Marks a position, given by the hash of its key, that a thread is searching.
    void enter(std::uint64_t hash) { slot(hash).store(hash, std::memory_order_relaxed); }
    void leave(std::uint64_t hash) {
        if (is_busy(hash)) slot(hash).store(0, std::memory_order_relaxed);
    }
    bool is_busy(std::uint64_t hash) const { return slots_[hash % kSlots].load(std::memory_order_relaxed) == hash; }

private:
    static constexpr std::size_t kSlots = 1 << 12;
    static constexpr int kNoValue = std::numeric_limits<int>::min();

    std::atomic<std::uint64_t>& slot(std::uint64_t hash) { return slots_[hash % kSlots]; }

    std::atomic<bool> is_over_{false};
    std::atomic<int> value_{kNoValue};
    std::array<std::atomic<std::uint64_t>, kSlots> slots_{};
};

}  // namespace fourfall::solver
