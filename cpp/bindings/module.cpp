// Defines the Python module fourfall._core.
#include <string>

#include "bindings/bindings.hpp"
#include "platform/clock.hpp"
#include "platform/processor.hpp"

NB_MODULE(_core, module) {
    // Caches and threads may still reference boards when the interpreter exits: that is not an error.
    nanobind::set_leak_warnings(false);
    module.doc() = "Native core of Fourfall. Import its names from the package fourfall.";
    module.attr("version") = FOURFALL_VERSION;
    fourfall::bind_game(module);
    fourfall::bind_board_batch(module);
    fourfall::bind_network(module);
    fourfall::bind_search(module);
    fourfall::bind_engine(module);
}

void fourfall::poll_signals() {
    const nanobind::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

fourfall::Poll fourfall::make_signal_poll() {
    const nanobind::module_ threading = nanobind::module_::import_("threading");
    if (!threading.attr("current_thread")().is(threading.attr("main_thread")())) return [] {};
    return [next = SteadyClock::now() + std::chrono::milliseconds(100)]() mutable {
        if (SteadyClock::now() < next) return;
        next = SteadyClock::now() + std::chrono::milliseconds(100);
        poll_signals();
    };
}

int fourfall::read_threads(std::optional<std::int64_t> threads) {
    constexpr std::int64_t kMaxThreads = 1024;
    if (!threads) return count_cores();
    if (*threads < 1 || *threads > kMaxThreads)
        throw nanobind::value_error(
            ("threads must be 1 to " + std::to_string(kMaxThreads) + ", not " + std::to_string(*threads)).c_str());
    return static_cast<int>(*threads);
}
