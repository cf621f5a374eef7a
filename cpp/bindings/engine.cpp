// Owns the Python face of cpp/engine.
#include "engine/engine.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>

#include "bindings/bindings.hpp"
#include "bindings/search_docs.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fourfall {
namespace {

// Lets Ctrl-C end a search. Only the main thread hears signals, and asking costs the interpreter's lock, for which
// another thread may make us wait: so it asks rarely.
Poll signal_poll() {
    using Clock = std::chrono::steady_clock;
    const nb::module_ threading = nb::module_::import_("threading");
    if (!threading.attr("current_thread")().is(threading.attr("main_thread")())) return [] {};
    return [next = Clock::now() + std::chrono::milliseconds(100)]() mutable {
        if (Clock::now() < next) return;
        next = Clock::now() + std::chrono::milliseconds(100);
        poll_signals();
    };
}

Analysis analyse(Engine& engine, const Board& board, std::optional<Limit> limit) {
    const Board start = board;  // another thread may go on playing on the original
    const Poll poll = signal_poll();
    nb::gil_scoped_release unlocked;
    return engine.search(start, limit.value_or(Limit{}), poll);
}

}  // namespace

void bind_engine(nb::module_& module) {
    nb::exception<EngineError>(module, "EngineError", PyExc_ValueError).attr("__doc__") = docs::kEngineError;
    nb::class_<Engine>(module, "Engine", "The native engine; fourfall.Engine adds the presets.")
        .def(nb::init<const uct::Config&, std::uint64_t, std::uint64_t>(), "config"_a, "seed"_a, "memory_bytes"_a)
        .def("analyse", &analyse, "board"_a, "limit"_a = nb::none(), docs::kAnalyse)
        .def(
            "play",
            [](Engine& self, const Board& board, std::optional<Limit> limit) {
                return analyse(self, board, limit).move;
            },
            "board"_a, "limit"_a = nb::none(), docs::kPlay)
        .def("stop", &Engine::stop, docs::kStop)
        .def("snapshot", &Engine::snapshot, nb::call_guard<nb::gil_scoped_release>(), docs::kSnapshot)
        .def("forget", &Engine::forget, docs::kForget)
        .def("tree", &Engine::tree, "depth"_a = 1, docs::kTree);
}

}  // namespace fourfall
