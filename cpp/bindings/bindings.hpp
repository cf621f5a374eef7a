// Owns the list of what is bound: one function for each folder of the core.
#pragma once

#include <nanobind/nanobind.h>

namespace fourfall {

void bind_game(nanobind::module_& module);

}  // namespace fourfall
