// Python bindings of cpp/engine: the engine and the solver.
#include "engine/engine.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "bindings/batch_docs.hpp"
#include "bindings/bindings.hpp"
#include "bindings/search_docs.hpp"
#include "engine/exact.hpp"
#include "engine/solve_many.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fourfall {
namespace {

using Search = Analysis (Engine::*)(const Board&, const Limit&, const Poll&, StopToken*);

template <Search kSearch>
Analysis run(Engine& engine, const Board& board, std::optional<Limit> limit, StopToken* stop_token) {
    const Board start = board;  // another thread may change the original during the search
    const Poll poll = make_signal_poll();
    nb::gil_scoped_release unlocked;
    return (engine.*kSearch)(start, limit.value_or(Limit{}), poll, stop_token);
}

std::optional<Score> get_exact_score(const solver::ScoreBounds& bounds) {
    return bounds.is_exact() ? std::optional(bounds.lower) : std::nullopt;
}

solver::Budget read_budget(std::optional<double> time, const std::optional<Integer>& positions) {
    if (time && !(*time >= 0 && std::isfinite(*time)))
        throw nb::value_error("time must be a finite number of seconds, at least 0");
    return {time, read_count("positions", positions)};
}

solver::Solution solve(ExactSolver& solver, const Board& board, const solver::Budget& budget, bool columns) {
    const Board start = board;
    const Poll poll = make_signal_poll();
    nb::gil_scoped_release unlocked;
    return solver.solve(start, columns, budget, poll);
}

// A negative number is too little memory, which the solver says.
std::uint64_t to_bytes(const Integer& memory_mb) {
    constexpr std::int64_t kMax = std::int64_t{1} << 40;
    if (memory_mb.value() < 0) return 0;
    return static_cast<std::uint64_t>(memory_mb.require("memory_mb", 0, kMax)) << 20;
}

int read_solver_threads(const Integer& threads) { return read_threads(std::optional(threads)); }

std::vector<solver::Solution> solve_boards(nb::handle boards, std::optional<double> time,
                                           const std::optional<Integer>& positions, bool columns,
                                           const Integer& memory_mb, const std::optional<Integer>& threads,
                                           const nb::object& progress) {
    SolveManyOptions options{columns, read_budget(time, positions), to_bytes(memory_mb), read_threads(threads)};
    options.poll = make_signal_poll();
    if (!progress.is_none())
        options.report = [&](std::size_t index, const solver::Solution& solution) {
            const nb::gil_scoped_acquire locked;
            progress(index, solution);
        };
    const std::vector<Board> list = read_boards(boards).boards;
    const nb::gil_scoped_release unlocked;
    return solve_many(list, options);
}

void bind_solver(nb::module_& module) {
    using solver::ColumnSolution;
    using solver::Solution;
    nb::class_<ColumnSolution>(module, "ColumnSolution", docs::kColumnSolution)
        .def(
            "__init__",
            [](ColumnSolution* self, const Integer& column, const Score& score) {
                new (self) ColumnSolution{read_column(column), {score, score}};
            },
            "column"_a, "score"_a)
        .def_ro("column", &ColumnSolution::column, "Index of the column, from 0.")
        .def_prop_ro(
            "score", [](const ColumnSolution& self) { return get_exact_score(self.bounds); }, docs::kSolvedScore)
        .def_prop_ro(
            "lower", [](const ColumnSolution& self) { return self.bounds.lower; }, docs::kLower)
        .def_prop_ro("upper", [](const ColumnSolution& self) { return self.bounds.upper; }, docs::kUpper);
    nb::class_<Solution>(module, "Solution", docs::kSolution)
        .def(
            "__init__",
            [](Solution* self, const Board& board, const Score& score, std::vector<int> pv,
               std::vector<ColumnSolution> columns) {
                new (self) Solution{{score, score}, std::move(pv), std::move(columns), 0, 0, board};
            },
            "board"_a, "score"_a, "pv"_a, "columns"_a)
        .def_prop_ro(
            "board", [](const Solution& self) { return self.board.value(); }, docs::kSearchedBoard)
        .def_prop_ro(
            "score", [](const Solution& self) { return get_exact_score(self.bounds); }, docs::kSolvedScore)
        .def_prop_ro(
            "lower", [](const Solution& self) { return self.bounds.lower; }, docs::kLower)
        .def_prop_ro(
            "upper", [](const Solution& self) { return self.bounds.upper; }, docs::kUpper)
        .def_ro("pv", &Solution::pv, "Principal variation under perfect play; empty unless the position is solved.")
        .def_ro("columns", &Solution::columns, "Every legal column, from left to right; empty without `columns=True`.")
        .def_ro("positions", &Solution::positions, "Number of positions searched.")
        .def_ro("seconds", &Solution::seconds, "Duration in seconds.");
    nb::class_<ExactSolver>(module, "Solver", docs::kSolver)
        .def(
            "__init__",
            [](ExactSolver* self, const Integer& memory_mb, const Integer& threads) {
                new (self) ExactSolver(to_bytes(memory_mb), read_solver_threads(threads));
            },
            nb::kw_only(), "memory_mb"_a = 64, "threads"_a = 1)
        .def(
            "solve",
            [](ExactSolver& self, const Board& board, std::optional<double> time,
               const std::optional<Integer>& positions,
               bool columns) { return solve(self, board, read_budget(time, positions), columns); },
            "board"_a, nb::kw_only(), "time"_a = nb::none(), "positions"_a = nb::none(), "columns"_a = false,
            docs::kSolverSolve)
        .def("stop", &ExactSolver::stop,
             "Ends the running `solve`, which returns the bounds found so far. May be called from any thread.")
        .def("snapshot", &ExactSolver::snapshot, nb::call_guard<nb::gil_scoped_release>(), docs::kSolverSnapshot);
    module.def(
        "solve",
        [](const Board& board, std::optional<double> time, const std::optional<Integer>& positions, bool columns,
           const Integer& memory_mb, const Integer& threads) {
            const std::uint64_t memory_bytes = to_bytes(memory_mb);
            const int thread_count = read_solver_threads(threads);
            const solver::Budget budget = read_budget(time, positions);
            // The search for a near end takes less time than releasing the GIL, so it runs under the GIL.
            std::optional<nb::gil_scoped_release> unlocked;
            const auto begin_search = [&] {
                Poll poll = make_signal_poll();
                unlocked.emplace();
                return poll;
            };
            return solve_once(board, columns, budget, memory_bytes, thread_count, begin_search);
        },
        "board"_a, nb::kw_only(), "time"_a = nb::none(), "positions"_a = nb::none(), "columns"_a = false,
        "memory_mb"_a = 64, "threads"_a = 1, docs::kSolve);
    module.def("solve_many", &solve_boards, "boards"_a, nb::kw_only(), "time"_a = nb::none(),
               "positions"_a = nb::none(), "columns"_a = false, "memory_mb"_a = 64, "threads"_a = nb::none(),
               "progress"_a = nb::none(),
               nb::sig("def solve_many(boards: BoardBatch | collections.abc.Iterable[Board], *, time: float | None = "
                       "None, positions: int | None = None, columns: bool = False, memory_mb: int = 64, threads: int | "
                       "None = None, progress: collections.abc.Callable[[int, Solution], object] | None = None) -> "
                       "list[Solution]"),
               docs::kSolveMany);
}

}  // namespace

void bind_engine(nb::module_& module) {
    nb::exception<EngineError>(module, "EngineError", PyExc_ValueError).attr("__doc__") = docs::kEngineError;
    nb::class_<StopToken>(module, "StopToken", docs::kStopToken)
        .def(nb::init<>())
        .def("stop", &StopToken::stop, docs::kStopTokenStop)
        .def_prop_ro("is_requested", &StopToken::is_requested, "Whether `stop` was called.");
    nb::class_<Engine>(module, "Engine", "Base class of fourfall.Engine, which adds presets.")
        .def(nb::init<const EngineConfig&, std::uint64_t, std::uint64_t>(), "config"_a, "seed"_a, "memory_bytes"_a)
        .def("analyse", &run<&Engine::analyse>, "board"_a, "limit"_a = nb::none(), nb::kw_only(),
             "stop_token"_a = nb::none(), docs::kAnalyse)
        .def("search", &run<&Engine::search>, "board"_a, "limit"_a = nb::none(), nb::kw_only(),
             "stop_token"_a = nb::none(), docs::kSearch)
        .def(
            "play",
            [](Engine& self, const Board& board, std::optional<Limit> limit) {
                return run<&Engine::search>(self, board, limit, nullptr).move;
            },
            "board"_a, "limit"_a = nb::none(), docs::kPlay)
        .def(
            "evaluate",
            [](const Engine& self, nb::handle boards, const std::optional<Integer>& threads) {
                return evaluate_boards(self.network(), boards, threads);
            },
            "boards"_a, nb::kw_only(), "threads"_a = nb::none(), nb::sig(FOURFALL_EVALUATE_SIGNATURE("evaluate")),
            docs::kEngineEvaluate)
        .def("stop", &Engine::stop, docs::kStop)
        .def("snapshot", &Engine::snapshot, nb::call_guard<nb::gil_scoped_release>(), docs::kSnapshot)
        .def("clear", &Engine::clear, docs::kClear)
        .def(
            "tree",
            [](Engine& self, const Integer& depth) {
                return self.tree(static_cast<int>(std::clamp<std::int64_t>(depth.value(), -1, kMaxCells)));
            },
            "depth"_a = 1, docs::kTree);
    bind_solver(module);
}

}  // namespace fourfall
