// Large zeroed arrays that are mapped directly from the operating system.
//
// The system zeroes each page on first access and takes all pages back as soon as the array is destroyed. The heap does
// neither reliably: it hands freed memory to the next search, which must first overwrite all of it with zeros, and the
// more threads start and end, the more freed memory it retains.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

namespace fourfall {

// Large pages need fewer page faults, but even an array with few used elements then takes most of its memory.
enum class PageSize { kDefault, kLarge };

template <class T>
class Pages {
public:
    static_assert(std::is_trivially_destructible_v<T>);

    Pages() = default;
    explicit Pages(std::uint64_t count, [[maybe_unused]] PageSize size = PageSize::kDefault) {
        if (count > PTRDIFF_MAX / sizeof(T)) throw std::bad_alloc();
        const std::size_t bytes = count * sizeof(T);
        if (bytes == 0) return;
        void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
        if (size == PageSize::kLarge) ::madvise(memory, bytes, MADV_HUGEPAGE);  // a system without them ignores this
#endif
        memory_ = {static_cast<T*>(memory), Unmap{bytes}};
    }

    // Aligned to a page, and so to cache lines.
    T* get() const { return memory_.get(); }
    T& operator[](std::uint64_t i) const { return memory_[i]; }

private:
    struct Unmap {
        std::size_t bytes = 0;
        void operator()(T* memory) const { ::munmap(static_cast<void*>(memory), bytes); }
    };
    std::unique_ptr<T[], Unmap> memory_;
};

}  // namespace fourfall
