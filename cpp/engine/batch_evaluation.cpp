// Distributes positions among threads; boards of one geometry follow each other, because they share constants.
#include "engine/batch_evaluation.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

#include "engine/parallel_loop.hpp"
#include "search/network/stem_constants.hpp"

namespace fourfall {
namespace {

constexpr std::size_t kBoardsPerTask = 8;

// What one thread keeps between positions of the same geometry.
struct GeometryState {
    GeometryState(const network::Network& network, const Geometry& own)
        : geometry(own), constants(network.weights(), own), workspace(constants.layout()) {}

    Geometry geometry;
    network::StemConstants constants;
    network::Workspace workspace;
};

std::vector<std::size_t> order_by_geometry(std::span<const Board> boards) {
    std::vector<std::size_t> order(boards.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t index) {
        const Geometry& geometry = boards[index].geometry();
        return std::tuple(geometry.rows(), geometry.cols(), geometry.hole());
    });
    return order;
}

}  // namespace

BatchEvaluation evaluate_boards(const network::Network& network, std::span<const Board> boards, int cols, int threads,
                                const Poll& poll) {
    const auto width = static_cast<std::size_t>(cols);
    BatchEvaluation result{
        std::vector<float>(boards.size()),
        std::vector<float>(boards.size() * width, -std::numeric_limits<float>::infinity()),
    };
    const std::vector<std::size_t> order = order_by_geometry(boards);
    std::vector<std::optional<GeometryState>> states(static_cast<std::size_t>(threads));
    const auto evaluate = [&](std::size_t index, std::optional<GeometryState>& state) {
        const Board& board = boards[index];
        if (board.is_over()) {
            result.values[index] = board.position().is_lost() ? -1.0F : 0.0F;
            return;
        }
        if (!state || state->geometry != board.geometry()) state.emplace(network, board.geometry());
        const network::InputPlanes planes(board.position(), board.masks());
        const network::NetworkOutput output = network.evaluate(state->constants, planes, state->workspace);
        result.values[index] = output.value;
        for (int col = 0; col < board.geometry().cols(); ++col)
            if (planes.landing_height(col) >= 0)
                result.logits[index * width + static_cast<std::size_t>(col)] =
                    output.logits[static_cast<std::size_t>(col)];
    };
    const ParallelLoop loop{threads, poll};
    loop.run((boards.size() + kBoardsPerTask - 1) / kBoardsPerTask, [&](std::size_t task, int thread) {
        const std::size_t end = std::min((task + 1) * kBoardsPerTask, boards.size());
        for (std::size_t at = task * kBoardsPerTask; at < end; ++at)
            evaluate(order[at], states[static_cast<std::size_t>(thread)]);
    });
    return result;
}

}  // namespace fourfall
