// Starts the threads of a pool, wakes them for a loop and waits until all have finished their part.
#include "game/thread_pool.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

#include "platform/process.hpp"
#include "platform/thread.hpp"

namespace fourfall {

struct ThreadPool::Workers {
    explicit Workers(int count) {
        threads.reserve(static_cast<std::size_t>(count));
        try {
            for (int i = 0; i < count; ++i) threads.emplace_back([this, part = i + 1] { work(part); });
        } catch (...) {  // the system has no more threads
            stop();
            throw;
        }
    }
    ~Workers() { stop(); }
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    void run(int count, const std::function<void(int)>& loop) {
        task = &loop;
        parts = count;
        running.store(static_cast<std::uint32_t>(threads.size()), std::memory_order_relaxed);
        wake();
        loop(0);
        for (std::uint32_t left = running.load(std::memory_order_acquire); left != 0;
             left = running.load(std::memory_order_acquire))
            running.wait(left, std::memory_order_acquire);
    }

    void stop() {
        is_stopped = true;
        wake();
        threads.clear();
    }

    void wake() {
        round.fetch_add(1, std::memory_order_release);
        round.notify_all();
    }

    void work(int part) {
        for (std::uint32_t seen = 0;;) {
            round.wait(seen, std::memory_order_acquire);
            const std::uint32_t now = round.load(std::memory_order_acquire);
            if (now == seen) continue;
            seen = now;
            if (is_stopped) return;
            if (part < parts) (*task)(part);
            if (running.fetch_sub(1, std::memory_order_acq_rel) == 1) running.notify_one();
        }
    }

    const int process = get_process_id();
    // Written by run() and stop() before they increase `round`, read by the workers after that.
    const std::function<void(int)>* task = nullptr;
    int parts = 0;
    bool is_stopped = false;
    std::atomic<std::uint32_t> round{0};    // number of loops so far
    std::atomic<std::uint32_t> running{0};  // workers that have not finished this loop
    std::vector<Thread> threads;
};

// A child process after fork() has a copy of this object but none of its threads, so it cannot join them.
void ThreadPool::LeakAfterFork::operator()(Workers* workers) const {
    if (workers->process == get_process_id()) delete workers;
}

ThreadPool::~ThreadPool() = default;

void ThreadPool::run(int parts, const std::function<void(int)>& task) {
    if (parts == 1) return task(0);
    if (!kHasThreads) {
        for (int part = 0; part < parts; ++part) task(part);
        return;
    }
    if (!workers_ || workers_->process != get_process_id())
        workers_ = std::unique_ptr<Workers, LeakAfterFork>(new Workers(threads_ - 1));
    workers_->run(parts, task);
}

}  // namespace fourfall
