// Python bindings of cpp/game.
#include <nanobind/ndarray.h>
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <random>

#include "bindings/bindings.hpp"
#include "bindings/game_docs.hpp"
#include "game/board.hpp"
#include "game/errors.hpp"
#include "game/key.hpp"
#include "game/notation.hpp"
#include "game/perft.hpp"
#include "game/rollouts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fourfall {
namespace {

using Pair = std::pair<int, int>;

Pair pair_of(Cell cell) { return {cell.row, cell.col}; }

std::vector<Pair> to_pairs(const std::vector<Cell>& cells) {
    std::vector<Pair> out;
    out.reserve(cells.size());
    for (const Cell cell : cells) out.push_back(pair_of(cell));
    return out;
}

std::vector<Cell> to_cells(const std::vector<IntegerPair>& pairs) {
    std::vector<Cell> out;
    out.reserve(pairs.size());
    for (const IntegerPair& pair : pairs) out.push_back(read_cell("stone", pair));
    return out;
}

std::optional<Cell> to_cell(const char* what, const std::optional<IntegerPair>& pair) {
    return pair ? std::optional(read_cell(what, *pair)) : std::nullopt;
}

int require_column(const Board& board, const Integer& column) {
    const int cols = board.geometry().cols();
    if (column.is_in(0, cols - 1)) return static_cast<int>(column.value());
    throw nb::index_error(describe_column_off_board(column, cols).c_str());
}

void push(Board& board, const Integer& column) {
    const int cols = board.geometry().cols();
    if (!column.is_in(0, cols - 1)) throw IllegalMove(describe_column_off_board(column, cols));
    board.push(static_cast<int>(column.value()));
}

std::optional<Pair> get_hole(const Geometry& geometry) {
    return geometry.hole() ? std::optional(pair_of(*geometry.hole())) : std::nullopt;
}

std::size_t compute_hash(const Geometry& geometry) {
    const auto hole = geometry.hole().value_or(Cell{-1, -1});
    return mix_bits(((geometry.rows() * 16 + geometry.cols()) * 16 + hole.row + 1) * 16 + hole.col + 1);
}

std::vector<int> to_columns(const WideLayout::Bits& drops) {
    std::vector<int> out;
    for (auto rest = drops; rest.any(); rest &= ~rest.lowest()) out.push_back(WideLayout::col_of(rest.lowest_index()));
    return out;
}

int require_player(const std::optional<Integer>& player, const Board& board) {
    if (!player) return board.turn();
    if (!player->is_in(0, 1)) throw nb::value_error(("player must be 0 or 1, not " + player->text()).c_str());
    return static_cast<int>(player->value());
}

void require_history(const Board& board, const char* message) {
    if (board.ply() == 0) throw nb::index_error(message);
}

// A string with lone surrogates has no UTF-8 form; report it as a NotationError, not as a TypeError.
Board parse(const nb::str& text) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data == nullptr) {
        PyErr_Clear();
        Py_ssize_t at = 0;  // the first surrogate; all other characters can be encoded
        while ((PyUnicode_ReadChar(text.ptr(), at) & 0xfffff800U) != 0xd800U) ++at;
        throw NotationError("character " + std::to_string(at + 1) + ": a lone surrogate is not a character");
    }
    return parse_board({data, static_cast<std::size_t>(size)});
}

Board make_random_board(const std::optional<Unsigned>& seed) {
    if (seed) return Board::random(seed->require("seed", 0));
    std::random_device device;
    return Board::random((std::uint64_t{device()} << 32) | device());
}

using Planes = nb::ndarray<nb::numpy, float, nb::ndim<3>>;

Planes planes(const Board& board) {
    const std::size_t rows = board.geometry().rows(), cols = board.geometry().cols();
    const auto& masks = board.masks();
    const auto& position = board.position();
    const auto drops = board.is_over() ? WideLayout::Bits{} : position.drops(masks);
    const std::array sets{position.mine, position.theirs, drops, masks.hole};
    auto* data = new float[sets.size() * rows * cols]();
    nb::capsule owner(data, [](void* pointer) noexcept { delete[] static_cast<float*>(pointer); });
    for (std::size_t plane = 0; plane < sets.size(); ++plane)
        for (auto rest = sets[plane]; rest.any(); rest &= ~rest.lowest()) {
            const int index = rest.lowest_index();
            const std::size_t row = rows - 1 - WideLayout::height_of(index);
            data[(plane * rows + row) * cols + WideLayout::col_of(index)] = 1.0F;
        }
    return Planes(data, {sets.size(), rows, cols}, owner);
}

// Raises ValueError if a number is negative or does not fit Value.
template <class Value>
Value require_count(const char* what, const Integer& number) {
    if (number.value() < 0)
        throw nb::value_error((std::string(what) + " must not be negative, not " + number.text()).c_str());
    return static_cast<Value>(number.require(what, 0, std::numeric_limits<Value>::max()));
}

void bind_board_construction(nb::class_<Board>& board) {
    board
        .def(
            "__init__",
            [](Board* self, const Integer& rows, const Integer& cols, const std::optional<IntegerPair>& hole) {
                new (self) Board(make_geometry(rows, cols, hole));
            },
            "rows"_a, "cols"_a, "hole"_a = nb::none())
        .def_static("random", &make_random_board, "seed"_a = nb::none(), docs::kRandom)
        .def_static("parse", &parse, "text"_a, docs::kParse)
        .def_static(
            "from_geometry", [](const Geometry& geometry) { return Board(geometry); }, "geometry"_a,
            docs::kFromGeometry)
        .def_static(
            "from_stones",
            [](const Geometry& geometry, const std::vector<IntegerPair>& first, const std::vector<IntegerPair>& second,
               const std::optional<IntegerPair>& last) {
                return Board::from_stones(geometry, to_cells(first), to_cells(second), to_cell("last stone", last));
            },
            "geometry"_a, "first"_a, "second"_a, "last"_a = nb::none(), docs::kFromStones);
}

void bind_board_methods(nb::class_<Board>& board) {
    board.def("push", &push, "column"_a, docs::kPush)
        .def(
            "pop",
            [](Board& self) {
                require_history(self, "cannot pop: the board has no moves");
                return self.pop();
            },
            docs::kPop)
        .def(
            "peek",
            [](const Board& self) {
                require_history(self, "cannot peek: the board has no moves");
                return int{self.moves().back()};
            },
            docs::kPeek)
        .def(
            "is_legal",
            [](const Board& self, const Integer& column) {
                return column.is_in(0, kMaxSide) && self.is_legal(static_cast<int>(column.value()));
            },
            "column"_a, docs::kIsLegal)
        .def(
            "landing_row",
            [](const Board& self, const Integer& column) { return self.landing_row(require_column(self, column)); },
            "column"_a, docs::kLandingRow)
        .def("outcome", &Board::outcome, docs::kOutcome)
        .def(
            "copy", [](const Board& self) { return self; }, docs::kCopy)
        .def("mirror", &Board::mirror, docs::kMirror)
        .def(
            "threats",
            [](const Board& self, const std::optional<Integer>& player) {
                return to_pairs(self.threats(require_player(player, self)));
            },
            "player"_a = nb::none(), docs::kThreats)
        .def(
            "stone_at",
            [](const Board& self, const Integer& row, const Integer& col) {
                if (!row.is_in(0, self.geometry().rows() - 1) || !col.is_in(0, self.geometry().cols() - 1))
                    throw nb::index_error(
                        ("row " + row.text() + ", column " + col.text() + " is off the board").c_str());
                return self.stone_at({static_cast<int>(row.value()), static_cast<int>(col.value())});
            },
            "row"_a, "col"_a, docs::kStoneAt)
        .def("planes", &planes, docs::kPlanes);
}

void bind_board_properties(nb::class_<Board>& board) {
    board.def_prop_ro(
             "geometry", [](const Board& self) { return self.geometry(); }, docs::kBoardGeometry)
        .def_prop_ro(
            "rows", [](const Board& self) { return self.geometry().rows(); }, docs::kRows)
        .def_prop_ro(
            "cols", [](const Board& self) { return self.geometry().cols(); }, docs::kCols)
        .def_prop_ro(
            "hole", [](const Board& self) { return get_hole(self.geometry()); }, docs::kHole)
        .def_prop_ro("turn", &Board::turn, docs::kTurn)
        .def_prop_ro("ply", &Board::ply, docs::kPly)
        .def_prop_ro(
            "moves", [](const Board& self) { return std::vector<int>(self.moves().begin(), self.moves().end()); },
            docs::kMoves)
        .def_prop_ro("is_over", &Board::is_over, docs::kIsOver)
        .def_prop_ro(
            "legal_moves",
            [](const Board& self) {
                return self.is_over() ? std::vector<int>{} : to_columns(self.position().drops(self.masks()));
            },
            docs::kLegalMoves)
        .def_prop_ro(
            "winning_moves",
            [](const Board& self) {
                return self.is_over() ? std::vector<int>{} : to_columns(self.position().winning_drops(self.masks()));
            },
            docs::kWinningMoves)
        .def_prop_ro(
            "safe_moves",
            [](const Board& self) {
                return self.is_over() ? std::vector<int>{} : to_columns(self.position().safe_drops(self.masks()));
            },
            docs::kSafeMoves)
        .def_prop_ro(
            "last_cell",
            [](const Board& self) { return self.ply() > 0 ? std::optional(pair_of(self.last_cell())) : std::nullopt; },
            docs::kLastCell)
        .def_prop_ro("notation", &notation, docs::kNotation)
        .def_prop_ro("key", &Board::key, docs::kKey);
}

void bind_board(nb::module_& module) {
    nb::class_<Board> board(module, "Board", docs::kBoard);
    bind_board_construction(board);
    bind_board_methods(board);
    bind_board_properties(board);
    board.def("__str__", &draw)
        .def("__repr__", [](const Board& self) { return "Board.parse('" + notation(self) + "')"; })
        .def(nb::self == nb::self, nb::sig(kEqualSignature))
        .def("__hash__", [](const Board& self) { return mix_bits(self.key() ^ compute_hash(self.geometry())); })
        .def("__getstate__", &notation)
        .def("__setstate__", [](Board& self, const std::string& text) { new (&self) Board(parse_board(text)); });
}

void bind_geometry(nb::module_& module) {
    nb::class_<Geometry>(module, "Geometry", docs::kGeometry)
        .def(
            "__init__",
            [](Geometry* self, const Integer& rows, const Integer& cols, const std::optional<IntegerPair>& hole) {
                new (self) Geometry(make_geometry(rows, cols, hole));
            },
            "rows"_a, "cols"_a, "hole"_a = nb::none())
        .def_prop_ro("rows", &Geometry::rows, docs::kRows)
        .def_prop_ro("cols", &Geometry::cols, docs::kCols)
        .def_prop_ro("hole", &get_hole, docs::kHole)
        .def_prop_ro("cells", &Geometry::cells, docs::kCells)
        .def_prop_ro("is_symmetric", &Geometry::is_symmetric, docs::kIsSymmetric)
        .def("mirror", &Geometry::mirror, docs::kGeometryMirror)
        .def("__str__", &Geometry::notation)
        .def("__repr__",
             [](const Geometry& self) {
                 std::string text = "Geometry(" + std::to_string(self.rows()) + ", " + std::to_string(self.cols());
                 if (const auto hole = self.hole())
                     text += ", hole=(" + std::to_string(hole->row) + ", " + std::to_string(hole->col) + ")";
                 return text + ")";
             })
        .def(nb::self == nb::self, nb::sig(kEqualSignature))
        .def("__hash__", &compute_hash)
        .def("__getstate__",
             [](const Geometry& self) { return std::make_tuple(self.rows(), self.cols(), get_hole(self)); })
        .def("__setstate__", [](Geometry& self, const std::tuple<Integer, Integer, std::optional<IntegerPair>>& state) {
            new (&self) Geometry(std::apply(make_geometry, state));
        });
}

void bind_outcome(nb::module_& module) {
    nb::class_<Outcome>(module, "Outcome", docs::kOutcomeClass)
        .def_ro("winner", &Outcome::winner, docs::kWinner)
        .def_prop_ro(
            "cells", [](const Outcome& self) { return to_pairs(self.cells); }, docs::kWinningCells)
        .def_prop_ro(
            "is_draw", [](const Outcome& self) { return !self.winner; }, docs::kIsDraw)
        .def("__repr__",
             [](const Outcome& self) {
                 return std::string("<Outcome: ") +
                        (!self.winner        ? "draw"
                         : *self.winner == 0 ? "the first player won"
                                             : "the second player won") +
                        ">";
             })
        .def(nb::self == nb::self, nb::sig(kEqualSignature))
        .def("__hash__",
             [](const Outcome& self) {
                 return nb::hash(nb::make_tuple(self.winner, nb::tuple(nb::cast(to_pairs(self.cells)))));
             })
        .def("__getstate__", [](const Outcome& self) { return std::make_pair(self.winner, to_pairs(self.cells)); })
        .def("__setstate__", [](Outcome& self, const std::pair<std::optional<int>, std::vector<Pair>>& state) {
            new (&self) Outcome{state.first, {}};
            for (const auto& [row, col] : state.second) self.cells.push_back({row, col});
        });
}

void bind_rollout_counts(nb::module_& module) {
    nb::class_<RolloutCounts>(module, "RolloutCounts", docs::kRolloutCounts)
        .def_ro("first", &RolloutCounts::first, "Games won by the first player.")
        .def_ro("draws", &RolloutCounts::draws, "Games in which the board was filled without a winner.")
        .def_ro("second", &RolloutCounts::second, "Games won by the second player.")
        .def_ro("plies", &RolloutCounts::plies, "Moves of all games together.")
        .def("__getstate__",
             [](const RolloutCounts& self) { return std::make_tuple(self.first, self.draws, self.second, self.plies); })
        .def("__setstate__",
             [](RolloutCounts& self,
                const std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>& state) {
                 new (&self) RolloutCounts(std::make_from_tuple<RolloutCounts>(state));
             })
        .def("__repr__", [](const RolloutCounts& self) {
            return "RolloutCounts(first=" + std::to_string(self.first) + ", draws=" + std::to_string(self.draws) +
                   ", second=" + std::to_string(self.second) + ", plies=" + std::to_string(self.plies) + ")";
        });
}

void bind_counting(nb::module_& module) {
    module.def(
        "rollouts",
        [](const Board& board, const Integer& games, const Unsigned& seed) {
            const auto count = require_count<std::int64_t>("the number of games n", games);
            const std::uint64_t start_seed = seed.require("seed", 0);
            const Board start = board;  // another thread may change the original
            nb::gil_scoped_release unlocked;
            return rollouts(start, static_cast<std::uint64_t>(count), start_seed, &poll_signals);
        },
        "board"_a, "n"_a, "seed"_a = 0, docs::kRollouts);
    module.def(
        "perft",
        [](const Board& board, const Integer& depth) {
            const int plies = require_count<int>("the depth", depth);
            const Board start = board;
            nb::gil_scoped_release unlocked;
            return perft(start, plies, &poll_signals);
        },
        "board"_a, "depth"_a, docs::kPerft);
}

}  // namespace

void bind_game(nb::module_& module) {
    nb::exception<InvalidBoard>(module, "InvalidBoard", PyExc_ValueError).attr("__doc__") = docs::kInvalidBoard;
    nb::exception<IllegalMove>(module, "IllegalMove", PyExc_ValueError).attr("__doc__") = docs::kIllegalMove;
    nb::exception<NotationError>(module, "NotationError", PyExc_ValueError).attr("__doc__") = docs::kNotationError;
    bind_geometry(module);
    bind_outcome(module);
    bind_rollout_counts(module);
    bind_board(module);
    bind_counting(module);
}

}  // namespace fourfall
