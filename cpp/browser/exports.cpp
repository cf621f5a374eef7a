// Functions that JavaScript calls (static/local/wasm_engine.js).
//
// Text is UTF-8 in the memory of the module. JavaScript writes arguments into memory from allocate_memory(), and reads
// a result at the returned address, with the length of get_result_length(), before the next call. An exception becomes
// an exception of JavaScript (platform/wasm_exceptions.cpp).
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "browser/engine_settings.hpp"
#include "browser/reports.hpp"
#include "browser/search_session.hpp"
#include "engine/errors.hpp"
#include "engine/exact.hpp"
#include "game/masks.hpp"
#include "game/notation.hpp"
#include "search/network/input_planes.hpp"
#include "search/network/stem_constants.hpp"

#define FOURFALL_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace fourfall {
namespace {

std::string result;
std::unique_ptr<NetworkLoader> network_loader;

const char* return_text(std::string text) {
    result = std::move(text);
    return result.c_str();
}

std::uint64_t to_bytes(std::uint32_t memory_mb) { return std::uint64_t{memory_mb} << 20; }

// Stones of one player in a list of numbers: how many, then row and column of each.
std::vector<Cell> read_cells(const std::int32_t*& numbers) {
    std::vector<Cell> cells(static_cast<std::size_t>(*numbers++));
    for (Cell& cell : cells) {
        cell = {numbers[0], numbers[1]};
        numbers += 2;
    }
    return cells;
}

}  // namespace

FOURFALL_EXPORT(allocate_memory) void* allocate_memory(std::size_t bytes) {
    void* memory = std::malloc(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

FOURFALL_EXPORT(free_memory) void free_memory(void* memory) { std::free(memory); }

FOURFALL_EXPORT(get_result_length) std::size_t get_result_length() { return result.size(); }

FOURFALL_EXPORT(load_weights) void load_weights(const std::uint8_t* data, std::size_t bytes) {
    network_loader = std::make_unique<NetworkLoader>(std::vector<std::uint8_t>(data, data + bytes));
}

FOURFALL_EXPORT(describe_position) const char* describe_position(const char* text, std::size_t length) {
    return return_text(fourfall::describe_position(parse_board({text, length})));
}

// The numbers are rows, columns, whether there is a hole, its row and column, the stones of both players, and a list of
// the last stone if it is known.
FOURFALL_EXPORT(find_stones) const char* find_stones(const std::int32_t* numbers) {
    const std::optional<Cell> hole = numbers[2] != 0 ? std::optional(Cell{numbers[3], numbers[4]}) : std::nullopt;
    const Geometry geometry(numbers[0], numbers[1], hole);
    numbers += 5;
    const std::vector<Cell> first = read_cells(numbers);
    const std::vector<Cell> second = read_cells(numbers);
    const std::vector<Cell> last = read_cells(numbers);
    const std::optional<Cell> last_stone = last.empty() ? std::nullopt : std::optional(last.front());
    return return_text(fourfall::describe_position(Board::from_stones(geometry, first, second, last_stone)));
}

// The seed has 64 bits in two parts.
FOURFALL_EXPORT(create_search)
SearchSession* create_search(bool is_graph, const char* config, std::size_t length, std::uint32_t seed_low,
                             std::uint32_t seed_high, std::uint32_t memory_mb) {
    const std::uint64_t seed = std::uint64_t{seed_high} << 32 | seed_low;
    const EngineConfig parsed = read_engine_config(is_graph, {config, length}, network_loader.get());
    return new SearchSession(parsed, seed, to_bytes(memory_mb));
}

FOURFALL_EXPORT(release_search) void release_search(SearchSession* search) { delete search; }

// A negative time and simulations of 0 mean that there is no such limit.
FOURFALL_EXPORT(begin_search)
void begin_search(SearchSession* search, const char* position, std::size_t length, double time_s, double simulations,
                  bool every_column) {
    Limit limit;
    if (time_s >= 0) limit.time_s = time_s;
    if (simulations > 0) limit.simulations = static_cast<std::uint64_t>(simulations);
    search->begin(parse_board({position, length}), limit, every_column);
}

FOURFALL_EXPORT(step_search) bool step_search(SearchSession* search, double milliseconds) {
    return search->step(milliseconds);
}

FOURFALL_EXPORT(stop_search) void stop_search(SearchSession* search) { search->stop(); }

FOURFALL_EXPORT(report_search) const char* report_search(SearchSession* search) {
    return return_text(describe_analysis(search->report()));
}

// `positions` of 0 means no limit.
FOURFALL_EXPORT(solve)
const char* solve(const char* position, std::size_t length, double positions, bool columns, std::uint32_t memory_mb) {
    solver::Budget budget;
    if (positions > 0) budget.positions = static_cast<std::uint64_t>(positions);
    const Board board = parse_board({position, length});
    return return_text(
        describe_solution(solve_once(board, columns, budget, to_bytes(memory_mb), 1, [] { return [] {}; })));
}

// Evaluates a position `count` times by the network, in single precision.
FOURFALL_EXPORT(evaluate) const char* evaluate(const char* position, std::size_t length, std::uint32_t count) {
    if (!network_loader) throw EngineError("no weights file is loaded");
    const Board board = parse_board({position, length});
    if (board.is_over()) throw EngineError("the game is over: the network evaluates only unfinished games");
    const auto network = network_loader->load(graph::Arithmetic::kFloat32);
    const network::StemConstants constants(network->weights(), board.geometry());
    network::Workspace work(constants.layout());
    network::NetworkOutput output;
    for (std::uint32_t i = 0; i < count; ++i)
        output = network->evaluate(constants, network::InputPlanes(board.position(), board.masks()), work);
    return return_text(describe_evaluation(board, output));
}

}  // namespace fourfall
