// Large zeroed arrays that are mapped directly from the operating system.
//
// The system zeroes each page on first access and takes all pages back as soon as the array is destroyed. The heap does
// neither reliably: it hands freed memory to the next search, which must first overwrite all of it with zeros, and the
// more threads start and end, the more freed memory it retains.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

namespace fourfall {

// Large pages need fewer page faults, but even an array with few used elements then takes most of its memory. A system
// without them uses those of the default size.
enum class PageSize { kDefault, kLarge };

// Returns zeroed memory that is aligned to a page, or null if the system has too little. Requires bytes > 0.
void* map_pages(std::size_t bytes, PageSize size);
void unmap_pages(void* memory, std::size_t bytes);

template <class T>
class Pages {
public:
    static_assert(std::is_trivially_destructible_v<T>);

    Pages() = default;
    explicit Pages(std::uint64_t count, PageSize size = PageSize::kDefault) {
        if (count > PTRDIFF_MAX / sizeof(T)) throw std::bad_alloc();
        const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
        if (bytes == 0) return;
        void* memory = map_pages(bytes, size);
        if (memory == nullptr) throw std::bad_alloc();
        memory_ = {static_cast<T*>(memory), Unmap{bytes}};
    }

    // Aligned to a page, and so to cache lines.
    T* get() const { return memory_.get(); }
    T& operator[](std::uint64_t i) const { return memory_[static_cast<std::size_t>(i)]; }

private:
    struct Unmap {
        std::size_t bytes = 0;
        void operator()(T* memory) const { unmap_pages(static_cast<void*>(memory), bytes); }
    };
    std::unique_ptr<T[], Unmap> memory_;
};

}  // namespace fourfall
