// Owns the list of what is bound: one function for each folder of the core.
#pragma once

#include <nanobind/nanobind.h>

namespace fourfall {

void bind_game(nanobind::module_& module);
void bind_network(nanobind::module_& module);
void bind_search(nanobind::module_& module);
void bind_engine(nanobind::module_& module);

// Python compares anything with anything; the generated stubs must say so.
inline constexpr const char* kEqualSignature = "def __eq__(self, other: object, /) -> bool";

// Lets Ctrl-C end a loop that runs without the interpreter's lock.
void poll_signals();

}  // namespace fourfall
