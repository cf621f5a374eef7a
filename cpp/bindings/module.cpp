// Owns the native module's table of contents.
#include "bindings/bindings.hpp"

NB_MODULE(_core, module) {
    // A cache or a thread that still holds a board when the interpreter ends is nobody's mistake.
    nanobind::set_leak_warnings(false);
    module.doc() = "The native core of Fourfall; import its names from fourfall.";
    module.attr("version") = FOURFALL_VERSION;
    fourfall::bind_game(module);
    fourfall::bind_network(module);
    fourfall::bind_search(module);
    fourfall::bind_engine(module);
}

void fourfall::poll_signals() {
    const nanobind::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}
