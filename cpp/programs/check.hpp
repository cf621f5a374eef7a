// Owns the answer to which protections this machine offers, found by trying each.
#pragma once

namespace fourfall::jail {

// Prints one line for each: its name, "yes" or "no", and what was found; returns the exit code.
int print_protections();

}  // namespace fourfall::jail
