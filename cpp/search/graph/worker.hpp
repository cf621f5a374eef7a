// State of one search thread, and the helper threads that run simulations in addition to the calling thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "game/random.hpp"
#include "platform/thread.hpp"
#include "search/graph/node.hpp"
#include "search/limits.hpp"
#include "search/profile.hpp"

namespace fourfall::graph {

struct PathStep {
    NodeId node;
    Edge* edge;
};

struct Worker {
    Random random;
    Clock* clock;
    int number;
    std::vector<PathStep> path{};  // of the current simulation
    Profile profile{};
    std::uint64_t evaluations = 0;  // without those from the cache
    int depth = 0;                  // longest path
    bool has_probed = false;        // whether the last simulation called the solver
};

// Threads that repeat a step until it returns false or the object is destroyed.
class HelperThreads {
public:
    // `interrupt` is called on destruction and must make a running step return soon.
    explicit HelperThreads(std::function<void()> interrupt) : interrupt_(std::move(interrupt)) {}
    HelperThreads(const HelperThreads&) = delete;
    HelperThreads& operator=(const HelperThreads&) = delete;
    ~HelperThreads();

    void add(std::function<bool()> step);

private:
    std::function<void()> interrupt_;
    std::atomic<bool> is_stopped_{false};
    std::vector<Thread> threads_;
};

}  // namespace fourfall::graph
