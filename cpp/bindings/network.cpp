// Python bindings of cpp/search/network.
#include "search/network/network.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdio>
#include <ctime>
#include <filesystem>

#include "bindings/batch_docs.hpp"
#include "bindings/bindings.hpp"
#include "bindings/search_docs.hpp"
#include "engine/batch_evaluation.hpp"
#include "game/board.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fourfall {
namespace {

using network::InputPlanes;
using network::Network;
using network::StemConstants;
using network::Workspace;

InputPlanes input_planes(const Board& board) {
    if (board.is_over()) throw nb::value_error("the game is over: the network evaluates only unfinished games");
    return InputPlanes(board.position(), board.masks());
}

std::pair<float, std::vector<std::optional<float>>> evaluate(const Network& self, const Board& board) {
    const InputPlanes planes = input_planes(board);
    const StemConstants constants(self.weights(), board.geometry());
    Workspace work(constants.layout());
    const network::NetworkOutput output = self.evaluate(constants, planes, work);
    std::vector<std::optional<float>> logits;
    logits.reserve(static_cast<std::size_t>(board.geometry().cols()));
    for (int col = 0; col < board.geometry().cols(); ++col)
        logits.push_back(planes.landing_height(col) < 0 ? std::nullopt
                                                        : std::optional(output.logits[static_cast<std::size_t>(col)]));
    return {output.value, logits};
}

using PlaneRows = std::vector<std::vector<float>>;

std::vector<PlaneRows> make_all_planes(const Board& board) {
    const InputPlanes planes = input_planes(board);
    const Geometry& geometry = board.geometry();
    std::vector<PlaneRows> out;
    for (int plane = 0; plane < network::kPlanes; ++plane) {
        PlaneRows& grid =
            out.emplace_back(geometry.rows(), std::vector<float>(static_cast<std::size_t>(geometry.cols())));
        for (int row = 0; row < geometry.rows(); ++row)
            for (int col = 0; col < geometry.cols(); ++col)
                grid[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)] =
                    network::constant_plane_value(geometry, plane, row, col, board.ply());
    }
    for (const network::PlaneCell& one : planes.cells()) out[one.plane][one.height][one.col] = 1;
    return out;
}

// Measured in processor time, which other processes do not affect.
double measure_speed(const Network& self, const Board& board, double seconds) {
    input_planes(board);
    const StemConstants constants(self.weights(), board.geometry());
    Workspace work(constants.layout());
    const nb::gil_scoped_release unlocked;
    const std::clock_t begin = std::clock();
    const auto passed = [&] { return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; };
    int count = 0;
    do {
        self.evaluate(constants, InputPlanes(board.position(), board.masks()), work);
        ++count;
    } while (passed() < seconds);
    return count / passed();
}

std::string format_digest(const Network& self) {
    std::string text;
    for (const std::uint8_t byte : self.weights().digest) {
        char pair[3];
        std::snprintf(pair, sizeof pair, "%02x", byte);
        text += pair;
    }
    return text;
}

// Makes an array that owns the values.
nb::object to_array(std::vector<float>&& values, std::initializer_list<std::size_t> shape) {
    auto* kept = new std::vector<float>(std::move(values));
    const nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<float>*>(pointer); });
    return nb::cast(nb::ndarray<nb::numpy, float>(kept->data(), shape, owner));
}

}  // namespace

nb::tuple evaluate_boards(const Network& network, nb::handle boards, const std::optional<Integer>& threads) {
    const BoardList list = read_boards(boards);
    const int thread_count = read_threads(threads);
    BatchEvaluation result;
    {
        const Poll poll = make_signal_poll();
        const nb::gil_scoped_release unlocked;
        result = evaluate_boards(network, list.boards, list.cols, thread_count, poll);
    }
    const std::size_t count = list.boards.size(), cols = static_cast<std::size_t>(list.cols);
    return nb::make_tuple(to_array(std::move(result.values), {count}),
                          to_array(std::move(result.logits), {count, cols}));
}

void bind_network(nb::module_& module) {
    nb::exception<network::WeightsError>(module, "WeightsError", PyExc_ValueError).attr("__doc__") =
        docs::kWeightsError;
    nb::class_<Network>(module, "Network", docs::kNetwork)
        .def_static(
            "load",
            [](const std::filesystem::path& file, const std::string& instruction_set) {
                const std::u8string path = file.u8string();
                return std::make_shared<Network>(network::load_weights({path.begin(), path.end()}), instruction_set);
            },
            "file"_a, "instruction_set"_a = "",
            nb::sig("def load(file: str | os.PathLike[str], instruction_set: str = '') -> Network"), docs::kNetworkLoad)
        .def_static("instruction_sets", &Network::instruction_sets, docs::kInstructionSets)
        .def_static("planes", &make_all_planes, "board"_a, docs::kNetworkPlanes)
        .def_prop_ro("instruction_set", &Network::instruction_set, "Name of the instruction set in use.")
        .def_prop_ro(
            "header", [](const Network& self) { return self.weights().header; }, "Header of the weights file, in JSON.")
        .def_prop_ro("digest", &format_digest, "SHA-256 checksum of the weights file, in hexadecimal.")
        .def("evaluate", &evaluate, "board"_a, docs::kNetworkEvaluate)
        .def(
            "evaluate_many",
            [](const Network& self, nb::handle boards, const std::optional<Integer>& threads) {
                return evaluate_boards(self, boards, threads);
            },
            "boards"_a, nb::kw_only(), "threads"_a = nb::none(), nb::sig(FOURFALL_EVALUATE_SIGNATURE("evaluate_many")),
            docs::kNetworkEvaluateMany)
        .def("speed", &measure_speed, "board"_a, "seconds"_a = 0.2, docs::kNetworkSpeed);
}

}  // namespace fourfall
