// Checks the code paths of this processor: kernels of the network against the portable one, line checks of all layouts
// against a search cell by cell. `--bench` prints the speed of each kernel instead.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "game/dispatch.hpp"
#include "search/network/network.hpp"
#include "tests/native/random_network.hpp"

namespace fourfall {
namespace {

int failures = 0;

void check(bool is_right, const std::string& what) {
    if (is_right) return;
    ++failures;
    if (failures <= 20) std::printf("wrong: %s\n", what.c_str());
}

network::NetworkOutput evaluate(const network::Network& network, const Board& board) {
    const network::StemConstants constants(network.weights(), board.geometry());
    network::Workspace work(constants.layout());
    return network.evaluate(constants, network::InputPlanes(board.position(), board.masks()), work);
}

// Most kernels round to 16-bit integers, amx to bf16; tests/search/test_network.py compares them with references that
// round, too.
void check_kernel(const std::string& name) {
    const bool is_float = name == "neon" || name == network::kFloat32;
    const float in_value = is_float ? 1e-5F : name == "amx" ? 0.004F : 5e-4F, in_logits = is_float ? 1e-5F : 0.01F;
    Random random(7);
    for (const auto& [channels, blocks] : {std::pair{32, 2}, {64, 4}, {96, 1}}) {
        const network::WeightsFile weights = draw_weights(random, channels, blocks);
        const network::Network portable(weights, "portable"), other(weights, name);
        float lowest = 1, highest = -1;
        for (int game = 0; game < 6; ++game) {
            const int rows = 4 + static_cast<int>(random.below(9)), cols = 4 + static_cast<int>(random.below(9));
            const Board board = draw_board(random, rows, cols, static_cast<int>(random.below(60)));
            const network::NetworkOutput truth = evaluate(portable, board), found = evaluate(other, board);
            const std::string place =
                name + ", " + std::to_string(channels) + " channels, " + board.geometry().notation();
            check(std::abs(found.value - truth.value) <= in_value, "value, " + place);
            float largest = 1, difference = 0;
            for (std::size_t col = 0; col < truth.logits.size(); ++col) {
                largest = std::max(largest, std::abs(truth.logits[col]));
                difference = std::max(difference, std::abs(found.logits[col] - truth.logits[col]));
            }
            check(difference <= in_logits * largest, "logits, " + place);
            lowest = std::min(lowest, truth.value), highest = std::max(highest, truth.value);
        }
        check(highest - lowest > 0.04F, "the values differ too little for a comparison");
    }
    std::printf("kernel %s compared with the portable one\n", name.c_str());
}

// Whether `count` cells from (height, col) in one direction are stones, apart from the cell `missing`.
bool is_line(const std::vector<bool>& stones, int rows, int cols, int height, int col, int up, int right, int missing) {
    for (int i = 0; i < 4; ++i) {
        const int h = height + i * up, c = col + i * right;
        if (h < 0 || h >= rows || c < 0 || c >= cols) return false;
        const int cell = c * rows + h;
        if (cell != missing && !stones[static_cast<std::size_t>(cell)]) return false;
    }
    return true;
}

// Whether there are four in a row if the cell `extra` counts as a stone, in a line through this cell if it is not -1.
bool has_line(const std::vector<bool>& stones, int rows, int cols, int extra) {
    for (int height = 0; height < rows; ++height)
        for (int col = 0; col < cols; ++col)
            for (const auto& [up, right] : {std::pair{1, 0}, {-1, 1}, {0, 1}, {1, 1}}) {
                bool is_through = extra < 0;
                for (int i = 0; i < 4; ++i) is_through |= (col + i * right) * rows + height + i * up == extra;
                if (is_through && is_line(stones, rows, cols, height, col, up, right, extra)) return true;
            }
    return false;
}

// Fills each column to a random height with stones of both sides, and checks the stones of one side. A free cell never
// is below a stone, and completing_cells() relies on that.
template <class L, class Lines>
void check_lines(Lines, Random& random, int rows, int cols) {
    typename L::Bits bits{};
    std::vector<bool> stones(static_cast<std::size_t>(rows * cols));
    std::vector<int> free_cells;
    for (int col = 0; col < cols; ++col) {
        const int filled = static_cast<int>(random.below(static_cast<std::uint32_t>(rows) + 1));
        for (int height = 0; height < rows; ++height) {
            if (height >= filled) {
                free_cells.push_back(col * rows + height);
            } else if (random.below(3) != 0) {
                stones[static_cast<std::size_t>(col * rows + height)] = true;
                bits |= L::cell(height, col);
            }
        }
    }
    const std::string place = std::to_string(rows) + "x" + std::to_string(cols);
    check(Lines::has_four(bits) == has_line(stones, rows, cols, -1), "has_four, " + place);
    const typename L::Bits completing = Lines::completing_cells(bits);
    for (const int cell : free_cells)
        check((completing & L::cell(cell % rows, cell / rows)).any() == has_line(stones, rows, cols, cell),
              "completing_cells, " + place);
}

void check_all_lines() {
    Random random(3);
    for (int rows = kMinSide; rows <= kMaxSide; ++rows)
        for (int cols = kMinSide; cols <= kMaxSide; ++cols)
            with_layout(rows, cols, [&]<class L>(L) {
                for (int i = 0; i < 2; ++i) {
                    check_lines<L>(ScalarLines<L>{}, random, rows, cols);
                    dispatch<L>([&](auto lines) { check_lines<L>(lines, random, rows, cols); });
                }
            });
    std::printf("line checks of all sizes compared with a search cell by cell\n");
}

// Prints the kernel, the size and the evaluations per second. The kernels alternate, and the fastest of all evaluations
// counts, because other processes can only slow them down.
void measure(int rounds) {
    Random random(5);
    const network::WeightsFile weights = draw_weights(random, 64, 4);
    std::vector<network::Network> networks;
    for (const std::string& name : network::Network::instruction_sets()) networks.emplace_back(weights, name);
    for (const auto& [rows, cols] : {std::pair{9, 9}, {10, 11}, {12, 12}}) {
        const Board board = draw_board(random, rows, cols, rows * cols / 3);
        const network::StemConstants constants(weights, board.geometry());
        network::Workspace work(constants.layout());
        std::vector<double> seconds(networks.size(), 1e9);
        for (int round = 0; round < rounds; ++round)
            for (std::size_t i = 0; i < networks.size(); ++i)
                for (int again = 0; again < 20; ++again) {
                    const auto begin = std::chrono::steady_clock::now();
                    networks[i].evaluate(constants, network::InputPlanes(board.position(), board.masks()), work);
                    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
                    seconds[i] = std::min(seconds[i], passed.count());
                }
        for (std::size_t i = 0; i < networks.size(); ++i)
            std::printf("%s %dx%d %.1f\n", networks[i].instruction_set().c_str(), rows, cols, 1 / seconds[i]);
    }
}

}  // namespace
}  // namespace fourfall

int main(int count, char** arguments) {
    if (count > 1 && std::strcmp(arguments[1], "--bench") == 0) {
        fourfall::measure(count > 2 ? std::max(1, std::atoi(arguments[2])) : 20);
        return 0;
    }
    fourfall::check_all_lines();
    for (const std::string& name : fourfall::network::Network::instruction_sets())
        if (name != "portable") fourfall::check_kernel(name);
    fourfall::check_kernel(fourfall::network::kFloat32);
    std::printf("%d checks failed\n", fourfall::failures);
    return fourfall::failures > 0 ? 1 : 0;
}
