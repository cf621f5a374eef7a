// Starts the threads of a parallel loop, waits for them and passes on the first exception.
#include "engine/parallel_loop.hpp"

#ifdef __linux__
#include <sched.h>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace fourfall {

int count_cores() {
#ifdef __linux__
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0) return std::max(CPU_COUNT(&cores), 1);
#endif
    return static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
}

void ParallelLoop::run(std::size_t count, const std::function<void(std::size_t, int)>& task) const {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;  // guards the three below
    std::condition_variable changed;
    std::size_t finished = 0;
    int running = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), count));
    std::exception_ptr error;

    const auto work = [&](int thread) {
        std::exception_ptr own_error;
        try {
            for (std::size_t index = next++; index < count; index = next++) {
                task(index, thread);
                const std::lock_guard guard(mutex);
                ++finished;
                changed.notify_one();
            }
        } catch (...) {
            own_error = std::current_exception();
        }
        const std::lock_guard guard(mutex);
        if (!error) error = own_error;
        --running;
        changed.notify_one();
    };
    std::vector<std::jthread> workers;
    for (int thread = 0, all = running; thread < all; ++thread) workers.emplace_back(work, thread);

    std::unique_lock lock(mutex);
    bool is_interrupted = false;
    while (running > 0) {
        const std::size_t seen = finished;
        const int left = running;
        changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return finished != seen || running != left; });
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
