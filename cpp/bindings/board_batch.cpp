// Python bindings of BoardBatch: NumPy arrays that share the memory of the batch.
#include "game/board_batch.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>

#include "bindings/batch_docs.hpp"
#include "bindings/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fourfall {
namespace {

constexpr std::int64_t kMaxCount = 1 << 24;
constexpr std::int64_t kMaxBuffers = 4096;

// The Python object: the batch and its arrays, which are made once.
class BatchObject {
public:
    explicit BatchObject(std::unique_ptr<BoardBatch> batch) : batch_(std::move(batch)) {
        for (BatchArrays& arrays : batch_->arrays()) views_.push_back(make_views(arrays));
    }

    BoardBatch& batch() const { return *batch_; }

    struct Views {
        nb::object planes, masks, rewards, terminated, winners, turns, plies;
    };
    const Views& views() const { return views_[batch_->current()]; }

private:
    // An array whose memory belongs to the batch, which lives at least as long as the array.
    template <class Value>
    nb::object make_view(void* data, std::initializer_list<std::size_t> shape) const {
        const nb::capsule owner(new std::shared_ptr<BoardBatch>(batch_), [](void* pointer) noexcept {
            delete static_cast<std::shared_ptr<BoardBatch>*>(pointer);
        });
        return nb::cast(nb::ndarray<nb::numpy, Value>(data, shape, owner));
    }

    Views make_views(BatchArrays& arrays) const {
        const auto count = static_cast<std::size_t>(batch_->count());
        const auto rows = static_cast<std::size_t>(batch_->rows()), cols = static_cast<std::size_t>(batch_->cols());
        const auto shape = {count, std::size_t{kBatchPlanes}, rows, cols};
        void* planes = arrays.planes.data();
        return {batch_->options().plane_type == PlaneType::kFloat32 ? make_view<float>(planes, shape)
                                                                    : make_view<std::uint8_t>(planes, shape),
                make_view<bool>(arrays.masks.data(), {count, cols}),
                make_view<float>(arrays.rewards.data(), {count}),
                make_view<bool>(arrays.terminated.data(), {count}),
                make_view<std::int8_t>(arrays.winners.data(), {count}),
                make_view<std::int8_t>(arrays.turns.data(), {count}),
                make_view<std::int32_t>(arrays.plies.data(), {count})};
    }

    std::shared_ptr<BoardBatch> batch_;
    std::vector<Views> views_;
};

int require_range(const char* what, const Integer& value, std::int64_t max) {
    return static_cast<int>(value.require(what, 1, max));
}

PlaneType read_plane_type(nb::handle dtype) {
    std::string name;
    try {
        name = nb::cast<std::string>(nb::module_::import_("numpy").attr("dtype")(dtype).attr("name"));
    } catch (const nb::python_error&) {
        name = nb::cast<std::string>(nb::str(dtype));  // not a data type: the message below names it
    }
    if (name == "float32") return PlaneType::kFloat32;
    if (name == "uint8") return PlaneType::kUint8;
    throw nb::value_error(("dtype must be float32 or uint8, not " + name).c_str());
}

BatchOptions read_options(bool auto_reset, nb::handle dtype, const Integer& threads, const Integer& buffers,
                          const Unsigned& seed) {
    return {auto_reset, read_plane_type(dtype), require_range("threads", threads, kMaxBatchThreads),
            require_range("buffers", buffers, kMaxBuffers), seed.require("seed", 0)};
}

using AnyArray = nb::ndarray<nb::ro>;

// Converts an argument to an array: of NumPy, of another library (DLPack), or a list. Copies only what it must.
std::optional<AnyArray> to_array(nb::handle argument) {
    AnyArray array;
    if (nb::try_cast(argument, array)) return array;
    try {
        const nb::module_ numpy = nb::module_::import_("numpy");
        const nb::object converted = numpy.attr("asarray")(argument);
        if (nb::try_cast(converted, array)) return array;
        // DLPack has neither a byte order nor strides in bytes, as fields of records have them: copy.
        const nb::object native = converted.attr("dtype").attr("newbyteorder")("=");
        if (nb::try_cast(numpy.attr("array")(converted, native), array)) return array;
        return std::nullopt;
    } catch (const nb::python_error&) {
        return std::nullopt;  // not an array: the caller says what it must be
    }
}

// Describes a wrong argument: "float64 of shape (3,)", or its type.
std::string describe(nb::handle argument) {
    try {
        const nb::object array = nb::module_::import_("numpy").attr("asarray")(argument);
        return nb::cast<std::string>(
            nb::str("{} of shape {}").attr("format")(array.attr("dtype"), array.attr("shape")));
    } catch (const nb::python_error&) {
        return nb::cast<std::string>(nb::str(nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(argument.ptr())))));
    }
}

// An array with one element per board, in the memory of this process.
AnyArray read_array(const char* name, const char* kind, nb::handle argument, int count,
                    bool (*is_valid)(nb::dlpack::dtype)) {
    const std::optional<AnyArray> array = to_array(argument);
    if (array && array->ndim() == 1 && array->shape(0) == static_cast<std::size_t>(count) &&
        array->device_type() == nb::device::cpu::value && is_valid(array->dtype()))
        return *array;
    const std::string message =
        std::string(name) + " must be " + std::to_string(count) + " " + kind + ", not " +
        (array && array->device_type() != nb::device::cpu::value ? "on another device" : describe(argument));
    if (array && is_valid(array->dtype())) throw nb::value_error(message.c_str());
    throw nb::type_error(message.c_str());
}

template <class Value>
void copy_columns(const AnyArray& array, std::vector<std::int64_t>& columns) {
    const auto* data = static_cast<const Value*>(array.data());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const Value column = data[static_cast<std::int64_t>(i) * array.stride(0)];
        columns[i] = static_cast<std::int64_t>(+column);
    }
}

// Raises IllegalMove if a list contains an integer that does not fit 64 bits. NumPy makes an array of objects, of
// floating point numbers or of unsigned integers of it.
void refuse_huge_columns(const BatchObject& self, nb::handle actions) {
    if (!nb::hasattr(actions, "__iter__")) return;
    int index = 0;
    for (const nb::handle item : nb::iter(actions)) {
        Integer column;
        if (!nb::try_cast(item, column)) return;
        if (column.is_clamped()) self.batch().throw_off_board(index, column.text());
        ++index;
    }
}

std::vector<std::int64_t> read_columns(const BatchObject& self, nb::handle actions) {
    const int count = self.batch().count();
    const auto is_integer = [](nb::dlpack::dtype type) {
        return (type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Int) ||
                type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::UInt)) &&
               type.lanes == 1;
    };
    AnyArray array;
    try {
        array = read_array("actions", "integers", actions, count, is_integer);
    } catch (const nb::builtin_exception&) {
        refuse_huge_columns(self, actions);
        throw;
    }
    std::vector<std::int64_t> columns(static_cast<std::size_t>(count));
    const bool is_signed = array.dtype().code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Int);
    switch (array.dtype().bits) {
        case 8:
            is_signed ? copy_columns<std::int8_t>(array, columns) : copy_columns<std::uint8_t>(array, columns);
            break;
        case 16:
            is_signed ? copy_columns<std::int16_t>(array, columns) : copy_columns<std::uint16_t>(array, columns);
            break;
        case 32:
            is_signed ? copy_columns<std::int32_t>(array, columns) : copy_columns<std::uint32_t>(array, columns);
            break;
        default:
            is_signed ? copy_columns<std::int64_t>(array, columns) : copy_columns<std::uint64_t>(array, columns);
            // Unsigned numbers from 2^63 have become negative.
            if (!is_signed && std::ranges::any_of(columns, [](std::int64_t column) { return column < 0; }))
                refuse_huge_columns(self, actions);
    }
    return columns;
}

std::vector<std::uint8_t> read_mask(nb::handle mask, int count) {
    const auto is_bool = [](nb::dlpack::dtype type) {
        return type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Bool);
    };
    const AnyArray array = read_array("mask", "booleans", mask, count, is_bool);
    std::vector<std::uint8_t> out(static_cast<std::size_t>(count));
    const auto* data = static_cast<const std::uint8_t*>(array.data());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = data[static_cast<std::int64_t>(i) * array.stride(0)];
    return out;
}

nb::tuple step(const BatchObject& self, nb::handle actions) {
    const std::vector<std::int64_t> columns = read_columns(self, actions);
    {
        const nb::gil_scoped_release unlocked;
        self.batch().step(columns);
    }
    return nb::make_tuple(self.views().rewards, self.views().terminated);
}

void reset(const BatchObject& self, nb::handle mask) {
    const auto chosen = mask.is_none() ? std::vector<std::uint8_t>{} : read_mask(mask, self.batch().count());
    const nb::gil_scoped_release unlocked;
    self.batch().reset(chosen);
}

nb::object draw_actions(const BatchObject& self) {
    const auto count = static_cast<std::size_t>(self.batch().count());
    auto* data = new std::int32_t[count];
    const nb::capsule owner(data, [](void* pointer) noexcept { delete[] static_cast<std::int32_t*>(pointer); });
    {
        const nb::gil_scoped_release unlocked;
        self.batch().draw_columns({data, count});
    }
    return nb::cast(nb::ndarray<nb::numpy, std::int32_t>(data, {count}, owner));
}

int require_index(const BatchObject& self, const Integer& number) {
    const std::int64_t count = self.batch().count(), index = number.value();
    if (!number.is_in(-count, count - 1))
        throw nb::index_error(("board " + number.text() + " is not in a batch of " + std::to_string(count) +
                               (count == 1 ? " board" : " boards"))
                                  .c_str());
    return static_cast<int>(index < 0 ? index + count : index);
}

std::vector<Board> list_boards(const BatchObject& self) {
    std::vector<Board> boards;
    boards.reserve(static_cast<std::size_t>(self.batch().count()));
    for (int i = 0; i < self.batch().count(); ++i) boards.push_back(self.batch().board(i));
    return boards;
}

std::string format(const BatchObject& self) {
    const BoardBatch& batch = self.batch();
    return "<BoardBatch: " + std::to_string(batch.count()) + (batch.count() == 1 ? " board " : " boards ") +
           (batch.geometry() ? batch.geometry()->notation() : "of several geometries") + ">";
}

// The options that all constructors share.
#define FOURFALL_BATCH_OPTIONS \
    nb::kw_only(), "auto_reset"_a = true, "dtype"_a = "float32", "threads"_a = 1, "buffers"_a = 1, "seed"_a = 0
#define FOURFALL_BATCH_SIGNATURE                                                                                  \
    "*, auto_reset: bool = True, dtype: numpy.typing.DTypeLike = 'float32', threads: int = 1, buffers: int = 1, " \
    "seed: int = 0)"

void bind_construction(nb::class_<BatchObject>& batch) {
    batch
        .def(
            "__init__",
            [](BatchObject* self, const Integer& count, const Integer& rows, const Integer& cols,
               const std::optional<IntegerPair>& hole, bool auto_reset, nb::handle dtype, const Integer& threads,
               const Integer& buffers, const Unsigned& seed) {
                const Geometry geometry = make_geometry(rows, cols, hole);
                const BatchOptions options = read_options(auto_reset, dtype, threads, buffers, seed);
                new (self) BatchObject(BoardBatch::make(geometry, require_range("count", count, kMaxCount), options));
            },
            "count"_a, "rows"_a, "cols"_a, "hole"_a = nb::none(), FOURFALL_BATCH_OPTIONS,
            nb::sig("def __init__(self, count: int, rows: int, cols: int, hole: tuple[int, int] | None = "
                    "None, " FOURFALL_BATCH_SIGNATURE " -> None"))
        .def_static(
            "random",
            [](const Integer& count, bool auto_reset, nb::handle dtype, const Integer& threads, const Integer& buffers,
               const Unsigned& seed) {
                const BatchOptions options = read_options(auto_reset, dtype, threads, buffers, seed);
                return BatchObject(BoardBatch::make_random(require_range("count", count, kMaxCount), options));
            },
            "count"_a, FOURFALL_BATCH_OPTIONS,
            nb::sig("def random(count: int, " FOURFALL_BATCH_SIGNATURE " -> BoardBatch"), docs::kBatchRandom)
        .def_static(
            "from_boards",
            [](nb::handle boards, bool auto_reset, nb::handle dtype, const Integer& threads, const Integer& buffers,
               const Unsigned& seed) {
                const BatchOptions options = read_options(auto_reset, dtype, threads, buffers, seed);
                const std::vector<Board> list = read_boards(boards).boards;
                require_range("the number of boards", static_cast<std::int64_t>(list.size()), kMaxCount);
                return BatchObject(BoardBatch::from_boards(list, options));
            },
            "boards"_a, FOURFALL_BATCH_OPTIONS,
            nb::sig("def from_boards(boards: collections.abc.Iterable[Board], " FOURFALL_BATCH_SIGNATURE
                    " -> BoardBatch"),
            docs::kBatchFromBoards);
}

template <nb::object BatchObject::Views::* kArray>
nb::object get_view(const BatchObject& self) {
    return self.views().*kArray;
}

void bind_arrays(nb::class_<BatchObject>& batch) {
    using Views = BatchObject::Views;
    batch
        .def_prop_ro("planes", &get_view<&Views::planes>,
                     nb::for_getter(nb::sig("def planes(self) -> numpy.typing.NDArray[typing.Any]")),
                     docs::kBatchPlanes)
        .def_prop_ro("masks", &get_view<&Views::masks>,
                     nb::for_getter(nb::sig("def masks(self) -> numpy.typing.NDArray[numpy.bool_]")), docs::kBatchMasks)
        .def_prop_ro("rewards", &get_view<&Views::rewards>,
                     nb::for_getter(nb::sig("def rewards(self) -> numpy.typing.NDArray[numpy.float32]")),
                     docs::kBatchRewards)
        .def_prop_ro("terminated", &get_view<&Views::terminated>,
                     nb::for_getter(nb::sig("def terminated(self) -> numpy.typing.NDArray[numpy.bool_]")),
                     docs::kBatchTerminated)
        .def_prop_ro("winners", &get_view<&Views::winners>,
                     nb::for_getter(nb::sig("def winners(self) -> numpy.typing.NDArray[numpy.int8]")),
                     docs::kBatchWinners)
        .def_prop_ro("turns", &get_view<&Views::turns>,
                     nb::for_getter(nb::sig("def turns(self) -> numpy.typing.NDArray[numpy.int8]")), docs::kBatchTurns)
        .def_prop_ro("plies", &get_view<&Views::plies>,
                     nb::for_getter(nb::sig("def plies(self) -> numpy.typing.NDArray[numpy.int32]")),
                     docs::kBatchPlies);
}

}  // namespace

BoardList read_boards(nb::handle boards) {
    if (nb::isinstance<BatchObject>(boards)) {
        const auto& batch = nb::cast<const BatchObject&>(boards);
        return {list_boards(batch), batch.batch().cols()};
    }
    BoardList list{{}, 0};
    if (!nb::hasattr(boards, "__iter__"))
        throw nb::type_error(("boards must be a BoardBatch or a sequence of boards, not " + describe(boards)).c_str());
    for (const nb::handle item : nb::iter(boards)) {
        if (!nb::isinstance<Board>(item))
            throw nb::type_error(("board " + std::to_string(list.boards.size()) + " must be a Board, not " +
                                  nb::cast<std::string>(nb::str(item.type())))
                                     .c_str());
        list.boards.push_back(nb::cast<const Board&>(item));
        list.cols = std::max(list.cols, list.boards.back().geometry().cols());
    }
    return list;
}

void bind_board_batch(nb::module_& module) {
    nb::class_<BatchObject> batch(module, "BoardBatch", docs::kBoardBatch);
    bind_construction(batch);
    bind_arrays(batch);
    batch
        .def("step", &step, "actions"_a,
             nb::sig("def step(self, actions: numpy.typing.ArrayLike) -> tuple[numpy.typing.NDArray[numpy.float32], "
                     "numpy.typing.NDArray[numpy.bool_]]"),
             docs::kBatchStep)
        .def("reset", &reset, "mask"_a = nb::none(),
             nb::sig("def reset(self, mask: numpy.typing.ArrayLike | None = None) -> None"), docs::kBatchReset)
        .def("random_actions", &draw_actions, nb::sig("def random_actions(self) -> numpy.typing.NDArray[numpy.int32]"),
             docs::kBatchRandomActions)
        .def_prop_ro("boards", &list_boards, docs::kBatchBoards)
        .def_prop_ro(
            "geometry", [](const BatchObject& self) { return self.batch().geometry(); }, docs::kBatchGeometry)
        .def_prop_ro(
            "rows", [](const BatchObject& self) { return self.batch().rows(); }, docs::kBatchRows)
        .def_prop_ro(
            "cols", [](const BatchObject& self) { return self.batch().cols(); }, docs::kBatchCols)
        .def("__len__", [](const BatchObject& self) { return self.batch().count(); })
        .def("__getitem__", [](const BatchObject& self,
                               const Integer& index) { return self.batch().board(require_index(self, index)); })
        .def("__setitem__", [](const BatchObject& self, const Integer& index,
                               const Board& board) { self.batch().set_board(require_index(self, index), board); })
        .def(
            "__iter__", [](const BatchObject& self) { return nb::iter(nb::cast(list_boards(self))); },
            nb::sig("def __iter__(self) -> collections.abc.Iterator[Board]"))
        .def("__repr__", &format);
}

}  // namespace fourfall
