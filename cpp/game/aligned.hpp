// Vectors whose memory is aligned to cache lines, for loads into vector registers of any width.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace fourfall {

template <class T>
struct CacheAlignedAllocator {
    using value_type = T;
    static constexpr std::align_val_t kAlignment{64};

    CacheAlignedAllocator() = default;
    template <class Other>
    CacheAlignedAllocator(const CacheAlignedAllocator<Other>&) {}

    T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kAlignment)); }
    void deallocate(T* memory, std::size_t) { ::operator delete(memory, kAlignment); }
    friend bool operator==(const CacheAlignedAllocator&, const CacheAlignedAllocator&) { return true; }
};

using Floats = std::vector<float, CacheAlignedAllocator<float>>;
using Bytes = std::vector<std::byte, CacheAlignedAllocator<std::byte>>;

}  // namespace fourfall
