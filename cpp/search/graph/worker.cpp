// Starts and joins the helper threads of a search.
#include "search/graph/worker.hpp"

#include <stop_token>
#include <utility>

namespace fourfall::graph {

HelperThreads::~HelperThreads() {
    interrupt_();
    for (std::jthread& thread : threads_) thread.request_stop();
}

void HelperThreads::add(std::function<bool()> step) {
    threads_.emplace_back([step = std::move(step)](const std::stop_token& stop) {
        while (!stop.stop_requested() && step()) {
        }
    });
}

}  // namespace fourfall::graph
