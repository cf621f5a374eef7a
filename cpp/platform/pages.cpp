// Maps pages: mmap on Linux and macOS, VirtualAlloc on Windows, the heap in WebAssembly.
#include "platform/pages.hpp"

#if defined(_WIN32)
#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#elif defined(__wasm__)
#include <cstdlib>
#include <cstring>
#else
#include <sys/mman.h>
#endif

namespace fourfall {

#if defined(_WIN32)

// Large pages of Windows need a privilege that users do not have.
void* map_pages(std::size_t bytes, PageSize) {
    return ::VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void unmap_pages(void* memory, std::size_t) { ::VirtualFree(memory, 0, MEM_RELEASE); }

#elif defined(__wasm__)

// The memory of a module only grows, and freed blocks are used again.
void* map_pages(std::size_t bytes, PageSize) {
    constexpr std::size_t kPage = 4096;
    const std::size_t rounded = (bytes + kPage - 1) / kPage * kPage;
    void* memory = std::aligned_alloc(kPage, rounded);
    if (memory != nullptr) std::memset(memory, 0, rounded);
    return memory;
}

void unmap_pages(void* memory, std::size_t) { std::free(memory); }

#else

void* map_pages(std::size_t bytes, [[maybe_unused]] PageSize size) {
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
#ifdef MADV_HUGEPAGE
    if (size == PageSize::kLarge) ::madvise(memory, bytes, MADV_HUGEPAGE);  // a system without them ignores this
#endif
    return memory;
}

void unmap_pages(void* memory, std::size_t bytes) { ::munmap(memory, bytes); }

#endif

}  // namespace fourfall
