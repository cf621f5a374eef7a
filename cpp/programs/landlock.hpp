// File access of the sandbox: Landlock, the kernel's access control for unprivileged processes.
#pragma once

#include <string>
#include <vector>

namespace fourfall::sandbox {

// The Landlock version of the kernel; 0 if it has none.
int get_landlock_version();

// From this version on, Landlock keeps a process from sending signals out of the sandbox, even without a PID namespace.
inline constexpr int kLandlockSignals = 6;

// Files and folders that a sandboxed process may use; a rule for a folder holds for everything below it. Paths that do
// not exist are ignored.
struct FileRules {
    std::vector<std::string> readable;  // read, execute and list
    std::vector<std::string> listable;  // list folders, without reading files
    std::vector<std::string> writable;  // everything
};

// Restricts this process and its children to these files. Throws SetupError.
void restrict_files(const FileRules& rules);

}  // namespace fourfall::sandbox
