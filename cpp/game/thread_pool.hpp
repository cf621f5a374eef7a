// Thread pool for short parallel loops; its threads stay alive between the loops.
#pragma once

#include <functional>
#include <memory>

namespace fourfall {

class ThreadPool {
public:
    // `threads` includes the calling thread. The others are started by the first loop that needs them.
    explicit ThreadPool(int threads) : threads_(threads) {}
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    ~ThreadPool();

    int threads() const { return threads_; }

    // Calls task(0) to task(parts - 1), each in a thread of its own, the first in the calling thread, and returns when
    // all have ended. Requires parts <= threads(). The task must not throw. Not to be called from two threads at once.
    void run(int parts, const std::function<void(int)>& task);

private:
    struct Workers;
    struct LeakAfterFork {
        void operator()(Workers* workers) const;
    };

    int threads_;
    std::unique_ptr<Workers, LeakAfterFork> workers_;
};

}  // namespace fourfall
