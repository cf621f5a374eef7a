// Starts the threads of a parallel loop, waits for them and passes on the first exception.
#include "engine/parallel_loop.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <vector>

#include "platform/mutex.hpp"
#include "platform/thread.hpp"

namespace fourfall {
namespace {

// The time between two calls of `poll` is at least kMinPause, and at most the sum of both.
constexpr std::chrono::milliseconds kMinPause{1}, kMaxPause{49};

}  // namespace

void ParallelLoop::run(std::size_t count, const std::function<void(std::size_t, int)>& task) const {
    if (!kHasThreads) {
        for (std::size_t index = 0; index < count; ++index) {
            task(index, 0);
            poll();
        }
        return poll();
    }
    std::atomic<std::size_t> next{0};
    Mutex mutex;  // guards the four below
    ConditionVariable changed;
    bool is_waiting = false;  // the calling thread waits for the end of a task
    std::size_t finished = 0;
    int running = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), count));
    std::exception_ptr error;

    const auto work = [&](int thread) {
        std::exception_ptr own_error;
        try {
            for (std::size_t index = next++; index < count; index = next++) {
                task(index, thread);
                const LockGuard guard(mutex);
                ++finished;
                if (is_waiting) changed.notify_one();
            }
        } catch (...) {
            own_error = std::current_exception();
        }
        const LockGuard guard(mutex);
        if (!error) error = own_error;
        --running;
        changed.notify_one();
    };
    std::vector<Thread> workers;
    for (int thread = 0, all = running; thread < all; ++thread) workers.emplace_back([&work, thread] { work(thread); });

    UniqueLock lock(mutex);
    bool is_interrupted = false;
    while (running > 0) {
        const std::size_t seen = finished;
        const int left = running;
        // To wake this thread takes longer than a short task. For a while only the end of a thread does.
        if (!changed.wait_for(lock, kMinPause, [&] { return running != left; })) {
            is_waiting = true;
            changed.wait_for(lock, kMaxPause, [&] { return finished != seen || running != left; });
            is_waiting = false;
        }
        if (!error) {
            lock.unlock();
            std::exception_ptr poll_error;
            try {
                poll();
            } catch (...) {
                poll_error = std::current_exception();
            }
            lock.lock();
            if (!error) error = poll_error;
        }
        if (error && !is_interrupted) {
            is_interrupted = true;
            next = count;
            interrupt();
        }
    }
    lock.unlock();
    workers.clear();
    if (error) std::rethrow_exception(error);
    poll();
}

}  // namespace fourfall
