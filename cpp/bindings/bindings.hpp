// Functions that add the classes and functions of each folder of the core to the Python module.
#pragma once

#include <nanobind/nanobind.h>

namespace fourfall {

void bind_game(nanobind::module_& module);
void bind_board_batch(nanobind::module_& module);
void bind_network(nanobind::module_& module);
void bind_search(nanobind::module_& module);
void bind_engine(nanobind::module_& module);

// In Python `==` accepts any object; this signature makes the generated stub say so.
inline constexpr const char* kEqualSignature = "def __eq__(self, other: object, /) -> bool";

// Raises KeyboardInterrupt if Ctrl-C was pressed while a loop runs without the GIL. Used as a Poll callback.
void poll_signals();

}  // namespace fourfall
