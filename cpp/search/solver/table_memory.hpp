// Memory of a transposition table, which grows while it fills up and can be emptied for the next position.
//
// The first access to each page of a new mapping is a page fault, and page faults of several threads wait for each
// other. For a short search they cost more than the search itself. A table therefore uses only the first lines of its
// memory at first, and more of them when these are full: a short search touches few pages, and they fit the caches.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "platform/pages.hpp"

namespace fourfall::solver {

class TableMemory {
public:
    static constexpr std::uint64_t kMinBytes = std::uint64_t{1} << 22;
    // kGrowing: few lines are used at first. kFixed: all of them from the start, so that the table loses as little as
    // possible. kRepeated: as kGrowing, with large pages, which are kept for the next position.
    enum class Use { kGrowing, kFixed, kRepeated };
    // One cache line.
    struct Line {
        std::array<std::byte, 64> bytes;
    };

    explicit TableMemory(std::uint64_t bytes, Use use = Use::kGrowing)
        : max_count_(count_lines(bytes)),
          first_count_(use == Use::kFixed ? max_count_ : kFirstCount),
          count_(first_count_),
          lines_(max_count_, use == Use::kRepeated ? PageSize::kLarge : PageSize::kDefault) {}

    // The number of lines in so many bytes: a power of two.
    static std::uint64_t count_lines(std::uint64_t bytes) {
        return std::bit_floor(std::min(std::max(bytes, kMinBytes), kMaxBytes) / sizeof(Line));
    }
    // Lines in use, and the most that can be used.
    std::uint64_t count() const { return count_; }
    std::uint64_t max_count() const { return max_count_; }
    Line* get() const { return lines_.get(); }

    bool has_grown() const { return count_ > first_count_; }
    // Takes as many lines again, which are filled with zeros, into use. Requires count() < max_count().
    void grow() { count_ *= 2; }
    // Lists a line that is no longer empty for clear(). Returns false if the list is not used or full.
    bool list_line(std::uint64_t line) {
        if (listed_count_ == kMaxListed) return false;
        listed_[listed_count_++] = static_cast<std::uint32_t>(line);
        return true;
    }
    // Fills the memory with zeros and uses as few lines as at first. The first call also maps their pages.
    void clear() {
        if (has_grown() || listed_count_ == kMaxListed)
            std::memset(lines_.get(), 0, count_ * sizeof(Line));
        else
            for (std::size_t i = 0; i < listed_count_; ++i) lines_[listed_[i]] = {};
        count_ = first_count_;
        if (count_ < max_count_) listed_count_ = 0;
    }

private:
    static constexpr std::uint64_t kFirstCount = 1 << 12;
    // With more lines it is faster to fill all of kFirstCount with zeros.
    static constexpr std::size_t kMaxListed = 512;
    // The entries of the table contain the 32 bits that determine their line.
    static constexpr std::uint64_t kMaxBytes = std::uint64_t{sizeof(Line)} << 32;

    std::uint64_t max_count_;
    std::uint64_t first_count_;
    std::uint64_t count_;
    Pages<Line> lines_;
    std::array<std::uint32_t, kMaxListed> listed_;  // the lines that are not empty, unless there are more
    std::size_t listed_count_ = kMaxListed;         // the list is used after the first clear()
};

}  // namespace fourfall::solver
