// File access of the sandbox: Landlock, the kernel's access control for unprivileged processes.
#pragma once

#include <string>
#include <vector>

namespace fourfall::sandbox {

// The Landlock version of the kernel; 0 if it has none.
int get_landlock_version();

// From this version on, Landlock keeps a process from sending signals out of the sandbox, even without a PID namespace.
inline constexpr int kLandlockSignals = 6;

// Allows this process and its children to read and execute only below `readable` and to write only below `writable`.
// Paths that do not exist are ignored. Throws SetupError.
void restrict_files(const std::vector<std::string>& readable, const std::vector<std::string>& writable);

}  // namespace fourfall::sandbox
