// Owns memory that begins on a cache line, where the widest registers load from.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace fourfall::network {

template <class T>
struct Aligned {
    using value_type = T;
    static constexpr std::align_val_t kAlignment{64};

    Aligned() = default;
    template <class Other>
    Aligned(const Aligned<Other>&) {}

    T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kAlignment)); }
    void deallocate(T* memory, std::size_t) { ::operator delete(memory, kAlignment); }
    friend bool operator==(const Aligned&, const Aligned&) { return true; }
};

using Floats = std::vector<float, Aligned<float>>;
using Bytes = std::vector<std::byte, Aligned<std::byte>>;

}  // namespace fourfall::network
