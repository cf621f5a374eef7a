// Owns the turn of a process from ours to foreign: a session of its own, closed descriptors, the jail, the start.
#pragma once

#include <string>

#include "programs/jail.hpp"
#include "programs/rules.hpp"

namespace fourfall::jail {

// Writes a line; a reader that is gone needs none.
void write_line(int descriptor, std::string text);

// Confines the calling process and starts the foreign code in it. What goes wrong before is a line in `report`; an end
// of `report` without words means that everything went well.
[[noreturn]] void become_foreign(const Rules& rules, const World& world, int report);

}  // namespace fourfall::jail
