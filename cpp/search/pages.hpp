// Owns large storage: zeros that the system makes page by page when they are first touched, and takes back at once.
//
// The heap would do neither for long: what one search gave back it hands to the next, which must first write zeros over
// all of it, and the more threads come and go the more of it stays behind unused.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

namespace fourfall {

template <class T>
class Pages {
public:
    static_assert(std::is_trivially_destructible_v<T>);

    Pages() = default;
    explicit Pages(std::uint64_t count) {
        if (count > PTRDIFF_MAX / sizeof(T)) throw std::bad_alloc();
        const std::size_t bytes = count * sizeof(T);
        if (bytes == 0) return;
        void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        memory_ = {static_cast<T*>(memory), Unmap{bytes}};
    }

    // Begins on a page, so every cache line is whole.
    T* get() const { return memory_.get(); }
    T& operator[](std::uint64_t i) const { return memory_[i]; }

private:
    struct Unmap {
        std::size_t bytes = 0;
        void operator()(T* memory) const { ::munmap(memory, bytes); }
    };
    std::unique_ptr<T[], Unmap> memory_;
};

}  // namespace fourfall
