// Functions that add the classes and functions of each folder of the core to the Python module, and what they share.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/integer.hpp"
#include "game/board.hpp"
#include "game/poll.hpp"

namespace fourfall {

namespace network {
class Network;
}

void bind_game(nanobind::module_& module);
void bind_board_batch(nanobind::module_& module);
void bind_network(nanobind::module_& module);
void bind_search(nanobind::module_& module);
void bind_engine(nanobind::module_& module);

// In Python `==` accepts any object; this signature makes the generated stub say so.
inline constexpr const char* kEqualSignature = "def __eq__(self, other: object, /) -> bool";

// Raises KeyboardInterrupt if Ctrl-C was pressed while a loop runs without the GIL. Used as a Poll callback.
void poll_signals();
// Makes a callback that lets Ctrl-C end a long call. Python handles signals in the main thread only. The check needs
// the GIL, for which it may have to wait, so it is made only every 100 ms.
Poll make_signal_poll();

// Checks a number of threads; the default is the number of cores.
int read_threads(const std::optional<Integer>& threads);

// Checks the number of positions, simulations and so on of a limit: at least 1.
std::optional<std::uint64_t> read_count(const char* what, const std::optional<Integer>& count);

using IntegerPair = std::pair<Integer, Integer>;
// Makes a geometry. Raises InvalidBoard, which names the numbers, if one is out of range.
Geometry make_geometry(const Integer& rows, const Integer& cols, const std::optional<IntegerPair>& hole);
// Converts row and column. Raises InvalidBoard, which names the numbers, if one does not fit a Cell.
Cell read_cell(const char* what, const IntegerPair& pair);
// Checks a column of some board: 0 to 11.
int read_column(const Integer& column);
std::string describe_column_off_board(const Integer& column, int cols);

struct BoardList {
    std::vector<Board> boards;
    int cols;  // of the arrays of a BoardBatch, otherwise of the widest board
};
// Copies the boards of a BoardBatch or of an iterable of boards. Raises TypeError for anything else.
BoardList read_boards(nanobind::handle boards);

// Returns the arrays of values and logits.
nanobind::tuple evaluate_boards(const network::Network& network, nanobind::handle boards,
                                const std::optional<Integer>& threads);
#define FOURFALL_EVALUATE_SIGNATURE(name)                                                             \
    "def " name                                                                                       \
    "(self, boards: BoardBatch | collections.abc.Iterable[Board], *, threads: int | None = None) -> " \
    "tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]"

}  // namespace fourfall
