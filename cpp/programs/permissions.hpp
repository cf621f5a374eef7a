// Prints what a sandboxed process may do: files, environment and limits.
#pragma once

#include "programs/landlock.hpp"

namespace fourfall::sandbox {

// Called in the sandbox instead of third-party code: writes to standard output one line per permission, its fields
// separated by tabs, and `end`: `read PATH`, `list PATH`, `write PATH`, `environment NAME=VALUE`, `limit NAME VALUE`.
// Returns the exit code of the process.
int print_permissions(const FileRules& rules, bool has_namespaces);

}  // namespace fourfall::sandbox
