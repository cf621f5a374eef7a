// Loop over independent tasks in several threads, which the calling thread can interrupt.
#pragma once

#include <cstddef>
#include <functional>

#include "game/poll.hpp"

namespace fourfall {

struct ParallelLoop {
    int threads = 1;
    // Called by the calling thread within 1 ms after each task, once for several short ones, and at least every 50 ms.
    // An exception ends the loop.
    Poll poll = [] {};
    // Called when the loop ends early; must make running tasks return soon.
    std::function<void()> interrupt = [] {};

    // Calls task(index, thread) for all indices below `count`, in ascending order, in new threads. Returns when all
    // have ended. An exception of a task or of `poll` ends the loop and is thrown after the running tasks have
    // returned.
    void run(std::size_t count, const std::function<void(std::size_t index, int thread)>& task) const;
};

}  // namespace fourfall
