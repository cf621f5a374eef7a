// Finds out which protections of the sandbox this machine offers, by trying each in a child process.
#pragma once

namespace fourfall::sandbox {

// Prints one line per protection: name, "yes" or "no", and detail, separated by tabs. Returns the exit code.
int print_protections();

}  // namespace fourfall::sandbox
