// Memory of a transposition table, which can be emptied for the next position.
//
// The first access to each page of a new mapping is a page fault, and page faults of several threads wait for each
// other. For a short search they cost more than the search itself, so repeated searches use large pages and keep them:
// emptying the used cache lines costs much less than a new mapping.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "platform/pages.hpp"

namespace fourfall::solver {

class TableMemory {
public:
    static constexpr std::uint64_t kMinBytes = std::uint64_t{1} << 22;
    enum class Use { kOnce, kRepeated };
    // One cache line.
    struct Line {
        std::array<std::byte, 64> bytes;
    };

    // The number of lines is a power of two. For repeated use, a list of the used lines makes clear() fast; it takes up
    // to 1 % more memory.
    explicit TableMemory(std::uint64_t bytes, Use use = Use::kOnce)
        : count_(std::bit_floor(std::max(bytes, kMinBytes) / sizeof(Line))),
          max_used_(use == Use::kRepeated ? count_ / kMaxUsedFraction : 0),
          lines_(count_, use == Use::kRepeated ? PageSize::kLarge : PageSize::kDefault) {}

    std::uint64_t count() const { return count_; }
    Line* get() const { return lines_.get(); }

    // Records that a line of zeros is about to be written.
    void record_use(std::uint64_t line) {
        if (used_.size() < max_used_) used_.push_back(line);
    }
    // Fills the memory with zeros.
    void clear() {
        if (used_.size() < max_used_)
            for (const std::uint64_t line : used_) std::memset(&lines_[line], 0, sizeof(Line));
        else
            std::memset(lines_.get(), 0, count_ * sizeof(Line));
        used_.clear();
    }

private:
    // With more used lines, nearly every page has one, and it is as fast to overwrite all of the memory.
    static constexpr std::uint64_t kMaxUsedFraction = 16;

    std::uint64_t count_;
    std::uint64_t max_used_;
    Pages<Line> lines_;
    std::vector<std::uint64_t> used_;  // the used lines, at most max_used_
};

}  // namespace fourfall::solver
