// Starts and joins the helper threads of a search.
#include "search/graph/worker.hpp"

#include <utility>

namespace fourfall::graph {

HelperThreads::~HelperThreads() {
    interrupt_();
    is_stopped_.store(true, std::memory_order_relaxed);
    threads_.clear();
}

void HelperThreads::add(std::function<bool()> step) {
    threads_.emplace_back([this, step = std::move(step)] {
        while (!is_stopped_.load(std::memory_order_relaxed) && step()) {
        }
    });
}

}  // namespace fourfall::graph
