// A thread that is joined by its destructor. (The libraries of some compilers have no std::jthread.)
#pragma once

#include <type_traits>
#include <utility>

#ifndef __wasm__
#include <thread>
#endif

#include "platform/mutex.hpp"

namespace fourfall {

class Thread {
public:
    Thread() = default;
    // Without threads (kHasThreads), the function runs in the calling thread before the constructor returns.
    template <class Function>
        requires(!std::is_same_v<std::remove_cvref_t<Function>, Thread>)
    explicit Thread(Function&& function) {
#ifdef __wasm__
        std::forward<Function>(function)();
#else
        thread_ = std::thread(std::forward<Function>(function));
#endif
    }
    Thread(Thread&&) noexcept = default;
    Thread& operator=(Thread&& other) noexcept {
        join();
        swap(other);
        return *this;
    }
    ~Thread() { join(); }

private:
#ifdef __wasm__
    void join() noexcept {}
    void swap(Thread&) noexcept {}
#else
    void join() noexcept {
        if (thread_.joinable()) thread_.join();
    }
    void swap(Thread& other) noexcept { thread_.swap(other.thread_); }

    std::thread thread_;
#endif
};

}  // namespace fourfall
