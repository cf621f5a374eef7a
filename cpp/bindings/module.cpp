// Defines the Python module fourfall._core.
#include <limits>
#include <optional>
#include <string>

#include "bindings/bindings.hpp"
#include "game/bits.hpp"
#include "game/errors.hpp"
#include "platform/clock.hpp"
#include "platform/processor.hpp"

namespace {

// The thread in which Python handles signals. The GIL guards it.
unsigned long main_thread = 0;

// In a forked process the thread that called fork() is the main thread.
void track_main_thread() {
    namespace nb = nanobind;
    main_thread = nb::cast<unsigned long>(nb::module_::import_("threading").attr("main_thread")().attr("ident"));
    const nb::object os = nb::module_::import_("os");
    if (!nb::hasattr(os, "register_at_fork")) return;
    const auto update = [] { main_thread = PyThread_get_thread_ident(); };
    os.attr("register_at_fork")(nb::arg("after_in_child") = nb::cpp_function(update));
}

}  // namespace

NB_MODULE(_core, module) {
    // Caches and threads may still reference boards when the interpreter exits: that is not an error.
    nanobind::set_leak_warnings(false);
    module.doc() = "Native core of Fourfall. Import its names from the package fourfall.";
    module.attr("version") = FOURFALL_VERSION;
    track_main_thread();
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
    if (PyThread_get_thread_ident() != main_thread) return [] {};
    return [next = std::optional<SteadyClock::time_point>()]() mutable {
        const auto now = SteadyClock::now();
        const bool is_due = next && now >= *next;
        if (!next || is_due) next = now + std::chrono::milliseconds(100);
        if (is_due) poll_signals();
    };
}

int fourfall::read_threads(const std::optional<Integer>& threads) {
    constexpr std::int64_t kMaxThreads = 1024;
    if (!threads) return count_cores();
    return static_cast<int>(threads->require("threads", 1, kMaxThreads));
}

std::optional<std::uint64_t> fourfall::read_count(const char* what, const std::optional<Integer>& count) {
    if (!count) return std::nullopt;
    if (count->value() < 1)
        throw nanobind::value_error((std::string(what) + " must be at least 1, not " + count->text()).c_str());
    return static_cast<std::uint64_t>(count->require(what, 1));
}

namespace {

// Whether every function of the core can name the number itself.
bool is_int(const fourfall::Integer& number) {
    return number.is_in(std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
}

int require_side(const char* what, const fourfall::Integer& number) {
    if (is_int(number)) return static_cast<int>(number.value());
    throw fourfall::InvalidBoard("a board has " + std::to_string(fourfall::kMinSide) + " to " +
                                 std::to_string(fourfall::kMaxSide) + " " + what + ", not " + number.text());
}

}  // namespace

fourfall::Geometry fourfall::make_geometry(const Integer& rows, const Integer& cols,
                                           const std::optional<IntegerPair>& hole) {
    return Geometry(require_side("rows", rows), require_side("columns", cols),
                    hole ? std::optional(read_cell("hole", *hole)) : std::nullopt);
}

fourfall::Cell fourfall::read_cell(const char* what, const IntegerPair& pair) {
    const auto& [row, col] = pair;
    if (is_int(row) && is_int(col)) return {static_cast<int>(row.value()), static_cast<int>(col.value())};
    throw InvalidBoard(std::string(what) + " (" + row.text() + ", " + col.text() + ") is off the board");
}

int fourfall::read_column(const Integer& column) { return static_cast<int>(column.require("column", 0, kMaxSide - 1)); }

std::string fourfall::describe_column_off_board(const Integer& column, int cols) {
    return "column " + column.text() + " is off the board: columns are 0.." + std::to_string(cols - 1);
}
