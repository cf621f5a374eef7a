// A thread that is joined by its destructor. (The libraries of some compilers have no std::jthread.)
#pragma once

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
    explicit Thread(Function&& function) {
#ifdef __wasm__
        std::forward<Function>(function)();
#else
        thread_ = std::thread(std::forward<Function>(function));
#endif
    }
    Thread(Thread&&) = default;
    Thread& operator=(Thread&& other) {
        join();
        swap(other);
        return *this;
    }
    ~Thread() { join(); }

private:
#ifdef __wasm__
    void join() {}
    void swap(Thread&) {}
#else
    void join() {
        if (thread_.joinable()) thread_.join();
    }
    void swap(Thread& other) { thread_.swap(other.thread_); }

    std::thread thread_;
#endif
};

}  // namespace fourfall
