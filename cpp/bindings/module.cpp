// Defines the Python module fourfall._core.
#include "bindings/bindings.hpp"

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
