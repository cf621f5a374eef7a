// Owns the Python face of cpp/search/network: a network to load, ask and time.
#include "search/network/network.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdio>
#include <ctime>
#include <filesystem>

#include "bindings/bindings.hpp"
#include "bindings/search_docs.hpp"
#include "game/board.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fourfall {
namespace {

using network::Ground;
using network::Network;
using network::Picture;
using network::Workspace;

Picture picture_of(const Board& board) {
    if (board.is_over()) throw nb::value_error("the game is over: there is nothing to evaluate");
    return Picture(board.position(), board.masks());
}

std::pair<float, std::vector<std::optional<float>>> evaluate(const Network& self, const Board& board) {
    const Picture picture = picture_of(board);
    const Ground ground(self.weights(), board.geometry());
    Workspace work(ground.image());
    const network::Opinion opinion = self.evaluate(ground, picture, work);
    std::vector<std::optional<float>> logits;
    for (int col = 0; col < board.geometry().cols(); ++col)
        logits.push_back(picture.landing(col) < 0 ? std::nullopt
                                                  : std::optional(opinion.logits[static_cast<std::size_t>(col)]));
    return {opinion.value, logits};
}

using Grid = std::vector<std::vector<float>>;

std::vector<Grid> planes(const Board& board) {
    const Geometry& geometry = board.geometry();
    std::vector<Grid> out;
    for (int plane = 0; plane < network::kPlanes; ++plane) {
        Grid& grid = out.emplace_back(geometry.rows(), std::vector<float>(static_cast<std::size_t>(geometry.cols())));
        for (int row = 0; row < geometry.rows(); ++row)
            for (int col = 0; col < geometry.cols(); ++col)
                grid[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)] =
                    network::ground_at(geometry, plane, row, col, board.ply());
    }
    for (const network::Mark& mark : picture_of(board).marks()) out[mark.plane][mark.height][mark.col] = 1;
    return out;
}

// Processor time is counted, not what passes while others have the processor.
double speed(const Network& self, const Board& board, double seconds) {
    picture_of(board);
    const Ground ground(self.weights(), board.geometry());
    Workspace work(ground.image());
    const nb::gil_scoped_release unlocked;
    const std::clock_t begin = std::clock();
    const auto passed = [&] { return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; };
    int count = 0;
    do {
        self.evaluate(ground, Picture(board.position(), board.masks()), work);
        ++count;
    } while (passed() < seconds);
    return count / passed();
}

std::string digest_text(const Network& self) {
    std::string text;
    for (const std::uint8_t byte : self.weights().digest) {
        char pair[3];
        std::snprintf(pair, sizeof pair, "%02x", byte);
        text += pair;
    }
    return text;
}

}  // namespace

void bind_network(nb::module_& module) {
    nb::exception<network::WeightsError>(module, "WeightsError", PyExc_ValueError).attr("__doc__") =
        docs::kWeightsError;
    nb::class_<Network>(module, "Network", docs::kNetwork)
        .def_static(
            "load",
            [](const std::filesystem::path& file, const std::string& path) {
                return std::make_shared<Network>(network::load_weights(file.string()), path);
            },
            "file"_a, "path"_a = "", nb::sig("def load(file: str | os.PathLike[str], path: str = '') -> Network"),
            docs::kNetworkLoad)
        .def_static("paths", &Network::paths, docs::kNetworkPaths)
        .def_static("planes", &planes, "board"_a, docs::kNetworkPlanes)
        .def_prop_ro("path", &Network::path, "The path through the processor that this one takes.")
        .def_prop_ro(
            "header", [](const Network& self) { return self.weights().header; },
            "What the weights file says of itself, in JSON.")
        .def_prop_ro("digest", &digest_text, "The checksum of the weights file: SHA-256 in hexadecimal digits.")
        .def("evaluate", &evaluate, "board"_a, docs::kNetworkEvaluate)
        .def("speed", &speed, "board"_a, "seconds"_a = 0.2, docs::kNetworkSpeed);
}

}  // namespace fourfall
